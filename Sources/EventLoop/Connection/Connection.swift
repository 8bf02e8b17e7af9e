import CLibevent
import Glibc
import HTTP1

/// One client's connection: reads a request, waits for its answer, writes that, reads the next.
///
/// One request at a time: what a client pipelines stays in the input buffer, and from `Connection.readAhead`
/// bytes on in the socket, until the answer before it is written. A client that has shut its sending side
/// (EOF) still gets the answers to what it sent before; only a stream ends with it, and who waits for news gets what
/// there is. TCP shows a client that is wholly gone in the same way, so its answer is made and then dropped.
///
/// Owned by `Worker.connections`, and by an exchange or stream that outlives it. Unchecked: other threads
/// hold the reference and read the `let`s, no more; every `var` is touched on the loop's thread.
final class Connection: @unchecked Sendable {
  /// What the connection is doing.
  enum Phase {
    /// Reading a request, or waiting for one.
    case reading
    /// Waiting for the service.
    case answering
    /// Writing an open body.
    case streaming
    /// Writing what is left; then it closes.
    case closing
    /// Everything is written and said to be; reading on, so that a reset does not take the answer from the
    /// client that was still sending (RFC 9112 §9.6).
    case lingering
    /// The handle is freed.
    case closed
  }

  /// What the deadline in phase `reading` is for.
  enum Wait {
    case nothing, idle, head, body
  }

  /// Bytes of later requests that may wait in the input buffer during an answer, roughly.
  static let readAhead = 65_536

  let worker: Worker
  /// The C handle, with the socket in it; freed by `close`, on the loop.
  let bufferevent: OpaquePointer
  let socket: Int32
  /// Whether it counts among the server's connections; false for one that is only told that there are too
  /// many.
  let isAdmitted: Bool

  /// Nothing that `parse` calls comes back to the connection, so its access needs no check at run time.
  @exclusivity(unchecked)
  var parser: RequestParser
  var phase = Phase.reading
  var wait = Wait.nothing
  /// The exchange whose answer is due; nil in all phases but `answering`.
  var exchange: RequestExchange?
  /// What is to run if the client ends before the answer; nil in all phases but `answering`.
  var clientEnd: (@Sendable () -> Void)?
  /// The stream being written; nil in all phases but `streaming`.
  var stream: BodyStream?
  /// The place in `Worker.connections`.
  var slot = 0
  /// Inside `readRequests`, which flushes what answers leave in the outbox.
  var isParsing = false
  /// The client will send no more.
  var inputEnded = false
  /// Reading was stopped, as enough is there.
  var isPaused = false
  /// The output buffer holds bytes that the socket did not take yet.
  var isBacklogged = false
  /// What the client had not taken when that was last looked at, in bytes, and since when that is no less.
  var backlogCount = 0
  var backlogSince = 0.0
  /// Closes by lingering.
  var lingers = false
  /// Bytes read and dropped in phase `lingering`.
  var discarded = 0

  var loop: Loop { worker.loop }
  var input: OpaquePointer? { bufferevent_get_input(bufferevent) }
  var output: OpaquePointer? { bufferevent_get_output(bufferevent) }

  var inputLength: Int { evbuffer_get_length(input) }

  init(_ worker: Worker, _ bufferevent: OpaquePointer, socket: Int32, isAdmitted: Bool) {
    self.worker = worker
    self.bufferevent = bufferevent
    self.socket = socket
    self.isAdmitted = isAdmitted
    let limits = worker.state.limits
    parser = RequestParser(limits: .init(headerBytes: limits.headerBytes, bodyBytes: limits.bodyBytes))
  }

  /// Registers the callbacks and begins to read.
  ///
  /// `Worker.connections` holds the reference that they count on.
  func begin() {
    let me = Unmanaged.passUnretained(self).toOpaque()
    bufferevent_setcb(bufferevent, readable, drained, ended, me)
    bufferevent_set_max_single_read(bufferevent, Self.readAhead)
    bufferevent_set_max_single_write(bufferevent, 8 * Self.readAhead)
    bufferevent_enable(bufferevent, Int16(EV_READ))
    expect(.head)
  }

  /// The socket gave bytes.
  fileprivate func read() {
    switch phase {
    case .reading where !isBacklogged: readRequests()
    case .reading, .answering: pauseIfAhead()
    case .streaming, .closing, .lingering: discardInput()
    case .closed: break
    }
  }

  /// The output buffer is empty again.
  fileprivate func drain() {
    guard isBacklogged, evbuffer_get_length(output) == 0 else { return }
    isBacklogged = false
    worker.setDeadline(.infinity, of: self)
    switch phase {
    case .reading: readRequests()
    case .streaming: stream?.pump(at: Clock.monotonic)
    case .closing: finish()
    case .answering, .lingering, .closed: break
    }
  }

  /// The client has shut its sending side, or the connection is broken.
  fileprivate func end(_ what: Int16) {
    if what & Int16(BEV_EVENT_EOF) != 0, what & Int16(BEV_EVENT_READING) != 0 {
      inputEnded = true
      endOfInput()
    } else {
      close()
    }
  }
}

// libevent calls these on the loop's thread, and not any more once `close` has freed the handle.

private func readable(_: OpaquePointer?, connection: UnsafeMutableRawPointer?) {
  guard let connection else { return }
  Unmanaged<Connection>.fromOpaque(connection).takeUnretainedValue().read()
}

private func drained(_: OpaquePointer?, connection: UnsafeMutableRawPointer?) {
  guard let connection else { return }
  Unmanaged<Connection>.fromOpaque(connection).takeUnretainedValue().drain()
}

private func ended(_: OpaquePointer?, what: Int16, connection: UnsafeMutableRawPointer?) {
  guard let connection else { return }
  Unmanaged<Connection>.fromOpaque(connection).takeUnretainedValue().end(what)
}

import CLibevent
import Glibc
import HTTP1

extension Connection {
  /// How long a client that was still sending may take to see its answer.
  private static let lingerSeconds = 2.0

  /// Everything is written: closes, or waits first until the client has read it.
  func finish() {
    guard phase == .closing else { return }
    guard lingers, !inputEnded else { return close() }
    phase = .lingering
    shutdown(socket, Int32(SHUT_WR))
    discardInput()
    guard phase == .lingering else { return }
    if isPaused { resumeReading() }
    worker.setDeadline(Clock.monotonic + Self.lingerSeconds, of: self)
  }

  /// Frees the handle and with it the socket, and drops whatever was to be read or written.
  ///
  /// Safe to call again.
  func close() {
    guard phase != .closed else { return }
    phase = .closed
    exchange = nil
    let clientEnd = clientEnd
    self.clientEnd = nil
    if worker.outboxOwner === self {
      worker.outboxOwner = nil
      worker.outbox.clear()
    }
    bufferevent_free(bufferevent)
    let stream = stream
    self.stream = nil
    worker.remove(self)
    stream?.end(.clientClosed)
    clientEnd?()
  }

  /// Keeps `job` for the case that the client ends before `exchange` is answered.
  func awaitEnd(_ exchange: RequestExchange, _ job: @escaping @Sendable () -> Void) {
    if self.exchange === exchange, !inputEnded {
      clientEnd = job
    } else if inputEnded || phase == .closed {
      loop.execute(job)
    }
  }

  /// Whether it waits for a request of which no byte is there.
  var isIdle: Bool {
    phase == .reading && !isBacklogged && parser.isIdle && inputLength == 0
  }

  /// The time that was set for the connection is over.
  func deadlinePassed(_ now: Double) {
    if isBacklogged { return watchBacklog(now) }
    switch phase {
    case .reading where wait == .head || wait == .body:
      if parser.isIdle, inputLength == 0 { return close() }
      let part = wait == .body ? "body" : "head"
      refuse(RequestFailure(.timeout, "the request's \(part) did not come in time"))
    case .reading, .closing, .lingering: close()
    case .streaming: stream?.beat(now)
    case .answering, .closed: break
    }
  }

  /// Closes if the client has taken nothing for too long, else looks again after a while.
  func watchBacklog(_ now: Double) {
    let count = untaken
    if count < backlogCount { backlogSince = now }
    backlogCount = count
    let patience = stream?.limits.stallSeconds ?? worker.state.limits.stallSeconds
    if now - backlogSince >= patience {
      stream?.end(.stalled)
      return close()
    }
    // Thirty looks a span: precise to a second of half a minute, at no cost while nobody lags.
    worker.setDeadline(min(now + patience / 30, backlogSince + patience), of: self)
  }

  /// Bytes that were written and have not reached the client, in the output buffer and in the socket.
  ///
  /// The socket holds megabytes and is refilled when a third of them is gone: by the output buffer alone, a slow
  /// reader would seem to stand still for as long.
  var untaken: Int {
    var inSocket: Int32 = 0
    let status = ioctl(socket, UInt(TIOCOUTQ), &inSocket)
    return evbuffer_get_length(output) + (status == 0 ? Int(inSocket) : 0)
  }
}

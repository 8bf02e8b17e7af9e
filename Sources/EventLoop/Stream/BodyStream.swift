import CLibevent
import HTTP1

/// The open body of a response: a queue of frames, each of which becomes one chunk.
///
/// Frames pass to the socket only as it takes them, so that what waits can be counted, and dropped when the
/// reader lags; a frame that was begun is always completed. Unchecked: other threads call `send` and
/// `finish`, which touch nothing but the worker's inbox; every `var` is touched on the loop's thread.
final class BodyStream: ResponseStream, @unchecked Sendable {
  let connection: Connection
  let limits: StreamLimits
  private var onClose: (@Sendable (StreamEnd) -> Void)?
  /// The head is written; frames may follow.
  private var isOpen = false
  /// False for HTTP/1.0, where the close ends the body.
  private var isChunked = true
  /// Frames that wait, the first at `first`.
  private var frames: [Frame] = []
  private var first = 0
  /// Bytes of the waiting frames that count as lag.
  private var lag = 0
  private var lastWrite = 0.0
  /// In the worker's list of streams to pump this turn.
  var isListed = false

  /// Bytes as the caller gave them.
  struct Frame: Sendable {
    let bytes: [UInt8]
    let countsAsLag: Bool
    let isLast: Bool
  }

  init(_ connection: Connection, _ limits: StreamLimits, _ onClose: @escaping @Sendable (StreamEnd) -> Void) {
    self.connection = connection
    self.limits = limits
    self.onClose = onClose
  }

  func send(_ frame: [UInt8], countsAsLag: Bool) {
    connection.worker.post(Frame(bytes: frame, countsAsLag: countsAsLag, isLast: false), to: self)
  }

  func finish(_ last: [UInt8]) {
    connection.worker.post(Frame(bytes: last, countsAsLag: false, isLast: true), to: self)
  }

  /// The head is in the outbox: frames may go out behind it.
  func begin(isChunked: Bool) {
    isOpen = true
    self.isChunked = isChunked
    lastWrite = Clock.monotonic
    // Takes the place of what was set for the request.
    connection.worker.setDeadline(.infinity, of: connection)
    awaitHeartbeat()
    connection.worker.list(self)
  }

  /// Queues a frame that came through the worker's inbox; nothing once the stream has ended.
  func enqueue(_ frame: Frame) {
    guard onClose != nil else { return }
    frames.append(frame)
    if frame.countsAsLag { lag += frame.bytes.count }
  }

  /// Passes frames to the socket until it takes no more, and cuts a reader off whose frames do not fit the
  /// queue.
  func pump(at now: Double) {
    guard isOpen, connection.phase == .streaming else { return }
    let worker = connection.worker
    worker.claimOutbox(for: connection)
    var ends = false
    while first < frames.count, !connection.isBacklogged, !ends {
      let frame = frames[first]
      first += 1
      if frame.countsAsLag { lag -= frame.bytes.count }
      write(frame.bytes)
      ends = frame.isLast
      if worker.outbox.bytes.count >= Self.writeAhead || worker.outbox.isFull { flush() }
    }
    if first == frames.count {
      first = 0
      frames.removeAll(keepingCapacity: frames.capacity <= 8)
    } else if first > 64, first * 2 > frames.count {
      frames.removeFirst(first)
      first = 0
    }
    if ends { return close(.finished) }
    flush()
    guard connection.phase == .streaming else { return }
    lastWrite = now
    if lag > limits.bufferBytes {
      write(limits.lagging)
      close(.lagging)
    } else if !connection.isBacklogged {
      awaitHeartbeat()
    }
  }

  /// Nothing was written for a while, perhaps.
  func beat(_ now: Double) {
    guard !limits.heartbeat.isEmpty else { return }
    if now - lastWrite >= limits.heartbeatSeconds {
      write(limits.heartbeat)
      lastWrite = now
      flush()
      guard connection.phase == .streaming, !connection.isBacklogged else { return }
    }
    connection.worker.setDeadline(lastWrite + limits.heartbeatSeconds, of: connection)
  }

  /// Tells the service once that the stream has ended, and drops what waits.
  func end(_ end: StreamEnd) {
    isOpen = false
    frames = []
    first = 0
    lag = 0
    guard let onClose else { return }
    self.onClose = nil
    onClose(end)
  }

  /// As `end`, but not within the call of the service that it would call back into.
  func endLater(_ end: StreamEnd) {
    connection.loop.execute { self.end(end) }
  }

  /// Bytes that are written ahead of the frame being written: a socket call has to be worth it.
  private static let writeAhead = 16_384

  private func write(_ bytes: [UInt8]) {
    guard !bytes.isEmpty else { return }
    connection.worker.claimOutbox(for: connection)
    if isChunked { ChunkedCoding.appendSize(bytes.count, to: &connection.worker.outbox.bytes) }
    connection.worker.outbox.append(bytes)
    if isChunked { connection.worker.outbox.append(ChunkedCoding.dataEnd) }
  }

  private func flush() {
    connection.flush()
  }

  /// Ends the body; the connection closes when that is written, or when the reader takes nothing any more.
  private func close(_ reason: StreamEnd) {
    connection.worker.claimOutbox(for: connection)
    if isChunked { connection.worker.outbox.append(ChunkedCoding.end) }
    connection.stream = nil
    connection.phase = .closing
    connection.lingers = true
    flush()
    connection.proceed()
    end(reason)
  }

  /// A deadline that is set already stands: when it comes, `beat` looks at the last write.
  private func awaitHeartbeat() {
    guard !limits.heartbeat.isEmpty, !connection.worker.hasDeadline(connection) else { return }
    connection.worker.setDeadline(lastWrite + limits.heartbeatSeconds, of: connection)
  }
}

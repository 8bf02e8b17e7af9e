import JSONText
import Synchronization

/// The server's log: lines made at once, written in blocks.
///
/// Lines gather in a buffer and go to the sink when it holds `blockBytes`, or when `drain` is called: on a timer (so that
/// nobody waits long for a line), behind events, and before the process ends (so that no line is lost). One thread
/// writes at a time; the others go on gathering meanwhile. Where the sink is stuck and `capacity` bytes wait, further
/// lines are dropped and counted, and the log says how many when it can write again: a log that nobody reads never
/// holds up an answer for more than the one block that is being written.
public final class Log: Sendable {
  /// Writes a block of whole lines, all of it, before it returns.
  public typealias Sink = @Sendable ([UInt8]) -> Void

  private struct Buffer: ~Copyable {
    var lines = TextBuffer()
    var clock = LogClock()
    var dropped = 0
    /// When the last of them was dropped, in milliseconds since 1970.
    var droppedAt = 0
  }

  /// How lines are written.
  public let format: LogFormat
  private let capacity: Int
  private let blockBytes: Int
  private let sink: Sink
  private let wake: (@Sendable () -> Void)?
  private let buffer = Mutex(Buffer())
  /// Held by whoever writes, so that blocks keep their order.
  private let writing = Mutex(())

  /// A log that writes to `sink`.
  ///
  /// - Parameter wake: where given, nothing is written but by `drain`, and this is called when there is something: a
  ///   thread of its own can then write, and a sink that is stuck holds nobody up.
  public init(
    _ format: LogFormat, capacity: Int = 1 << 20, blockBytes: Int = 1 << 15,
    wake: (@Sendable () -> Void)? = nil, sink: @escaping Sink
  ) {
    self.wake = wake
    self.format = format
    self.capacity = capacity
    self.blockBytes = blockBytes
    self.sink = sink
  }

  /// Logs an answered request.
  ///
  /// O(length of the line).
  public func request(_ line: RequestLine) {
    let (isFirst, isFull) = buffer.withLock { buffer in
      guard buffer.lines.count < capacity else {
        buffer.dropped += 1
        buffer.droppedAt = line.time
        return (false, true)
      }
      let isFirst = buffer.lines.count == 0
      line.write(format, &buffer.clock, to: &buffer.lines)
      return (isFirst, buffer.lines.count >= blockBytes)
    }
    if let wake {
      if isFirst { wake() }
    } else if isFull {
      writing.withLockIfAvailable { _ in writeGathered() }
    }
  }

  /// Logs an event and has it written soon, with all that has gathered.
  public func event(_ event: LogEvent) {
    let line = event.line(format)
    buffer.withLock { $0.lines.append(line) }
    if let wake { return wake() }
    writing.withLockIfAvailable { _ in writeGathered() }
  }

  /// Writes all that has gathered, behind what another thread may be writing.
  public func drain() {
    writing.withLock { _ in writeGathered() }
  }

  private func writeGathered() {
    let (lines, dropped, droppedAt) = buffer.withLock { buffer in
      let gathered = (buffer.lines.take(), buffer.dropped, buffer.droppedAt)
      // The room is kept for the next block, which will be about as large, but not that of a log which was stuck.
      if gathered.0.count > 2 * blockBytes { buffer.lines = TextBuffer() }
      buffer.dropped = 0
      return gathered
    }
    if !lines.isEmpty { sink(lines) }
    guard dropped > 0 else { return }
    let note = LogEvent(
      time: droppedAt, .warning, "log-dropped", "the log could not be written in time",
      members: [("lines", .number(dropped))])
    sink(note.line(format))
  }
}

import Glibc
import JSONText

/// Reads a file line by line, in memory that the longest line bounds.
struct LineReader: ~Copyable {
  private let descriptor: Int32
  private var buffer: [UInt8] = []
  private var start = 0
  private var isAtEnd = false

  /// Bytes behind which the next line begins.
  private(set) var offset = 0
  /// Whether the last line had a line feed.
  private(set) var isTerminated = true
  /// Whether reading has failed; then what came before is not all.
  private(set) var hasFailed = false

  /// Opens a file; nil where that does not work.
  init?(path: String) {
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    if descriptor < 0 { return nil }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The next line without its line feed; nil behind the last.
  mutating func next() -> Bytes? {
    var searched = start
    while true {
      if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = Bytes(Array(buffer[start..<end]))
        offset += end + 1 - start
        start = end + 1
        isTerminated = true
        return line
      }
      searched = buffer.count - start
      guard !isAtEnd else { break }
      buffer.removeFirst(start)
      start = 0
      fill()
    }
    guard start < buffer.count else { return nil }
    let line = Bytes(Array(buffer[start...]))
    offset += line.count
    start = buffer.count
    isTerminated = false
    return line
  }

  private mutating func fill() {
    var block = [UInt8](repeating: 0, count: 1 << 16)
    var count: Int
    repeat { count = read(descriptor, &block, block.count) } while count < 0 && errno == EINTR
    hasFailed = count < 0
    isAtEnd = count <= 0
    buffer += block[..<max(count, 0)]
  }
}

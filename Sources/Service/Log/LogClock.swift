import JSONText

/// Writes the times of log lines, most of which share their second with the line before.
struct LogClock {
  private var second = Int.min
  /// The second as RFC 3339 writes it, with the point behind: `2026-01-02T03:04:05.` and no more.
  private var text: [UInt8] = []

  /// Appends a moment in milliseconds since 1970 as RFC 3339 writes it.
  mutating func append(_ milliseconds: Int, to line: inout TextBuffer) {
    guard milliseconds >= 0, milliseconds / 1000 == second else {
      var moment: [UInt8] = []
      moment.append(rfc3339: milliseconds)
      second = milliseconds / 1000
      text = moment.dropLast(4)
      return line.append(moment)
    }
    line.append(text)
    line.append(digits: 3, of: milliseconds % 1000)
    line.append(UInt8(ascii: "Z"))
  }
}

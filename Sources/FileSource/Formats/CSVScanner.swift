import ListModel

/// Takes CSV (RFC 4180) apart, field by field, from a whole text in memory.
///
/// Lines end with CRLF or LF, the last one's end may be missing, and a quoted field may hold line ends, commas and
/// doubled quotes. What the RFC's grammar forbids is a fault: a quote inside a field that does not begin with one,
/// text behind a closing quote, a quote that is never closed, a CR without LF outside quotes.
struct CSVScanner {
  /// One field: where its content lies, without enclosing quotes, and what ended it.
  struct Field {
    enum End { case comma, line, text }

    var content: Range<Int>
    var isQuoted: Bool
    var hasDoubledQuotes: Bool
    var end: End

    /// Whether a line that is this field alone would be blank.
    var isBlank: Bool { content.isEmpty && !isQuoted }
  }

  private let text: [UInt8]
  private let end: Int
  /// Where the next field begins, an offset in the text.
  private(set) var position: Int
  /// The line of `position`, from 1, line ends within quotes counted.
  private(set) var line = 1

  /// A scanner of `text[range]`, at its start.
  init(_ text: [UInt8], in range: Range<Int>) {
    self.text = text
    end = range.upperBound
    position = range.lowerBound
  }

  /// Whether there is no further record: the text is over, and not behind a comma.
  var isAtEnd: Bool { position == end }

  /// Takes the field at `position`.
  ///
  /// Behind a comma there always is one; behind a line ask `isAtEnd` first. O(length).
  ///
  /// - Throws: `upstream-malformed` with the line.
  mutating func nextField() throws(UpstreamFailure) -> Field {
    if position < end, text[position] == .quote { return try quotedField() }
    let start = position
    while position < end {
      switch text[position] {
      case .comma, .cr, .lf:
        let content = start..<position
        return Field(content: content, isQuoted: false, hasDoubledQuotes: false, end: try fieldEnd())
      case .quote:
        throw .malformed(line: line, "a quote stands inside a field that does not begin with one")
      default:
        position += 1
      }
    }
    return Field(content: start..<end, isQuoted: false, hasDoubledQuotes: false, end: .text)
  }

  private mutating func quotedField() throws(UpstreamFailure) -> Field {
    let opening = line
    position += 1
    let start = position
    var hasDoubledQuotes = false
    while position < end {
      let byte = text[position]
      position += 1
      if byte == .lf { line += 1 }
      guard byte == .quote else { continue }
      if position < end, text[position] == .quote {
        hasDoubledQuotes = true
        position += 1
        continue
      }
      let content = start..<(position - 1)
      return Field(
        content: content, isQuoted: true, hasDoubledQuotes: hasDoubledQuotes, end: try fieldEnd())
    }
    throw .malformed(line: opening, "the quote that opens here is never closed")
  }

  /// Passes what ends a field.
  private mutating func fieldEnd() throws(UpstreamFailure) -> Field.End {
    guard position < end else { return .text }
    switch text[position] {
    case .comma:
      position += 1
      return .comma
    case .cr:
      guard position + 1 < end, text[position + 1] == .lf else {
        throw .malformed(line: line, "a carriage return stands without a line feed, outside quotes")
      }
      position += 1
      fallthrough
    case .lf:
      position += 1
      line += 1
      return .line
    default:
      throw .malformed(line: line, "text stands behind a closing quote")
    }
  }
}

extension UInt8 {
  fileprivate static let quote = UInt8(ascii: "\"")
  fileprivate static let comma = UInt8(ascii: ",")
  fileprivate static let cr = UInt8(ascii: "\r")
  fileprivate static let lf = UInt8(ascii: "\n")
}

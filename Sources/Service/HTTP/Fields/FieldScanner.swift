/// Reads a header field's value piece by piece: tokens, quoted strings, the commas of lists (RFC 9110 §5.6).
///
/// Every step goes forward, so that a field is read in O(n) whatever stands in it.
struct FieldScanner {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  var isAtEnd: Bool { position == bytes.endIndex }

  /// The next byte, not taken.
  var next: UInt8? { isAtEnd ? nil : bytes[position] }

  /// Skips spaces and tabs.
  mutating func skipSpace() {
    while let byte = next, byte == 32 || byte == 9 { position += 1 }
  }

  /// Takes `byte` if it comes next.
  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    position += 1
    return true
  }

  /// Takes bytes as long as they fit `condition`; there may be none.
  mutating func take(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
    let start = position
    while let byte = next, condition(byte) { position += 1 }
    return bytes[start..<position]
  }

  /// Takes a token; nil where none stands.
  mutating func token() -> ArraySlice<UInt8>? {
    let token = take(while: \.isTokenByte)
    return token.isEmpty ? nil : token
  }

  /// Takes a quoted string and gives its content, unescaped; nil where none stands or it has no end.
  mutating func quotedString() -> [UInt8]? {
    guard take(UInt8(ascii: "\"")) else { return nil }
    var content: [UInt8] = []
    while let byte = next {
      position += 1
      switch byte {
      case UInt8(ascii: "\""):
        return content
      case UInt8(ascii: "\\"):
        guard let escaped = next else { return nil }
        content.append(escaped)
        position += 1
      default:
        content.append(byte)
      }
    }
    return nil
  }

  /// Takes a token or a quoted string.
  mutating func word() -> [UInt8]? {
    next == UInt8(ascii: "\"") ? quotedString() : token().map(Array.init)
  }

  /// Takes `; name=value` behind a list's element; nil, and nothing taken, where something else or nothing stands.
  ///
  /// A name without a value has an empty one. Empty parameters (`;;`) are passed over.
  mutating func parameter() -> (name: ArraySlice<UInt8>, value: [UInt8])? {
    let start = position
    skipSpace()
    guard take(UInt8(ascii: ";")) else {
      position = start
      return nil
    }
    repeat { skipSpace() } while take(UInt8(ascii: ";"))
    if isAtElementEnd { return (bytes[position..<position], []) }
    guard let name = token(), let parameter = valueBehind(name) else {
      position = start
      return nil
    }
    return parameter
  }

  /// Takes `= value` behind a name, white space around it allowed; nil where the value is missing.
  mutating func valueBehind(_ name: ArraySlice<UInt8>) -> (name: ArraySlice<UInt8>, value: [UInt8])? {
    let end = position
    skipSpace()
    guard take(UInt8(ascii: "=")) else {
      position = end
      return (name, [])
    }
    skipSpace()
    return word().map { (name, $0) }
  }

  /// Whether, white space aside, the element of a list ends here.
  var isAtElementEnd: Bool {
    var ahead = self
    ahead.skipSpace()
    return ahead.isAtEnd || ahead.next == UInt8(ascii: ",")
  }

  /// Goes to the next element of a list that is not empty; false at the end.
  mutating func nextElement() -> Bool {
    while let byte = next, byte == 32 || byte == 9 || byte == UInt8(ascii: ",") { position += 1 }
    return !isAtEnd
  }

  /// Passes over what is left of an element that cannot be read, up to its comma.
  mutating func skipElement() {
    while let byte = next, byte != UInt8(ascii: ",") {
      if byte == UInt8(ascii: "\"") {
        if quotedString() == nil { position = bytes.endIndex }
      } else {
        position += 1
      }
    }
  }
}

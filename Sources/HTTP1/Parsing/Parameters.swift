/// The syntax that chunk extensions and transfer parameters share (RFC 9112 §7, §7.1.1).
enum Parameters {
  /// Whether `bytes` is `*( BWS ";" BWS token [ BWS "=" BWS ( token / quoted-string ) ] )`, part of a scanned line.
  ///
  /// O(n).
  static func areValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var index = 0
    while index < bytes.count {
      skipBlanks(bytes, &index)
      guard skip(UInt8(ascii: ";"), bytes, &index) else { return false }
      skipBlanks(bytes, &index)
      guard skipToken(bytes, &index) else { return false }
      let end = index
      skipBlanks(bytes, &index)
      guard skip(UInt8(ascii: "="), bytes, &index) else {
        // Blanks are allowed before what follows, not at the end.
        index = end
        continue
      }
      skipBlanks(bytes, &index)
      guard skipQuoted(bytes, &index) || skipToken(bytes, &index) else { return false }
    }
    return true
  }

  private static func skip(_ byte: UInt8, _ bytes: UnsafeRawBufferPointer, _ index: inout Int) -> Bool {
    guard index < bytes.count, bytes[index] == byte else { return false }
    index += 1
    return true
  }

  private static func skipBlanks(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) {
    while index < bytes.count, bytes[index].isBlank { index += 1 }
  }

  private static func skipToken(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) -> Bool {
    let start = index
    while index < bytes.count, ByteSet.token.contains(bytes[index]) { index += 1 }
    return index > start
  }

  /// Skips a quoted string; the index of one that does not end is past the bytes.
  private static func skipQuoted(_ bytes: UnsafeRawBufferPointer, _ index: inout Int) -> Bool {
    guard skip(UInt8(ascii: "\""), bytes, &index) else { return false }
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index += 1
        return true
      case UInt8(ascii: "\\"): index += 2
      default: index += 1
      }
    }
    return false
  }
}

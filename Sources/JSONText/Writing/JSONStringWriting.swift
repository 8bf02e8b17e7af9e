extension Array where Element == UInt8 {
  /// Appends `string`, which is UTF-8, as a JSON string with its quotes; O(n).
  ///
  /// Only what must be is escaped (RFC 8259 §7): `"`, `\` and controls below U+0020, these as `\b \f \n \r \t`
  /// or `\u00XX`. Everything else stays as it is, U+2028 and U+007F too.
  public mutating func append(jsonString string: Bytes) {
    string.withUnsafeBytes { append(jsonString: $0) }
  }

  /// Appends UTF-8 as a JSON string with its quotes; as `append(jsonString:)` of `Bytes`; O(n).
  public mutating func append(jsonString string: UnsafeBufferPointer<UInt8>) {
    append(ASCII.quote)
    if let base = string.baseAddress {
      var position = 0
      while true {
        let writableEnd = WordScan.endOfWritable(base, from: position, to: string.count)
        append(contentsOf: UnsafeBufferPointer(start: base + position, count: writableEnd &- position))
        guard writableEnd < string.count else { break }
        append(escapeOf: base[writableEnd])
        position = writableEnd &+ 1
      }
    }
    append(ASCII.quote)
  }

  private mutating func append(escapeOf byte: UInt8) {
    append(ASCII.backslash)
    switch byte {
    case 0x08: append(UInt8(ascii: "b"))
    case 0x09: append(UInt8(ascii: "t"))
    case 0x0A: append(UInt8(ascii: "n"))
    case 0x0C: append(UInt8(ascii: "f"))
    case 0x0D: append(UInt8(ascii: "r"))
    case ASCII.quote, ASCII.backslash: append(byte)
    default:
      append(literal: "u00")
      for digit in [byte >> 4, byte & 0xF] {
        append(digit < 10 ? ASCII.zero + digit : UInt8(ascii: "a") + digit - 10)
      }
    }
  }
}

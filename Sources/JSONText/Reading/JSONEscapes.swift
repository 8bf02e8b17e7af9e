/// The escapes inside a JSON string (RFC 8259 §7).
enum JSONEscapes {
  /// The UTF-8 that `raw`, a string's contents without its quotes, stands for; O(n).
  static func unescaped(_ raw: UnsafeBufferPointer<UInt8>) -> [UInt8] {
    guard let base = raw.baseAddress else { return [] }
    var output: [UInt8] = []
    output.reserveCapacity(raw.count)
    var position = 0
    while position < raw.count {
      let plainEnd = WordScan.endOfUnescaped(base, from: position, to: raw.count)
      output.append(contentsOf: raw[position..<plainEnd])
      position = plainEnd
      guard position &+ 1 < raw.count else { break }
      let escape = raw[position &+ 1]
      position &+= 2
      switch escape {
      case UInt8(ascii: "b"): output.append(0x08)
      case UInt8(ascii: "f"): output.append(0x0C)
      case UInt8(ascii: "n"): output.append(0x0A)
      case UInt8(ascii: "r"): output.append(0x0D)
      case UInt8(ascii: "t"): output.append(0x09)
      case UInt8(ascii: "u"): appendScalar(of: raw, at: &position, to: &output)
      default: output.append(escape)
      }
    }
    return output
  }

  /// Appends the scalar whose four digits, after `\u`, begin at `position`; takes a second half along.
  private static func appendScalar(
    of raw: UnsafeBufferPointer<UInt8>, at position: inout Int, to output: inout [UInt8]
  ) {
    var value = codeUnit(of: raw, at: position)
    position = min(position &+ 4, raw.count)
    if value & 0xFC00 == 0xD800 {
      // Validated text has the second half's `\uXXXX` right here.
      value = 0x10000 &+ ((value & 0x3FF) << 10 | codeUnit(of: raw, at: position &+ 2) & 0x3FF)
      position = min(position &+ 6, raw.count)
    }
    let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
    output.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  private static func codeUnit(of raw: UnsafeBufferPointer<UInt8>, at start: Int) -> UInt32 {
    guard start &+ 4 <= raw.count else { return 0xFFFD }
    var unit: UInt32 = 0
    for index in start..<(start &+ 4) {
      unit = unit << 4 | (ASCII.hexadecimalValue(raw[index]) ?? 0)
    }
    return unit
  }
}

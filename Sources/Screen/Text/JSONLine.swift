import JSONText

extension JSONValue {
  /// The value on one line with a line feed at its end, fit for a terminal: DEL and the controls of C1, which JSON lets
  /// stand, are written as escapes (`\u009b`).
  ///
  /// It says the same, and everything else stays byte for byte. O(n).
  public var line: [UInt8] {
    let text = minified().text
    var line: [UInt8] = []
    line.reserveCapacity(text.count + 1)
    text.withUnsafeBytes { bytes in
      var index = 0
      while index < bytes.count {
        let byte = bytes[index]
        index += 1
        // In UTF-8 the controls of C1 are C2 80 to C2 9F.
        if byte == 0xC2, index < bytes.count, bytes[index] < 0xA0 {
          line.append(escapeOf: bytes[index])
          index += 1
        } else if byte == 0x7F {
          line.append(escapeOf: byte)
        } else {
          line.append(byte)
        }
      }
    }
    line.append(UInt8(ascii: "\n"))
    return line
  }
}

extension [UInt8] {
  fileprivate mutating func append(escapeOf control: UInt8) {
    let digits = String(control, radix: 16)
    self += Array("\\u00\(digits)".utf8)
  }
}

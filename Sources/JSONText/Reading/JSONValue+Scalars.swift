extension JSONValue {
  /// The unescaped UTF-8 of a string; nil for other kinds; O(n), without a copy where there are no escapes.
  public var string: Bytes? {
    guard kind == .string else { return nil }
    return text.withUnsafeBytes { bytes in
      var cursor = JSONCursor(bytes)
      return unescaped(cursor.string(), in: bytes)
    }
  }

  /// The exact value of a number that is written as an integer and fits; else nil.
  ///
  /// `-0` is 0; `1.0` and `1e2` have a fraction or an exponent and are no integers here.
  public var integer: Int? {
    guard kind == .number else { return nil }
    return text.withUnsafeBytes { bytes in
      let isNegative = bytes.first == ASCII.minus
      let digits = isNegative ? bytes.dropFirst() : bytes[...]
      var value = 0
      for byte in digits {
        guard ASCII.isDigit(byte) else { return nil }
        // Counted downwards, as the least integer has no positive counterpart.
        let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
        let (lowered, underflow) = shifted.subtractingReportingOverflow(Int(byte &- ASCII.zero))
        guard !overflow, !underflow else { return nil }
        value = lowered
      }
      if isNegative { return value }
      let (positive, overflow) = (0).subtractingReportingOverflow(value)
      return overflow ? nil : positive
    }
  }

  /// The number nearest to what is written; nil for other kinds and beyond the finite range.
  public var double: Double? {
    guard kind == .number, let value = Double(text.string), value.isFinite else { return nil }
    return value
  }

  /// `true` or `false`; nil for other kinds; O(1).
  public var bool: Bool? {
    guard kind == .bool else { return nil }
    return text[0] == UInt8(ascii: "t")
  }
}

/// What the writers here append to.
extension Array where Element == UInt8 {
  /// Appends a literal without making a string.
  ///
  /// O(n).
  @inline(__always)
  mutating func append(text: StaticString) {
    append(contentsOf: text.bytes)
  }

  /// Appends a number, 0 or more, in digits of `radix` 10 or 16 (lower case).
  ///
  /// O(digits).
  mutating func append(number: Int, radix: Int = 10) {
    // From the last digit to the first, in eight bytes at a time: one append for most numbers.
    var rest = Swift.max(number, 0)
    var word: UInt64 = 0
    var digits = 0
    repeat {
      let digit = UInt64(radix == 16 ? rest & 15 : rest % 10)
      word = word << 8 | (digit < 10 ? 0x30 + digit : 0x57 + digit)
      digits += 1
      rest = radix == 16 ? rest >> 4 : rest / 10
    } while rest > 0 && digits < 8
    if rest > 0 { append(number: rest, radix: radix) }
    Swift.withUnsafeBytes(of: word.littleEndian) { append(contentsOf: $0[..<digits]) }
  }

  /// Appends a number below 10 to the power of `digits` with leading zeros.
  mutating func append(number: Int, digits: Int) {
    let start = count
    var rest = Swift.max(number, 0)
    for _ in 0..<digits {
      append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    }
    self[start...].reverse()
  }
}

extension StaticString {
  /// The UTF-8 of a literal, where it lies in the program.
  @inline(__always)
  var bytes: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
  }
}

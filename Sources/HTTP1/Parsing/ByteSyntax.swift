/// Bytes with names, where a character literal would say less.
extension UInt8 {
  static var tab: UInt8 { 0x09 }
  static var lineFeed: UInt8 { 0x0a }
  static var carriageReturn: UInt8 { 0x0d }
  static var space: UInt8 { 0x20 }

  /// This byte, in lower case where it is an ASCII capital.
  @inline(__always)
  var lowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }

  /// Whether this is `OWS` (RFC 9110 §5.6.3).
  @inline(__always)
  var isBlank: Bool { self == .space || self == .tab }

  /// The value of a decimal digit, else nil.
  @inline(__always)
  var decimalDigit: UInt8? {
    let value = self &- UInt8(ascii: "0")
    return value < 10 ? value : nil
  }

  /// The value of a hexadecimal digit of either case, else nil.
  @inline(__always)
  var hexadecimalDigit: UInt8? {
    if let decimalDigit { return decimalDigit }
    let value = lowercased &- UInt8(ascii: "a")
    return value < 6 ? value + 10 : nil
  }
}

extension UnsafeRawBufferPointer {
  /// The bytes of `range`, which lies inside, counted from 0.
  @inline(__always)
  subscript(part range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[range])
  }

  /// Leaves out the first `count` bytes, of which there are that many.
  @inline(__always)
  mutating func drop(_ count: Int) {
    self = self[part: count..<self.count]
  }

  /// `range` without the blanks at both its ends.
  ///
  /// O(blanks).
  @inline(__always)
  func trimmed(_ range: Range<Int>) -> Range<Int> {
    var (lower, upper) = (range.lowerBound, range.upperBound)
    while lower < upper, self[lower].isBlank { lower += 1 }
    while lower < upper, self[upper - 1].isBlank { upper -= 1 }
    return lower..<upper
  }

  /// Whether these bytes are `word`, which is in lower case, but for the case of ASCII letters.
  ///
  /// O(n).
  @inline(__always)
  func isCaseInsensitively(_ word: StaticString) -> Bool {
    guard count == word.utf8CodeUnitCount else { return false }
    for index in 0..<count where self[index].lowercased != word.utf8Start[index] { return false }
    return true
  }

  /// The elements of a comma-separated list (RFC 9110 §5.6.1), trimmed; empty ones are given too.
  func forEachListElement<E: Error>(_ body: (UnsafeRawBufferPointer) throws(E) -> Void) throws(E) {
    var start = 0
    while true {
      var end = start
      while end < count, self[end] != UInt8(ascii: ",") { end += 1 }
      try body(self[part: trimmed(start..<end)])
      guard end < count else { return }
      start = end + 1
    }
  }
}

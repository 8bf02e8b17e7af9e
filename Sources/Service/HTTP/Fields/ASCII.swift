import Glibc
import JSONText

/// Bytes read as ASCII: the only case folding that HTTP knows.
extension UInt8 {
  /// `A`–`Z` as `a`–`z`, every other byte as it is.
  @inline(__always) var lowercased: UInt8 { self >= 65 && self <= 90 ? self | 0x20 : self }

  @inline(__always) var isDigit: Bool { self >= 48 && self <= 57 }

  @inline(__always) var isLetterOrDigit: Bool { isDigit || (lowercased >= 97 && lowercased <= 122) }

  /// The value of a hexadecimal digit; nil for other bytes.
  @inline(__always) var hexValue: UInt8? {
    switch self {
    case 48...57: self - 48
    case 65...70: self - 55
    case 97...102: self - 87
    default: nil
    }
  }

  /// Whether it may stand in a token (RFC 9110 §5.6.2).
  var isTokenByte: Bool {
    switch self {
    case 33, 35, 36, 37, 38, 39, 42, 43, 45, 46, 94, 95, 96, 124, 126: true
    default: isLetterOrDigit
    }
  }

}

extension StaticString {
  @inline(__always) var buffer: UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount)
  }
}

extension ArraySlice where Element == UInt8 {
  /// Whether these bytes are `literal`, whose letters are lower case, in any case.
  ///
  /// O(n).
  func equals(ignoringCase literal: StaticString) -> Bool {
    guard count == literal.utf8CodeUnitCount else { return false }
    return withUnsafeBufferPointer { bytes in
      for index in bytes.indices where bytes[index].lowercased != literal.utf8Start[index] { return false }
      return true
    }
  }

  /// Whether both are the same but for the case of their letters.
  ///
  /// O(n).
  func equals(ignoringCase other: ArraySlice<UInt8>) -> Bool {
    count == other.count && zip(self, other).allSatisfy { $0.lowercased == $1.lowercased }
  }

  /// Without spaces and tabs at either end (OWS, RFC 9110 §5.6.3).
  ///
  /// O(n).
  var trimmed: ArraySlice<UInt8> {
    var slice = self
    while let byte = slice.first, byte == 32 || byte == 9 { slice = slice.dropFirst() }
    while let byte = slice.last, byte == 32 || byte == 9 { slice = slice.dropLast() }
    return slice
  }
}

/// A number that is written in digits alone; nil for anything else, no digits included.
///
/// Numbers above `Int.decimalCeiling` become that: nothing that is counted here comes near it, and sums of two such
/// numbers still fit. O(n).
func decimal(_ digits: some Collection<UInt8>) -> Int? {
  guard !digits.isEmpty else { return nil }
  var value = 0
  for digit in digits {
    guard digit.isDigit else { return nil }
    value = min(value * 10 + Int(digit - 48), Int.decimalCeiling)
  }
  return value
}

extension Int {
  /// The most that a number in a request counts for: 2⁵³ − 1, the greatest that every JSON reader can hold.
  static let decimalCeiling = 9_007_199_254_740_991
}

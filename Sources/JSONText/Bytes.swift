import Glibc

/// An immutable run of bytes inside shared storage.
///
/// Rows, ids, names and documents are kept as `Bytes`: many slices share one allocation, copies are O(1), and
/// equality and hashing go byte by byte (Swift's `String ==` folds é and é, which no id or name here may do).
/// A slice keeps its whole storage alive; `compacted()` cuts it loose. Storage is at most 4 GiB.
public struct Bytes: Sendable {
  /// The shared storage; this value is `storage[lower..<upper]`.
  public let storage: [UInt8]
  @usableFromInline let lower: UInt32
  @usableFromInline let upper: UInt32

  /// No bytes.
  public static let empty = Bytes([])

  /// All of `array`, shared and not copied.
  ///
  /// Traps beyond 4 GiB, which no input limit here allows.
  @inlinable
  public init(_ array: [UInt8]) {
    storage = array
    lower = 0
    upper = UInt32(array.count)
  }

  /// The UTF-8 of `string`; O(n).
  public init(_ string: some StringProtocol) {
    self.init(Array(string.utf8))
  }

  /// `storage[range]`, shared and not copied.
  ///
  /// The range lies within the storage.
  @inlinable
  public init(sharing storage: [UInt8], in range: Range<Int>) {
    precondition(range.lowerBound >= 0 && range.upperBound <= storage.count, "range outside its storage")
    self.storage = storage
    lower = UInt32(range.lowerBound)
    upper = UInt32(range.upperBound)
  }

  /// The number of bytes.
  @inlinable public var count: Int { Int(upper &- lower) }

  /// Whether there are none.
  @inlinable public var isEmpty: Bool { lower == upper }

  /// Where these bytes lie in `storage`.
  @inlinable public var storageRange: Range<Int> { Int(lower)..<Int(upper) }

  /// The byte at `index`, counted from 0 at the start of this slice.
  @inlinable
  public subscript(index: Int) -> UInt8 {
    precondition(index >= 0 && index < count, "index outside the bytes")
    return storage[Int(lower) + index]
  }

  /// A part of this slice, indexed from 0 at its start, in the same storage; O(1).
  @inlinable
  public subscript(range: Range<Int>) -> Bytes {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside the bytes")
    return Bytes(
      sharing: storage, in: (Int(lower) + range.lowerBound)..<(Int(lower) + range.upperBound))
  }

  /// Lends the bytes for the time of `body`.
  @inlinable @inline(__always)
  public func withUnsafeBytes<R, E: Error>(_ body: (UnsafeBufferPointer<UInt8>) throws(E) -> R) throws(E) -> R
  {
    let range = storageRange
    return try storage.withUnsafeBufferPointer { (whole) throws(E) -> R in
      try body(UnsafeBufferPointer(rebasing: whole[range]))
    }
  }

  /// A copy in storage of its own, new even where it is the whole of its storage; O(n).
  public func copied() -> Bytes {
    Bytes(
      Array(unsafeUninitializedCapacity: count) { target, size in
        withUnsafeBytes { size = target.update(fromContentsOf: $0) }
      })
  }

  /// A copy that owns exactly its own bytes; O(n).
  public func compacted() -> Bytes {
    count == storage.count ? self : copied()
  }

  /// The bytes as an array; O(1) where they are the whole storage, else O(n).
  public var array: [UInt8] {
    count == storage.count ? storage : Array(storage[storageRange])
  }

  /// The bytes read as UTF-8, ill-formed parts replaced; O(n).
  ///
  /// For people and logs, never for comparing.
  public var string: String {
    withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }
}

extension Bytes: Hashable {
  /// Byte by byte; O(n).
  @inlinable
  public static func == (a: Bytes, b: Bytes) -> Bool {
    guard a.count == b.count else { return false }
    return a.withUnsafeBytes { left in b.withUnsafeBytes { left.hasSameBytes(as: $0) } }
  }

  /// O(n).
  @inlinable
  public func hash(into hasher: inout Hasher) {
    withUnsafeBytes { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension Bytes: ExpressibleByStringLiteral, CustomStringConvertible {
  /// The UTF-8 of a literal.
  public init(stringLiteral value: String) {
    self.init(value)
  }

  /// The same as `string`.
  public var description: String { string }
}

extension UnsafeBufferPointer where Element == UInt8 {
  /// Whether both have the same bytes; O(n).
  @inlinable
  func hasSameBytes(as other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    guard let start = baseAddress, let otherStart = other.baseAddress else { return true }
    return memcmp(start, otherStart, count) == 0
  }
}

extension Array where Element == UInt8 {
  /// Appends the bytes of a slice; O(n).
  @inlinable
  public mutating func append(_ bytes: Bytes) {
    bytes.withUnsafeBytes { append(contentsOf: $0) }
  }

  /// Appends the UTF-8 of a literal without making a string; O(n).
  @inlinable
  public mutating func append(literal: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  /// Appends a number in decimal digits; O(digits).
  public mutating func append(decimal value: Int) {
    if value < 0 { append(UInt8(ascii: "-")) }
    append(decimal: value.magnitude)
  }

  /// From the last digit to the first, in eight bytes at a time: one append for most numbers.
  private mutating func append(decimal value: UInt) {
    var rest = value
    let digits = DecimalDigits(takingFrom: &rest)
    if rest > 0 { append(decimal: rest) }
    Swift.withUnsafeBytes(of: digits.word) { append(contentsOf: $0[..<digits.count]) }
  }
}

extension Bytes {
  /// The bytes of a literal; O(n).
  public init(_ literal: StaticString) {
    self.init(Array(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount)))
  }

  /// Whether these are the bytes of a literal; O(n).
  public func equals(_ literal: StaticString) -> Bool {
    count == literal.utf8CodeUnitCount
      && withUnsafeBytes {
        $0.hasSameBytes(as: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
      }
  }
}

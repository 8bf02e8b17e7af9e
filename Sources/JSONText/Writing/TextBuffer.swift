/// Bytes being put together: what documents are written into before they become arrays.
///
/// An array's own appends cost some hundred instructions each where the length is not known to the compiler, and
/// answers are made of dozens of short pieces: this buffer appends in a bounds check and a copy. It owns one block of
/// memory, which `deinit` frees; nothing hands out a pointer to it, and every write is checked against its capacity.
public struct TextBuffer: ~Copyable {
  @usableFromInline var base: UnsafeMutablePointer<UInt8>
  @usableFromInline var capacity: Int
  @usableFromInline var written = 0

  /// The number of bytes written.
  @inlinable public var count: Int { written }

  /// An empty buffer with room for `capacity` bytes; it grows by doubling.
  public init(capacity: Int = 256) {
    self.capacity = max(capacity, 16)
    base = .allocate(capacity: self.capacity)
  }

  deinit { base.deallocate() }

  /// The bytes, in an array of exactly their size; O(n).
  public consuming func array() -> [UInt8] {
    [UInt8](UnsafeBufferPointer(start: base, count: written))
  }

  /// Gives the bytes out and is empty again, with the room that it has; O(n).
  public mutating func take() -> [UInt8] {
    defer { written = 0 }
    return [UInt8](UnsafeBufferPointer(start: base, count: written))
  }

  /// Appends one byte.
  @inlinable @inline(__always)
  public mutating func append(_ byte: UInt8) {
    if written == capacity { grow(by: 1) }
    base[written] = byte
    written &+= 1
  }

  /// Appends the UTF-8 of a literal; O(n).
  @inlinable @inline(__always)
  public mutating func append(literal: StaticString) {
    append(UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
  }

  /// Appends bytes; O(n).
  @inlinable @inline(__always)
  public mutating func append(_ bytes: Bytes) {
    bytes.withUnsafeBytes { append($0) }
  }

  /// Appends bytes; O(n).
  @inlinable @inline(__always)
  public mutating func append(_ bytes: [UInt8]) {
    bytes.withUnsafeBufferPointer { append($0) }
  }

  /// Appends bytes; O(n).
  @inlinable @inline(__always)
  public mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress else { return }
    if capacity &- written < bytes.count { grow(by: bytes.count) }
    (base + written).update(from: source, count: bytes.count)
    written &+= bytes.count
  }

  /// Appends a number in decimal digits; O(digits).
  public mutating func append(decimal value: Int) {
    if value < 0 { append(UInt8(ascii: "-")) }
    append(decimal: value.magnitude)
  }

  /// From the last digit to the first, in eight bytes at a time: one copy for most numbers.
  private mutating func append(decimal value: UInt) {
    var rest = value
    let digits = DecimalDigits(takingFrom: &rest)
    if rest > 0 { append(decimal: rest) }
    if capacity &- written < 8 { grow(by: 8) }
    UnsafeMutableRawPointer(base + written).storeBytes(of: digits.word, as: UInt64.self)
    written &+= digits.count
  }

  /// Appends the last `width` decimal digits of a number, 0 or more, with zeros in front.
  public mutating func append(digits width: Int, of value: Int) {
    if capacity - written < width { grow(by: width) }
    var rest = value
    for place in (written..<written + width).reversed() {
      base[place] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    written += width
  }

  /// Appends a string as JSON, with its quotes and escapes; O(n).
  public mutating func append(jsonString string: Bytes) {
    let isPlain = string.withUnsafeBytes { bytes in
      bytes.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    }
    if isPlain {
      append(UInt8(ascii: "\""))
      append(string)
      append(UInt8(ascii: "\""))
    } else {
      var escaped: [UInt8] = []
      escaped.append(jsonString: string)
      append(escaped)
    }
  }

  @usableFromInline @inline(never)
  mutating func grow(by amount: Int) {
    let (needed, overflow) = written.addingReportingOverflow(amount)
    precondition(!overflow, "more bytes than can be counted")
    let larger = max(needed, capacity * 2)
    let block = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    block.update(from: base, count: written)
    base.deallocate()
    base = block
    capacity = larger
  }
}

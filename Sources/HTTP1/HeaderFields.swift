/// Header fields in the order in which they came: one byte array and the places of names and values in it.
///
/// Values are bytes without the blanks around them. They are never made into strings, so nothing is folded.
public struct HeaderFields: Sendable {
  /// Where a name and its value stand in the bytes.
  struct Entry: Sendable {
    let name: Range<UInt32>
    let value: Range<UInt32>

    /// Places below 4 GiB, which the parser's limit and the memory of tests both keep.
    @inline(__always)
    init(name: Range<Int>, value: Range<Int>) {
      self.name = UInt32(name.lowerBound)..<UInt32(name.upperBound)
      self.value = UInt32(value.lowerBound)..<UInt32(value.upperBound)
    }
  }

  /// Names and values, and whatever stood between them.
  private var bytes: [UInt8] = []
  private var entries: [Entry] = []
  /// Bit n is set where a name of n bytes is there, the last bit for all that are longer: most fields that are asked
  /// for are not there, and this tells it of nearly all of them at once.
  private var lengths: UInt64 = 0

  /// No fields.
  public init() {}

  /// Fields of strings, for tests and for requests that no parser made.
  public init(_ fields: [(name: String, value: String)]) {
    for field in fields {
      let start = bytes.count
      bytes += field.name.utf8
      let middle = bytes.count
      bytes += field.value.utf8
      entries.append(Entry(name: start..<middle, value: middle..<bytes.count))
    }
    lengths = Self.lengths(of: entries)
  }

  /// Fields that a parser has found in `bytes`.
  init(bytes: [UInt8], entries: [Entry]) {
    self.bytes = bytes
    self.entries = entries
    lengths = Self.lengths(of: entries)
  }

  private static func lengths(of entries: [Entry]) -> UInt64 {
    var lengths: UInt64 = 0
    for index in entries.indices { lengths |= bit(entries[index].name.count) }
    return lengths
  }

  @inline(__always)
  private static func bit(_ length: Int) -> UInt64 { 1 << UInt64(min(length, 63)) }

  /// The number of field lines.
  public var count: Int { entries.count }

  /// The name as it was sent and the value of the field at `index`, counted from 0.
  public subscript(index: Int) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>) {
    (slice(entries[index].name), slice(entries[index].value))
  }

  /// The value of the first field named `name` (lower case), compared without case; nil where there is none.
  ///
  /// O(fields); shares the bytes.
  public func first(_ name: StaticString) -> ArraySlice<UInt8>? {
    index(of: name, from: 0).map { slice(entries[$0].value) }
  }

  /// The values of all fields named `name` (lower case), in order.
  ///
  /// O(fields); shares the bytes.
  public func all(_ name: StaticString) -> [ArraySlice<UInt8>] {
    var values: [ArraySlice<UInt8>] = []
    var next = 0
    while let index = index(of: name, from: next) {
      values.append(slice(entries[index].value))
      next = index + 1
    }
    return values
  }

  /// Whether more than one field is named `name` (lower case).
  ///
  /// O(fields), without an allocation.
  public func isRepeated(_ name: StaticString) -> Bool {
    guard let first = index(of: name, from: 0) else { return false }
    return index(of: name, from: first + 1) != nil
  }

  private func slice(_ range: Range<UInt32>) -> ArraySlice<UInt8> {
    bytes[Int(range.lowerBound)..<Int(range.upperBound)]
  }

  /// The first field named `name` at `start` or behind it.
  private func index(of name: StaticString, from start: Int) -> Int? {
    let length = name.utf8CodeUnitCount
    guard lengths & Self.bit(length) != 0 else { return nil }
    return bytes.withUnsafeBytes { bytes in
      for index in start..<entries.count where entries[index].name.count == length {
        let lower = Int(entries[index].name.lowerBound)
        if bytes[part: lower..<lower + length].isCaseInsensitively(name) { return index }
      }
      return nil
    }
  }
}

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
  }

  /// Fields that a parser has found in `bytes`.
  init(bytes: [UInt8], entries: [Entry]) {
    self.bytes = bytes
    self.entries = entries
  }

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
    for entry in entries where isNamed(name, entry) { return slice(entry.value) }
    return nil
  }

  /// The values of all fields named `name` (lower case), in order.
  ///
  /// O(fields); shares the bytes.
  public func all(_ name: StaticString) -> [ArraySlice<UInt8>] {
    var values: [ArraySlice<UInt8>] = []
    for entry in entries where isNamed(name, entry) { values.append(slice(entry.value)) }
    return values
  }

  /// Whether more than one field is named `name` (lower case).
  ///
  /// O(fields), without an allocation.
  public func isRepeated(_ name: StaticString) -> Bool {
    var seen = false
    for entry in entries where isNamed(name, entry) {
      if seen { return true }
      seen = true
    }
    return false
  }

  private func slice(_ range: Range<UInt32>) -> ArraySlice<UInt8> {
    bytes[Int(range.lowerBound)..<Int(range.upperBound)]
  }

  @inline(__always)
  private func isNamed(_ name: StaticString, _ entry: Entry) -> Bool {
    guard entry.name.count == name.utf8CodeUnitCount else { return false }
    return bytes.withUnsafeBytes {
      $0[part: Int(entry.name.lowerBound)..<Int(entry.name.upperBound)].isCaseInsensitively(name)
    }
  }
}

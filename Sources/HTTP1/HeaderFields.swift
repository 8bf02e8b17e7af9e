/// Header fields in the order in which they came: one byte array and the places of names and values in it.
public struct HeaderFields: Sendable {
  var bytes: [UInt8] = []
  var entries: [Entry] = []

  struct Entry: Sendable {
    var name: Range<Int>
    var value: Range<Int>
  }

  /// No fields.
  public init() {}

  /// Fields of strings, for tests and for requests that no parser made.
  public init(_ fields: [(name: String, value: String)]) {
    for field in fields { append(name: Array(field.name.utf8), value: Array(field.value.utf8)) }
  }

  mutating func append(name: [UInt8], value: [UInt8]) {
    let start = bytes.count
    bytes += name
    let middle = bytes.count
    bytes += value
    entries.append(Entry(name: start..<middle, value: middle..<bytes.count))
  }

  /// The number of field lines.
  public var count: Int { entries.count }

  /// The value of the first field named `name` (lower case), compared without case; nil where there is none.
  public func first(_ name: StaticString) -> ArraySlice<UInt8>? {
    entries.first { matches($0, name) }.map { bytes[$0.value] }
  }

  /// The values of all fields named `name` (lower case), in order.
  public func all(_ name: StaticString) -> [ArraySlice<UInt8>] {
    entries.filter { matches($0, name) }.map { bytes[$0.value] }
  }

  private func matches(_ entry: Entry, _ name: StaticString) -> Bool {
    guard entry.name.count == name.utf8CodeUnitCount else { return false }
    let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
    for (offset, index) in entry.name.enumerated() {
      let byte = bytes[index]
      let lower = byte >= 65 && byte <= 90 ? byte | 0x20 : byte
      if lower != wanted[offset] { return false }
    }
    return true
  }
}

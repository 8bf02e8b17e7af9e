import JSONText

/// A row's data with the reads that a typed cell needs, each of which says what is wrong where it fails.
///
/// Numbers and strings are read from the text as it came; nothing is converted from one kind to another.
public struct CellData: Sendable {
  /// The data itself, for what has no read of its own.
  public let json: JSONValue

  /// The data of a row.
  public init(_ json: JSONValue) { self.json = json }

  /// A string that must be there.
  public func string(_ name: Bytes) throws(CellFault) -> String {
    try required(name, "a string", stringIfPresent(name))
  }

  /// A whole number that must be there.
  public func integer(_ name: Bytes) throws(CellFault) -> Int {
    try required(name, "a whole number", read(name, "a whole number") { $0.integer })
  }

  /// A finite number that must be there.
  public func number(_ name: Bytes) throws(CellFault) -> Double {
    try required(name, "a number", read(name, "a number") { $0.double })
  }

  /// A truth value that must be there.
  public func bool(_ name: Bytes) throws(CellFault) -> Bool {
    try required(name, "true or false", read(name, "true or false") { $0.bool })
  }

  /// A string; nil where it is absent or null.
  public func stringIfPresent(_ name: Bytes) throws(CellFault) -> String? {
    try read(name, "a string") { $0.string?.string }
  }

  /// Any member as `convert` reads it; nil where it is absent or null; O(data).
  ///
  /// - Throws: where it is there and `convert` gives nil; `expected` then says what would have been right.
  public func read<Value>(
    _ name: Bytes, _ expected: String, _ convert: (JSONValue) -> Value?
  ) throws(CellFault) -> Value? {
    guard let member = json.member(name), member.kind != .null else { return nil }
    return try required(name, expected, convert(member))
  }

  private func required<Value>(
    _ name: Bytes, _ expected: String, _ value: Value?
  ) throws(CellFault) -> Value {
    guard let value else { throw CellFault(member: name, expected: expected) }
    return value
  }
}

/// A row's data is not what its cell needs.
///
/// A table can see to it that this never happens: `cells.X.required` in its configuration.
public struct CellFault: Error, Equatable, Sendable {
  /// The member at fault.
  public let member: Bytes
  /// What should be there, such as `a string`.
  public let expected: String

  /// A fault of a member.
  public init(member: Bytes, expected: String) {
    self.member = member
    self.expected = expected
  }
}

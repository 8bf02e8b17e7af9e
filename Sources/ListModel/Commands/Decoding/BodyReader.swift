import JSONText

/// Reads one JSON object of a command's body, member by member, and at the end refuses what nobody asked for.
struct BodyReader {
  /// Where the object stands in the body.
  let pointer: JSONPointer
  private var members: [(name: Bytes, value: JSONValue)] = []

  /// - Parameter value: the object; nil for a body that was left out, which reads as `{}`.
  init(_ value: JSONValue?, at pointer: JSONPointer, code: Refusal.Code = .invalidBody) throws(Refusal) {
    self.pointer = pointer
    guard let value else { return }
    guard value.kind == .object else { throw Refusal(code, at: pointer, "an object was expected") }
    value.forEachMember { members.append(($0, $1)) }
  }

  /// Takes a member out; nil where it is not there.
  mutating func take(_ name: Bytes) -> JSONValue? {
    members.firstIndex { $0.name == name }.map { members.remove(at: $0).value }
  }

  /// Takes a boolean out.
  mutating func takeBool(_ name: Bytes, default fallback: Bool) throws(Refusal) -> Bool {
    guard let value = take(name) else { return fallback }
    guard let bool = value.bool else { throw refusal(name, "true or false was expected") }
    return bool
  }

  /// Takes a string out.
  mutating func takeString(_ name: Bytes) throws(Refusal) -> Bytes? {
    guard let value = take(name) else { return nil }
    guard let string = value.string else { throw refusal(name, "a string was expected") }
    return string
  }

  /// Takes an integer out. One too large for an `Int` reads as the nearest: it is out of any range here.
  mutating func takeInteger(_ name: Bytes) throws(Refusal) -> Int? {
    guard let value = take(name) else { return nil }
    return try BodyReader.integer(value, at: pointer.appending(name))
  }

  /// Takes an array out and calls `body` with each element and its pointer.
  mutating func takeArray<T>(
    _ name: Bytes, _ body: (JSONValue, JSONPointer) throws(Refusal) -> T
  ) throws(Refusal) -> [T]? {
    guard let value = take(name) else { return nil }
    guard value.kind == .array else { throw refusal(name, "an array was expected") }
    let base = pointer.appending(name)
    var result: [T] = []
    for (index, element) in value.elements.enumerated() {
      result.append(try body(element, base.appending(index)))
    }
    return result
  }

  /// Whether a member is there.
  func has(_ name: Bytes) -> Bool { members.contains { $0.name == name } }

  /// Refuses the first member that was not taken.
  func finish() throws(Refusal) {
    if let first = members.first { throw refusal(first.name, "there is no such member here") }
  }

  func refusal(_ name: Bytes, _ detail: String) -> Refusal {
    Refusal(.invalidBody, at: pointer.appending(name), detail)
  }

  /// Exactly one of `names` must be there; gives it.
  func one(of names: [Bytes], orNone isOptional: Bool = false) throws(Refusal) -> Bytes? {
    let present = names.filter(has)
    if present.count > 1 {
      throw refusal(present[1], "this goes not together with \(present[0].string)")
    }
    if present.isEmpty, !isOptional {
      throw Refusal(
        .invalidBody, at: pointer, "one of \(names.map(\.string).joined(separator: ", ")) was expected")
    }
    return present.first
  }

  static func integer(_ value: JSONValue, at pointer: JSONPointer) throws(Refusal) -> Int {
    if let integer = value.integer { return integer }
    guard value.kind == .number, value.isWrittenAsInteger else {
      throw Refusal(.invalidBody, at: pointer, "an integer was expected")
    }
    return value.text.withUnsafeBytes { $0.first == UInt8(ascii: "-") } ? Int.min : Int.max
  }
}

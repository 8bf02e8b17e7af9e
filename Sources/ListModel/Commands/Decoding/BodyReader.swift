import JSONText

/// Reads one JSON object of a command's body, member by member.
///
/// Its refusals point from the object itself; whoever holds the object says where it stands (`Refusal.under`).
struct BodyReader {
  private var members: [(name: Bytes, value: JSONValue)] = []

  /// - Parameter value: the object; nil for a body that was left out, which reads as `{}`.
  init(_ value: JSONValue?, orElse code: Refusal.Code = .invalidBody) throws(Refusal) {
    guard let value else { return }
    guard value.kind == .object else { throw Refusal(code, at: JSONPointer(), "an object was expected") }
    members = value.members
  }

  /// Takes a member out; nil where it is not there; O(members), few.
  mutating func take(_ name: StaticString) -> JSONValue? {
    guard let index = index(of: name) else { return nil }
    return members.remove(at: index).value
  }

  /// Where a member stands; by index, for walking the members would retain each of them at every look.
  private func index(of name: StaticString) -> Int? {
    for index in members.indices where members[index].name.equals(name) { return index }
    return nil
  }

  /// Takes a member out whose name the configuration gives.
  mutating func take(parameter name: Bytes) -> JSONValue? {
    guard let index = members.firstIndex(where: { $0.name == name }) else { return nil }
    return members.remove(at: index).value
  }

  /// Takes a boolean out.
  mutating func takeBool(_ name: StaticString, default fallback: Bool) throws(Refusal) -> Bool {
    guard let value = take(name) else { return fallback }
    guard let bool = value.bool else { throw refusal(name, "true or false was expected") }
    return bool
  }

  /// Takes a string out.
  mutating func takeString(_ name: StaticString) throws(Refusal) -> Bytes? {
    guard let value = take(name) else { return nil }
    guard let string = value.string else { throw refusal(name, "a string was expected") }
    return string
  }

  /// Takes an integer out.
  ///
  /// One too large for an `Int` reads as the nearest: it is out of any range here.
  mutating func takeInteger(_ name: StaticString) throws(Refusal) -> Int? {
    guard let value = take(name) else { return nil }
    do {
      return try BodyReader.integer(value)
    } catch {
      throw error.under([Bytes(name)])
    }
  }

  /// Takes an array out and gives what `read` makes of its elements.
  mutating func takeArray<T>(
    _ name: StaticString, _ read: (JSONValue) throws(Refusal) -> T
  ) throws(Refusal) -> [T]? {
    guard let value = take(name) else { return nil }
    guard value.kind == .array else { throw refusal(name, "an array was expected") }
    var result: [T] = []
    for (index, element) in value.elements.enumerated() {
      do throws(Refusal) {
        result.append(try read(element))
      } catch {
        throw error.under([Bytes(name), Bytes(String(index))])
      }
    }
    return result
  }

  /// Whether a member is there.
  func has(_ name: StaticString) -> Bool { index(of: name) != nil }

  /// Refuses the first member that is none of `names`; asked first, for a name that was mistyped is also one that is
  /// missing.
  func allow(_ names: [StaticString]) throws(Refusal) {
    for index in members.indices where !names.contains(where: { members[index].name.equals($0) }) {
      throw Refusal(
        .invalidBody, at: JSONPointer(tokens: [members[index].name]), "there is no such member here")
    }
  }

  /// The same where the configuration gives the names.
  func allow(parameters: [ParameterDefinition]) throws(Refusal) {
    for member in members where !parameters.contains(where: { member.name == $0.name }) {
      throw Refusal(.invalidBody, at: JSONPointer(tokens: [member.name]), "the table has no such parameter")
    }
  }

  func refusal(_ name: StaticString, _ detail: String) -> Refusal {
    Refusal(.invalidBody, at: JSONPointer(tokens: [Bytes(name)]), detail)
  }

  /// Exactly one of `names` must be there, or none where that is allowed.
  func requireOne(of names: [StaticString], orNone isOptional: Bool = false) throws(Refusal) {
    var present: StaticString?
    for name in names where has(name) {
      if let present { throw refusal(name, "this goes not together with \(present)") }
      present = name
    }
    if present == nil, !isOptional {
      let list = names.map(\.description).joined(separator: ", ")
      throw Refusal(.invalidBody, at: JSONPointer(), "one of \(list) was expected")
    }
  }

  static func integer(_ value: JSONValue) throws(Refusal) -> Int {
    if let integer = value.integer { return integer }
    guard value.kind == .number, value.isWrittenAsInteger else {
      throw Refusal(.invalidBody, at: JSONPointer(), "an integer was expected")
    }
    return value.text.withUnsafeBytes { $0.first == UInt8(ascii: "-") } ? Int.min : Int.max
  }
}

import JSONText

/// Reads one JSON object of a command's body, member by member.
///
/// Its refusals point from the object itself; whoever holds the object says where it stands (`Refusal.under`).
struct BodyReader {
  private let members: JSONMembers

  /// - Parameter value: the object; nil for a body that was left out, which reads as `{}`.
  init(_ value: JSONValue?, orElse code: Refusal.Code = .invalidBody) throws(Refusal) {
    let value = value ?? .emptyObject
    guard value.kind == .object else { throw Refusal(code, at: JSONPointer(), "an object was expected") }
    members = JSONMembers(of: value)
  }

  /// A member; nil where it is not there; O(members), few.
  func member(_ name: StaticString) -> JSONValue? {
    members.index(of: name).map { members.value(at: $0) }
  }

  /// A member whose name the configuration gives.
  func member(parameter name: Bytes) -> JSONValue? {
    members.index(of: name).map { members.value(at: $0) }
  }

  /// A boolean.
  func bool(_ name: StaticString, default fallback: Bool) throws(Refusal) -> Bool {
    guard let value = member(name) else { return fallback }
    guard let bool = value.bool else { throw refusal(name, "true or false was expected") }
    return bool
  }

  /// A string.
  func string(_ name: StaticString) throws(Refusal) -> Bytes? {
    guard let value = member(name) else { return nil }
    guard let string = value.string else { throw refusal(name, "a string was expected") }
    return string
  }

  /// An integer.
  ///
  /// One too large for an `Int` reads as the nearest: it is out of any range here.
  func integer(_ name: StaticString) throws(Refusal) -> Int? {
    guard let value = member(name) else { return nil }
    do {
      return try BodyReader.integer(value)
    } catch {
      throw error.under([Bytes(name)])
    }
  }

  /// What `read` makes of the elements of an array.
  func array<T>(
    _ name: StaticString, _ read: (JSONValue) throws(Refusal) -> T
  ) throws(Refusal) -> [T]? {
    guard let value = member(name) else { return nil }
    guard value.kind == .array else { throw refusal(name, "an array was expected") }
    var result: [T] = []
    try value.forEachElement { (index, element) throws(Refusal) in
      do throws(Refusal) {
        result.append(try read(element))
      } catch {
        throw error.under([Bytes(name), Bytes(String(index))])
      }
    }
    return result
  }

  /// Whether a member is there.
  func has(_ name: StaticString) -> Bool { members.index(of: name) != nil }

  /// Refuses the first member that is none of `names`; asked first, for a name that was mistyped is also one that is
  /// missing.
  func allow(_ names: [StaticString]) throws(Refusal) {
    for index in members.indices where !names.contains(where: { members.isNamed($0, at: index) }) {
      throw Refusal(
        .invalidBody, at: JSONPointer(tokens: [members.name(at: index)]), "there is no such member here")
    }
  }

  /// The same where the configuration gives the names.
  func allow(parameters: [ParameterDefinition]) throws(Refusal) {
    for name in members.indices.map(members.name) where !parameters.contains(where: { $0.name == name }) {
      throw Refusal(.invalidBody, at: JSONPointer(tokens: [name]), "the table has no such parameter")
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

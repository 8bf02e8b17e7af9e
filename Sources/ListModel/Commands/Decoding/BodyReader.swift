import JSONText

/// Reads one JSON object of a command's body, member by member.
///
/// Its refusals point from the object itself; whoever holds the object says where it stands (`Refusal.under`).
struct BodyReader {
  private let outline: JSONOutline
  /// The object's place in the outline.
  private let node: Int

  /// - Parameters:
  ///   - value: the object; nil for a body that was left out, which reads as `{}`.
  ///   - levels: how many levels of it are read by readers, this one being the first.
  init(_ value: JSONValue?, levels: Int = 1) throws(Refusal) {
    try self.init(JSONOutline(of: value ?? .emptyObject, levels: levels), 0, orElse: .invalidBody)
  }

  private init(_ outline: JSONOutline, _ node: Int, orElse code: Refusal.Code) throws(Refusal) {
    guard outline.value(of: node).kind == .object else {
      throw Refusal(code, at: JSONPointer(), "an object was expected")
    }
    self.outline = outline
    self.node = node
  }

  /// A member; nil where it is not there; O(members), few.
  func member(_ name: StaticString) -> JSONValue? {
    outline.member(named: name, of: node).map { outline.value(of: $0) }
  }

  /// A member whose name the configuration gives.
  func member(parameter name: Bytes) -> JSONValue? {
    outline.member(name, of: node).map { outline.value(of: $0) }
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
    var result: [T] = []
    let isThere = try forEachElement(of: name, "an array was expected") { (element) throws(Refusal) in
      result.append(try read(outline.value(of: element)))
    }
    return isThere ? result : nil
  }

  /// Has the objects of an array read one by one; says whether the array is there.
  ///
  /// - Parameters:
  ///   - detail: what is said where the member is no array.
  ///   - code: how an element is refused that is no object.
  func forEachObject(
    of name: StaticString, _ detail: String, orElse code: Refusal.Code,
    _ read: (BodyReader) throws(Refusal) -> Void
  ) throws(Refusal) -> Bool {
    try forEachElement(of: name, detail) { (element) throws(Refusal) in
      try read(try BodyReader(outline, element, orElse: code))
    }
  }

  /// The object that a member is; nil where the member is not there.
  func object(_ name: StaticString) throws(Refusal) -> BodyReader? {
    guard let member = outline.member(named: name, of: node) else { return nil }
    return try BodyReader(outline, member, orElse: .invalidBody)
  }

  private func forEachElement(
    of name: StaticString, _ detail: String, _ read: (Int) throws(Refusal) -> Void
  ) throws(Refusal) -> Bool {
    guard let array = outline.member(named: name, of: node) else { return false }
    guard outline.value(of: array).kind == .array else { throw refusal(name, detail) }
    var element = outline.first(in: array)
    let end = outline.end(of: array)
    var index = 0
    while element < end {
      do throws(Refusal) {
        try read(element)
      } catch {
        throw error.under([Bytes(name), Bytes(String(index))])
      }
      element = outline.end(of: element)
      index += 1
    }
    return true
  }

  /// Whether a member is there.
  func has(_ name: StaticString) -> Bool { outline.member(named: name, of: node) != nil }

  /// Refuses the first member that is none of `names`; asked first, for a name that was mistyped is also one that is
  /// missing.
  func allow(_ names: [StaticString]) throws(Refusal) {
    var member = outline.first(in: node)
    let end = outline.end(of: node)
    while member < end {
      guard names.contains(where: { outline.isNamed($0, member) }) else {
        throw Refusal(
          .invalidBody, at: JSONPointer(tokens: [outline.name(of: member)]), "there is no such member here")
      }
      member = outline.end(of: member)
    }
  }

  /// The same where the configuration gives the names.
  func allow(parameters: [ParameterDefinition]) throws(Refusal) {
    var member = outline.first(in: node)
    while member < outline.end(of: node) {
      let name = outline.name(of: member)
      guard parameters.contains(where: { $0.name == name }) else {
        throw Refusal(.invalidBody, at: JSONPointer(tokens: [name]), "the table has no such parameter")
      }
      member = outline.end(of: member)
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

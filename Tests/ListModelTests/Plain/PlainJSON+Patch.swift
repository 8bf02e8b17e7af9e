/// RFC 6902, literally: "operations are applied sequentially", and any that does not fit is an error.
extension PlainJSON {
  func patched(by operations: PlainJSON) throws -> PlainJSON {
    var document = self
    for operation in operations.elements { try document.apply(operation) }
    return document
  }

  private mutating func apply(_ operation: PlainJSON) throws {
    let path = try PlainJSON.tokens(operation["path"])
    switch operation["op"]?.text {
    case "add": try edit(path[...]) { try $0.add(PlainJSON.given(operation), at: $1) }
    case "remove": _ = try take(path)
    case "replace":
      if path.isEmpty {
        self = try PlainJSON.given(operation)
      } else {
        try edit(path[...]) { try $0.replace(PlainJSON.given(operation), at: $1) }
      }
    case "move":
      let value = try take(PlainJSON.tokens(operation["from"]))
      try edit(path[...]) { try $0.add(value, at: $1) }
    case let other: throw PatchMisfit(words: "no operation: \(other?.string ?? "none")")
    }
  }

  private static func given(_ operation: PlainJSON) throws -> PlainJSON {
    guard let value = operation["value"] else { throw PatchMisfit(words: "no value") }
    return value
  }

  static func tokens(_ pointer: PlainJSON?) throws -> [Text] {
    guard let text = pointer?.text?.string, text.isEmpty || text.hasPrefix("/") else {
      throw PatchMisfit(words: "no pointer")
    }
    return text.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
      Text(String($0).replacing("~1", with: "/").replacing("~0", with: "~"))
    }
  }

  private mutating func take(_ path: [Text]) throws -> PlainJSON {
    guard let value = value(at: path) else { throw PatchMisfit(words: "nothing at \(path)") }
    try edit(path[...]) { try $0.remove(at: $1) }
    return value
  }

  /// Finds what holds the last token of a path, and changes it.
  private mutating func edit(_ path: ArraySlice<Text>, _ change: (inout PlainJSON, Text) throws -> Void)
    throws
  {
    guard let first = path.first else { throw PatchMisfit(words: "the whole document") }
    if path.count == 1 { return try change(&self, first) }
    guard var child = value(at: [first]) else { throw PatchMisfit(words: "nothing at \(first)") }
    try child.edit(path.dropFirst(), change)
    try replace(child, at: first)
  }

  private mutating func add(_ value: PlainJSON, at token: Text) throws {
    guard case .array(var elements) = self else { return set(token, value) }
    let index = token == "-" ? elements.count : PlainJSON.index(token) ?? -1
    guard (0...elements.count).contains(index) else { throw PatchMisfit(words: "add at \(token)") }
    self = .null
    elements.insert(value, at: index)
    self = .array(elements)
  }

  private mutating func replace(_ value: PlainJSON, at token: Text) throws {
    guard case .array(var elements) = self else {
      guard self[token] != nil else { throw PatchMisfit(words: "nothing at \(token)") }
      return set(token, value)
    }
    guard let index = PlainJSON.index(token), index < elements.count else {
      throw PatchMisfit(words: "nothing at \(token)")
    }
    self = .null
    elements[index] = value
    self = .array(elements)
  }

  private mutating func remove(at token: Text) throws {
    guard case .array(var elements) = self else {
      return self = .object(members.filter { $0.name != token })
    }
    guard let index = PlainJSON.index(token), index < elements.count else {
      throw PatchMisfit(words: "nothing at \(token)")
    }
    self = .null
    elements.remove(at: index)
    self = .array(elements)
  }
}

struct PatchMisfit: Error {
  var words: String
}

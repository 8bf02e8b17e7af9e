import JSONText

/// A JSON value whose strings are templates; the names of its members are not.
public struct BodyTemplate: Sendable {
  private enum Piece: Sendable {
    /// JSON as it is.
    case json([UInt8])
    /// A string, written as JSON when it is filled.
    case string(Template)
  }

  private var pieces: [Piece] = []
  /// The names of the values that it takes, each with the place of its string.
  public private(set) var names: [(name: Bytes, place: JSONPointer)] = []

  /// Reads a value's strings as templates.
  ///
  /// - Throws: the first string that is none, with its place in the value.
  public init(_ value: JSONValue) throws(BodyTemplateFault) {
    var json: [UInt8] = []
    try add(value, at: JSONPointer(), &json)
    if !json.isEmpty { pieces.append(.json(json)) }
  }

  private mutating func add(
    _ value: JSONValue, at place: JSONPointer, _ json: inout [UInt8]
  ) throws(BodyTemplateFault) {
    switch value.kind {
    case .object:
      json.append(UInt8(ascii: "{"))
      var isFirst = true
      try value.forEachMember { (name, member) throws(BodyTemplateFault) in
        if !isFirst { json.append(UInt8(ascii: ",")) }
        isFirst = false
        json.append(jsonString: name)
        json.append(UInt8(ascii: ":"))
        try add(member, at: place.appending(name), &json)
      }
      json.append(UInt8(ascii: "}"))
    case .array:
      json.append(UInt8(ascii: "["))
      try value.forEachElement { (index, element) throws(BodyTemplateFault) in
        if index > 0 { json.append(UInt8(ascii: ",")) }
        try add(element, at: place.appending(index), &json)
      }
      json.append(UInt8(ascii: "]"))
    case .string:
      let text = value.string ?? .empty
      let template: Template
      do throws(TemplateFault) {
        template = try Template(parsing: text)
      } catch {
        throw BodyTemplateFault(place: place, fault: error)
      }
      for name in template.names { names.append((name, place)) }
      if !json.isEmpty { pieces.append(.json(json)) }
      json = []
      pieces.append(.string(template))
    case .number, .bool, .null:
      json.append(value.text)
    }
  }

  /// The JSON text with `value` of each name put into its strings.
  ///
  /// O(size).
  public func filled<Failure: Error>(_ value: (Bytes) throws(Failure) -> Bytes) throws(Failure) -> [UInt8] {
    var text: [UInt8] = []
    for piece in pieces {
      switch piece {
      case .json(let json): text += json
      case .string(let template): text.append(jsonString: try template.filled(value))
      }
    }
    return text
  }
}

/// Why a string of a body is no template.
public struct BodyTemplateFault: Error, Sendable, Equatable {
  /// The string's place in the body.
  public let place: JSONPointer
  /// What is wrong with it.
  public let fault: TemplateFault
}

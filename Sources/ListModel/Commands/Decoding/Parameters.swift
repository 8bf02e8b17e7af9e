import JSONText

extension ListContext {
  /// Reads a session's parameters: what is given, defaults for the others, as one JSON object in the table's order.
  ///
  /// - Parameter given: the object; nil where nothing was given.
  /// - Throws: `invalid-body`, pointing (from the object) at a parameter that the table does not have, that is no string, that is too
  ///   long, or that is missing and has no default.
  public func parameters(_ given: JSONValue?) throws(Refusal) -> Bytes {
    if params.isEmpty, given == nil { return Bytes.emptyObject }
    let reader = try BodyReader(given)
    try reader.allow(parameters: params)
    var text: [UInt8] = [UInt8(ascii: "{")]
    for definition in params {
      func refusal(_ detail: String) -> Refusal {
        Refusal(.invalidBody, at: JSONPointer(tokens: [definition.name]), detail)
      }
      let given = reader.member(parameter: definition.name)
      if let given, given.kind != .string { throw refusal("a string was expected") }
      guard let value = given?.string ?? definition.defaultValue else {
        throw refusal("this parameter must be given")
      }
      if let most = definition.maxLength, value.codePointCount > most {
        throw refusal("at most \(most) characters are taken")
      }
      if text.count > 1 { text.append(UInt8(ascii: ",")) }
      text.append(jsonString: definition.name)
      text.append(UInt8(ascii: ":"))
      text.append(jsonString: value)
    }
    text.append(UInt8(ascii: "}"))
    return Bytes(text)
  }
}

extension Bytes {
  static let emptyObject: Bytes = "{}"

  /// The number of Unicode code points of well-formed UTF-8; O(n).
  var codePointCount: Int {
    withUnsafeBytes { bytes in bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) } }
  }
}

import JSONText

extension ListContext {
  /// Reads a session's parameters: what is given, defaults for the others, as one JSON object in the table's order.
  ///
  /// - Parameter given: the object; nil where nothing was given.
  /// - Throws: `invalid-body`, pointing at a parameter that the table does not have, that is no string, that is too
  ///   long, or that is missing and has no default.
  public func parameters(_ given: JSONValue?, at pointer: JSONPointer) throws(Refusal) -> Bytes {
    var reader = try BodyReader(given, at: pointer)
    var text: [UInt8] = [UInt8(ascii: "{")]
    for definition in params {
      guard let value = try reader.takeString(definition.name) ?? definition.defaultValue else {
        throw reader.refusal(definition.name, "this parameter must be given")
      }
      if let most = definition.maxLength, value.codePointCount > most {
        throw reader.refusal(definition.name, "at most \(most) characters are taken")
      }
      if text.count > 1 { text.append(UInt8(ascii: ",")) }
      text.append(jsonString: definition.name)
      text.append(UInt8(ascii: ":"))
      text.append(jsonString: value)
    }
    try reader.finish()
    text.append(UInt8(ascii: "}"))
    return Bytes(text)
  }
}

extension Bytes {
  /// The number of Unicode code points of well-formed UTF-8. O(n).
  var codePointCount: Int {
    withUnsafeBytes { bytes in bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) } }
  }
}

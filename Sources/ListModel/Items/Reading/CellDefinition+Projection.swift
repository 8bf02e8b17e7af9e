import JSONText

extension CellDefinition {
  /// What clients get of a raw item, minified: the projected members in the table's order, `null` for what does not
  /// resolve; the whole item where the cell has no projection.
  ///
  /// - Parameter limit: the most bytes of the result. Projecting stops where it is passed, so that members which
  ///   repeat a large value cost no more than one of them.
  /// - Returns: nil over the limit.
  public func data(from item: JSONValue, limit: Int) -> JSONValue? {
    guard let projection else {
      let whole = item.minified()
      return whole.text.count <= limit ? whole : nil
    }
    var bytes: [UInt8] = [UInt8(ascii: "{")]
    for (member, pointer) in projection {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes.append(jsonString: member)
      bytes.append(UInt8(ascii: ":"))
      if let value = item.value(at: pointer) {
        bytes.append(value.minified().text)
      } else {
        bytes.append(literal: "null")
      }
      if bytes.count >= limit { return nil }
    }
    bytes.append(UInt8(ascii: "}"))
    return bytes.count <= limit ? JSONValue(trusted: Bytes(bytes)) : nil
  }
}

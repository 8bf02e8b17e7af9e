import JSONText

extension CellRule {
  /// The cell for an item that does not name one.
  ///
  /// - Parameter item: what the rule looks at: the raw item of an upstream, or the `data` of a client's row.
  /// - Returns: the mapped cell; the fallback where the pointer leads nowhere, to another thing than a string, or to
  ///   a string that is not in the map.
  public func cell(for item: JSONValue) -> Bytes {
    switch self {
    case .name(let name):
      name
    case .choice(let pointer, let map, let fallback):
      item.value(at: pointer)?.string.flatMap { map[$0] } ?? fallback
    }
  }
}

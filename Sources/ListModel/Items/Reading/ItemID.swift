import JSONText

extension Item {
  /// Whether these bytes may be an id: 1–256 of them (protocol §2).
  public static func isUsableID(_ id: Bytes) -> Bool {
    !id.isEmpty && id.count <= maximumIDLength
  }

  /// The id that an upstream value stands for, or nil where it stands for none.
  ///
  /// A string is its own id. An integer is its decimal text exactly as it was written: `12345678901234567890` stays
  /// itself, and `-0` is another id than `0`. A number with a fraction or an exponent is no integer, whatever its
  /// value: `1.0` and `1e3` have more than one decimal text. O(length of the value).
  public static func id(from value: JSONValue) -> Bytes? {
    let id: Bytes? =
      switch value.kind {
      case .string: value.string
      case .number: value.isWrittenAsInteger ? value.text : nil
      case .object, .array, .bool, .null: nil
      }
    guard let id, isUsableID(id) else { return nil }
    return id
  }
}

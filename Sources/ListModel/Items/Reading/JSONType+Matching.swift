import JSONText

extension JSONType {
  /// Whether a value is of this type.
  ///
  /// Numbers are told apart by their text, as everywhere here: an `integer` is written without fraction and exponent
  /// and may be of any size; `1.0` is a `number` only. O(length of a number), else O(1).
  public func matches(_ value: JSONValue) -> Bool {
    switch self {
    case .string: value.kind == .string
    case .number: value.kind == .number
    case .integer: value.kind == .number && value.isWrittenAsInteger
    case .boolean: value.kind == .bool
    case .object: value.kind == .object
    case .array: value.kind == .array
    case .null: value.kind == .null
    }
  }

  /// The type with its article, for sentences: `a string`, `an integer`, `null`.
  var phrase: String {
    switch self {
    case .string, .number, .boolean: "a \(rawValue)"
    case .integer, .object, .array: "an \(rawValue)"
    case .null: rawValue
    }
  }
}

extension JSONValue {
  /// Whether a number, and only of numbers this is asked, is written without fraction and exponent: O(length).
  var isWrittenAsInteger: Bool {
    text.withUnsafeBytes { digits in
      digits.allSatisfy { $0 == UInt8(ascii: "-") || ($0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9")) }
    }
  }
}

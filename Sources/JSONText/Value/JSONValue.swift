/// One JSON value inside a text that has been validated, with its bytes exactly as they were given.
///
/// Reading it copies nothing: members and elements are slices of the same storage (a slice keeps its whole
/// storage alive; see `Bytes.compacted()`). A text wrapped as trusted that is not valid after all gives
/// meaningless answers, but never reads outside its bytes.
public struct JSONValue: Sendable {
  /// The value's own text: no white space around it, and all of it valid.
  public let text: Bytes

  /// Wraps a text that is known to be one valid JSON value without white space around it.
  @inlinable
  public init(trusted text: Bytes) { self.text = text }

  /// Validates a whole text.
  ///
  /// RFC 8259 in UTF-8, strictly: no BOM, no lone surrogates, no member name twice in an object (names are
  /// compared unescaped), at most 128 levels of arrays and objects, the outermost being the first. One pass
  /// without recursion, O(n) also for objects with very many members.
  public init(parsing text: Bytes) throws(JSONError) {
    try self.init(parsing: text, levels: JSONValidator.maximumDepth)
  }

  /// The same with another bound on the nesting, of at most 256 levels: for texts in which others are wrapped.
  public init(parsing text: Bytes, levels: Int) throws(JSONError) {
    let range = try text.withUnsafeBytes { (bytes) throws(JSONError) -> Range<Int> in
      var validator = JSONValidator(bytes, levels: levels)
      return try validator.validate()
    }
    self.text = text[range]
  }

  /// A JSON string that holds `string`, which is UTF-8; O(n).
  public static func string(_ string: Bytes) -> JSONValue {
    var text: [UInt8] = []
    text.reserveCapacity(string.count + 2)
    text.append(jsonString: string)
    return JSONValue(trusted: Bytes(text))
  }

  /// `null`.
  public static let null = JSONValue(trusted: "null")

  /// `{}`.
  public static let emptyObject = JSONValue(trusted: "{}")
}

extension JSONValue {
  /// What a value is.
  public enum Kind: Sendable {
    case object, array, string, number, bool, null
  }

  /// What this value is; O(1).
  public var kind: Kind {
    guard !text.isEmpty else { return .null }
    switch text[0] {
    case ASCII.openBrace: return .object
    case ASCII.openBracket: return .array
    case ASCII.quote: return .string
    case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
    case UInt8(ascii: "n"): return .null
    default: return .number
    }
  }
}

extension JSONValue.Kind {
  /// The kind with its article, for sentences.
  public var phrase: String {
    switch self {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .bool: "a boolean"
    case .null: "null"
    }
  }
}

/// One JSON value inside a text that has been validated, with its bytes exactly as they were given.
public struct JSONValue: Sendable {
  /// The value's own text: no white space around it, and all of it valid.
  public let text: Bytes

  /// Wraps a text that is known to be one valid JSON value without white space around it.
  public init(trusted text: Bytes) { self.text = text }

  /// Validates a whole text (RFC 8259, UTF-8, no BOM, no lone surrogates, no duplicate names, ≤ 128 levels).
  public init(parsing text: Bytes) throws(JSONError) { fatalError() }

  public enum Kind: Sendable { case object, array, string, number, bool, null }
  public var kind: Kind { fatalError() }

  /// Looks a member up by its unescaped name. O(n) in the object's text; nil where absent or no object.
  public func member(_ name: Bytes) -> JSONValue? { fatalError() }
  public func member(named name: StaticString) -> JSONValue? { fatalError() }
  /// Calls `body` with each member's unescaped name and value, in order, until it throws.
  public func forEachMember<E: Error>(_ body: (Bytes, JSONValue) throws(E) -> Void) throws(E) { fatalError() }
  public func forEachElement<E: Error>(_ body: (Int, JSONValue) throws(E) -> Void) throws(E) { fatalError() }
  public var elements: [JSONValue] { fatalError() }
  /// Number of elements or members.
  public var count: Int { fatalError() }
  public func value(at pointer: JSONPointer) -> JSONValue? { fatalError() }

  /// The unescaped UTF-8 of a string; nil for other kinds.
  public var string: Bytes? { fatalError() }
  /// The value of a number that is written as an integer (no fraction, no exponent) and fits; else nil.
  public var integer: Int? { fatalError() }
  public var double: Double? { fatalError() }
  public var bool: Bool? { fatalError() }

  /// The text without white space outside strings; the same storage where there was none. O(n).
  public func minified() -> JSONValue { fatalError() }
  /// Protocol §2 equality: differ at most in white space, member order and string escapes; numbers by text.
  public func isEqual(to other: JSONValue) -> Bool { fatalError() }
  /// Equal values have equal hashes. O(n).
  public func contentHash(seed: UInt64) -> UInt64 { fatalError() }
  /// RFC 7396 applied on raw text; untouched members keep their bytes.
  public func merging(_ patch: JSONValue) -> JSONValue { fatalError() }

  public static let null = JSONValue(trusted: "null")
  public static let emptyObject = JSONValue(trusted: "{}")
}

public struct JSONError: Error, Equatable, Sendable {
  /// Offset from 0 of the first byte at fault; the text's length where it ended too early.
  public let offset: Int
  /// What is wrong there, in one clause, e.g. `a comma or ] was expected`.
  public let message: String
  public init(offset: Int, message: String) {
    self.offset = offset
    self.message = message
  }
}

/// RFC 6901.
public struct JSONPointer: Sendable, Hashable {
  /// Unescaped reference tokens; none is the whole document.
  public var tokens: [Bytes]
  public init(tokens: [Bytes] = []) { self.tokens = tokens }
  /// nil where `text` is no JSON Pointer.
  public init?(_ text: Bytes) { fatalError() }
  /// The escaped form, `/a~1b/0`.
  public var text: Bytes { fatalError() }
  public func appending(_ token: Bytes) -> JSONPointer { JSONPointer(tokens: tokens + [token]) }
  public func appending(_ index: Int) -> JSONPointer { JSONPointer(tokens: tokens + [Bytes(String(index))]) }
}

extension Array where Element == UInt8 {
  /// Appends `string` as a JSON string with its quotes: escapes `"`, `\` and controls only. O(n).
  public mutating func append(jsonString string: Bytes) { fatalError() }
}

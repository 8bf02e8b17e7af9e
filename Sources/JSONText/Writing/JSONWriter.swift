/// Assembles JSON text piece by piece and puts the commas in.
///
/// The caller keeps to the grammar: in an object a key before each value, every begin with its end. Each call
/// appends to one growing array and remembers a single bit, whether a comma is due.
///
///     var writer = JSONWriter()
///     writer.beginObject()
///     writer.key("id")
///     writer.string(escaping: id)
///     writer.key("data")
///     writer.value(data)
///     writer.endObject()
///     return writer.text
public struct JSONWriter: Sendable {
  /// What has been written so far.
  public private(set) var bytes: [UInt8] = []
  private var needsComma = false

  /// An empty text, with room for `capacity` bytes before it must grow.
  public init(capacity: Int = 256) {
    bytes.reserveCapacity(capacity)
  }

  /// What has been written so far, shared and not copied.
  public var text: Bytes { Bytes(bytes) }

  // MARK: Nesting

  /// `{`.
  public mutating func beginObject() {
    separate()
    bytes.append(ASCII.openBrace)
    needsComma = false
  }

  /// `}`.
  public mutating func endObject() {
    bytes.append(ASCII.closeBrace)
    needsComma = true
  }

  /// `[`.
  public mutating func beginArray() {
    separate()
    bytes.append(ASCII.openBracket)
    needsComma = false
  }

  /// `]`.
  public mutating func endArray() {
    bytes.append(ASCII.closeBracket)
    needsComma = true
  }

  // MARK: Names

  /// A member's name that needs no escapes.
  public mutating func key(_ name: StaticString) {
    string(name)
    bytes.append(ASCII.colon)
    needsComma = false
  }

  /// A member's name, with escapes where it needs them.
  public mutating func key(escaping name: Bytes) {
    string(escaping: name)
    bytes.append(ASCII.colon)
    needsComma = false
  }

  // MARK: Values

  /// A string, with escapes where it needs them; O(n).
  public mutating func string(escaping string: Bytes) {
    separate()
    bytes.append(jsonString: string)
  }

  /// A string that needs no escapes.
  public mutating func string(_ string: StaticString) {
    separate()
    bytes.append(ASCII.quote)
    bytes.append(literal: string)
    bytes.append(ASCII.quote)
  }

  /// An integer in decimal digits.
  public mutating func integer(_ value: Int) {
    separate()
    bytes.append(decimal: value)
  }

  /// `true` or `false`.
  public mutating func bool(_ value: Bool) {
    separate()
    bytes.append(literal: value ? "true" : "false")
  }

  /// `null`.
  public mutating func null() {
    separate()
    bytes.append(literal: "null")
  }

  /// A value's own text.
  public mutating func value(_ value: JSONValue) {
    raw(value.text)
  }

  /// Text that is one value, or several with the commas between them (with their names, in an object).
  public mutating func raw(_ text: Bytes) {
    separate()
    bytes.append(text)
  }

  private mutating func separate() {
    if needsComma { bytes.append(ASCII.comma) }
    needsComma = true
  }
}

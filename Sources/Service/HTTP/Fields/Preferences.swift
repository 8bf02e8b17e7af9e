import HTTP1

/// What a request prefers (RFC 7240): `return`, `respond-async`, `wait`.
///
/// Names and values are read without regard to case; of one name the first counts, even with a value that nobody knows.
/// Other names, parameters and whatever cannot be read are passed over: a preference never makes a request fail.
public struct Preferences: Sendable, Equatable {
  /// How much the answer holds.
  public enum Return: Sendable, Equatable {
    case minimal, representation
  }

  /// `return=minimal` or `return=representation`; nil where neither is preferred.
  public var returns: Return?
  /// Whether the answer is wanted at once.
  public var respondsAsync = false
  /// Seconds that the client is willing to wait; nil where it does not say.
  public var wait: Int?

  /// No preferences.
  public init() {}

  /// Reads every `Prefer` field.
  ///
  /// O(n).
  public init(_ fields: HeaderFields) {
    guard let first = fields.first("prefer") else { return }
    if first.equals(ignoringCase: "return=minimal") && !fields.isRepeated("prefer") {
      returns = .minimal
      return
    }
    var seen = (returns: false, respondsAsync: false, wait: false)
    for value in fields.all("prefer") {
      var scanner = FieldScanner(value)
      while scanner.nextElement() {
        guard let (name, value) = Self.preference(&scanner) else {
          scanner.skipElement()
          continue
        }
        if name.equals(ignoringCase: "return"), !seen.returns {
          seen.returns = true
          if value[...].equals(ignoringCase: "minimal") { returns = .minimal }
          if value[...].equals(ignoringCase: "representation") { returns = .representation }
        } else if name.equals(ignoringCase: "respond-async"), !seen.respondsAsync {
          seen.respondsAsync = true
          respondsAsync = value.isEmpty
        } else if name.equals(ignoringCase: "wait"), !seen.wait {
          seen.wait = true
          wait = decimal(value)
        }
      }
    }
  }

  /// One element of the list up to its comma; nil where it cannot be read.
  private static func preference(
    _ scanner: inout FieldScanner
  ) -> (name: ArraySlice<UInt8>, value: [UInt8])? {
    guard let token = scanner.token(), let preference = scanner.valueBehind(token) else { return nil }
    while scanner.parameter() != nil {}
    return scanner.isAtElementEnd ? preference : nil
  }
}

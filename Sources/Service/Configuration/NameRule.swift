import JSONText

/// What a name may look like that people choose in the configuration.
struct NameRule {
  /// What the names are of.
  let noun: String
  /// The most bytes.
  let maximumLength: Int
  /// Bytes that may not stand in it, besides control characters.
  var forbidden: String = ""

  /// What would be right.
  var right: String {
    let others = forbidden.isEmpty ? "" : " and without \(forbidden.map(String.init).joined(separator: " "))"
    return "a name of 1 to \(maximumLength) bytes without control characters\(others)"
  }

  /// Whether `name` keeps the rule.
  func allows(_ name: Bytes) -> Bool {
    guard !name.isEmpty, name.count <= maximumLength else { return false }
    return name.withUnsafeBytes { bytes in
      bytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F && !forbidden.utf8.contains($0) }
    }
  }
}

extension Bytes {
  /// Whether these bytes may be the name of a table.
  public var isTableName: Bool { NameRule.table.allows(self) }
}

extension NameRule {
  /// What a table's name may look like.
  static let table = NameRule(noun: "table", maximumLength: 128)
}

/// Whether a byte is one of `0`–`9`.
func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

/// Whether a byte is one of `A`–`Z`, `a`–`z`.
func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z") }

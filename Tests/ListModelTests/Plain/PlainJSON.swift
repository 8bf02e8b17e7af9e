import JSONText

/// JSON as a tree: the second model's own, which shares nothing with `JSONText`.
///
/// Numbers are their text and members keep their order, since a list keeps both.
enum PlainJSON: Sendable {
  case null
  case bool(Bool)
  case number(String)
  /// The content, and how many bytes the string took where it was read.
  case string(Text, written: Int)
  case array([PlainJSON])
  case object([Member])

  struct Member: Sendable {
    var name: Text
    /// How many bytes the name took where it was read.
    var written: Int
    var value: PlainJSON
  }

  static func string(_ text: Text) -> PlainJSON { .string(text, written: PlainJSON.written(text)) }
  static func integer(_ value: Int) -> PlainJSON { .number(String(value)) }
  static func object(_ members: KeyValuePairs<Text, PlainJSON>) -> PlainJSON {
    .object(members.map { Member(name: $0, written: written($0), value: $1) })
  }
}

// MARK: Reading

extension PlainJSON {
  subscript(_ name: Text) -> PlainJSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name == name }?.value
  }

  var members: [Member] {
    if case .object(let members) = self { members } else { [] }
  }

  var elements: [PlainJSON] {
    if case .array(let elements) = self { elements } else { [] }
  }

  var text: Text? {
    if case .string(let text, _) = self { text } else { nil }
  }

  var bool: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }

  var integer: Int? {
    if case .number(let number) = self { Int(number) } else { nil }
  }

  /// The value that a JSON Pointer's tokens lead to (RFC 6901).
  func value(at tokens: [Text]) -> PlainJSON? {
    guard let first = tokens.first else { return self }
    let child: PlainJSON? =
      switch self {
      case .object: self[first]
      case .array(let elements):
        PlainJSON.index(first).flatMap { $0 < elements.count ? elements[$0] : nil }
      default: nil
      }
    return child?.value(at: Array(tokens.dropFirst()))
  }

  /// An array's index as a token writes it: decimal digits without leading zeros.
  static func index(_ token: Text) -> Int? {
    guard let index = Int(token.string), index >= 0, String(index) == token.string else { return nil }
    return index
  }

  /// The bytes of the value as it was written, without the white space between its parts.
  var written: Int {
    switch self {
    case .null: 4
    case .bool(let bool): bool ? 4 : 5
    case .number(let number): number.utf8.count
    case .string(_, let written): written
    case .array(let elements): elements.reduce(1) { $0 + $1.written + 1 } + (elements.isEmpty ? 1 : 0)
    case .object(let members):
      members.reduce(1) { $0 + $1.written + 1 + $1.value.written + 1 } + (members.isEmpty ? 1 : 0)
    }
  }

  static func written(_ text: Text) -> Int { escaped(text).utf8.count }
}

// MARK: Comparing

extension PlainJSON: Equatable {
  /// The same values in the same order; numbers by their text, strings by their content.
  static func == (a: PlainJSON, b: PlainJSON) -> Bool {
    switch (a, b) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.number(let a), .number(let b)): a == b
    case (.string(let a, _), .string(let b, _)): a == b
    case (.array(let a), .array(let b)): a == b
    case (.object(let a), .object(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.name == $1.name && $0.value == $1.value }
    default: false
    }
  }

  /// What protocol §2 calls equal: the order of members does not matter either.
  func isSame(as other: PlainJSON) -> Bool {
    switch (self, other) {
    case (.array(let a), .array(let b)): a.count == b.count && zip(a, b).allSatisfy { $0.isSame(as: $1) }
    case (.object(let a), .object(let b)):
      a.count == b.count
        && a.allSatisfy { member in other[member.name].map { member.value.isSame(as: $0) } ?? false }
    default: self == other
    }
  }
}

// MARK: Changing

extension PlainJSON {
  /// RFC 7396, as its pseudocode says it.
  func merging(_ patch: PlainJSON) -> PlainJSON {
    guard case .object(let changes) = patch else { return patch }
    var result = members
    for change in changes {
      let index = result.firstIndex { $0.name == change.name }
      if case .null = change.value {
        if let index { result.remove(at: index) }
      } else if let index {
        result[index].value = result[index].value.merging(change.value)
      } else {
        result.append(
          Member(name: change.name, written: change.written, value: PlainJSON.null.merging(change.value)))
      }
    }
    return .object(result)
  }

  mutating func set(_ name: Text, _ value: PlainJSON) {
    var result = members
    if let index = result.firstIndex(where: { $0.name == name }) {
      result[index].value = value
    } else {
      result.append(Member(name: name, written: PlainJSON.written(name), value: value))
    }
    self = .object(result)
  }
}

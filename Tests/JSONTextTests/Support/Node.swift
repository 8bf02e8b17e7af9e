import JSONText
import TestSupport

/// A JSON document as a plain tree: what the laws are stated about.
///
/// Strings are scalars, as Swift's own equality of strings folds what JSON tells apart; members keep their order,
/// numbers their text.
indirect enum Node: Equatable {
  case null
  case bool(Bool)
  case number(String)
  case string([Unicode.Scalar])
  case array([Node])
  case object([Member])

  struct Member: Equatable {
    var name: [Unicode.Scalar]
    var value: Node
  }

  /// Equality of protocol §2: the order of members does not count.
  func says(theSameAs other: Node) -> Bool {
    switch (self, other) {
    case (.array(let a), .array(let b)):
      return a.count == b.count && zip(a, b).allSatisfy { $0.says(theSameAs: $1) }
    case (.object(let a), .object(let b)):
      return a.count == b.count
        && a.allSatisfy { member in
          b.contains { $0.name == member.name && $0.value.says(theSameAs: member.value) }
        }
    default:
      return self == other
    }
  }

  // MARK: RFC 7396 as its section 2 has it

  func merged(with patch: Node) -> Node {
    guard case .object(let changes) = patch else { return patch }
    var members: [Member] = []
    if case .object(let own) = self { members = own }
    for change in changes {
      let index = members.firstIndex { $0.name == change.name }
      if change.value == .null {
        if let index { members.remove(at: index) }
      } else if let index {
        members[index].value = members[index].value.merged(with: change.value)
      } else {
        members.append(Member(name: change.name, value: Node.null.merged(with: change.value)))
      }
    }
    return .object(members)
  }

  // MARK: Text

  /// The one text without white space and without needless escapes.
  var text: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number(let text): text
    case .string(let scalars): Node.quoted(scalars)
    case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { Node.quoted($0.name) + ":" + $0.value.text }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ scalars: [Unicode.Scalar]) -> String {
    var text = "\""
    for scalar in scalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{8}": text += "\\b"
      case "\u{C}": text += "\\f"
      case "\u{0}"..<"\u{20}": text += "\\u" + hexadecimal(UInt16(scalar.value))
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  private static func hexadecimal(_ unit: UInt16) -> String {
    let digits = String(unit, radix: 16)
    return String(repeating: "0", count: 4 - digits.count) + digits
  }

  /// Some text of the same meaning: white space, order and escapes as chance has them.
  func disguised(_ random: inout Seeded) -> String {
    func space() -> String {
      guard random.once(in: 4) else { return "" }
      return ["  ", "\n", "\t", " \r\n "].randomElement(using: &random) ?? " "
    }
    func string(_ scalars: [Unicode.Scalar]) -> String {
      let parts = scalars.map { scalar -> String in
        if scalar == "/", random.once(in: 2) { return "\\/" }
        guard random.once(in: 4) else {
          return String(Node.quoted([scalar]).unicodeScalars.dropFirst().dropLast())
        }
        return String(scalar).utf16.map { unit in
          let digits = Node.hexadecimal(unit)
          return "\\u" + (random.once(in: 2) ? digits : digits.uppercased())
        }.joined()
      }
      return "\"" + parts.joined() + "\""
    }
    func value(_ node: Node) -> String {
      let before = space()
      let text: String
      switch node {
      case .string(let scalars): text = string(scalars)
      case .array(let elements): text = "[" + elements.map(value).joined(separator: ",") + space() + "]"
      case .object(let members):
        text =
          "{"
          + members.shuffled(using: &random)
          .map { space() + string($0.name) + space() + ":" + value($0.value) }.joined(separator: ",")
          + space() + "}"
      default: text = node.text
      }
      return before + text + space()
    }
    return value(self)
  }
}

extension Node {
  /// A document of chance, of a few dozen values.
  static func random(_ random: inout Seeded, depth: Int = 4) -> Node {
    switch Int.random(in: 0..<(depth > 0 ? 9 : 5), using: &random) {
    case 0: return .null
    case 1: return .bool(random.once(in: 2))
    case 2, 3:
      let numbers = ["0", "-0", "1", "1.0", "1e2", "-12.50E+3", "12345678901234567890", "7"]
      return .number(numbers.randomElement(using: &random) ?? "0")
    case 4: return .string(randomString(&random))
    case 5, 6:
      return .array(
        (0..<Int.random(in: 0...4, using: &random)).map { _ in .random(&random, depth: depth - 1) })
    default:
      // Now and then more members than are looked through one by one.
      let count =
        random.once(in: 8) ? Int.random(in: 9...40, using: &random) : Int.random(in: 0...4, using: &random)
      var members: [Member] = []
      for _ in 0..<count {
        let name = randomString(&random)
        guard !members.contains(where: { $0.name == name }) else { continue }
        members.append(Member(name: name, value: .random(&random, depth: count > 8 ? 0 : depth - 1)))
      }
      return .object(members)
    }
  }

  static func randomString(_ random: inout Seeded) -> [Unicode.Scalar] {
    let alphabet: [Unicode.Scalar] = [
      "a", "b", "c", "id", "é", "e\u{301}", "日", "\u{1F600}", "\"", "\\", "/", "\n", "\0", "\u{7F}",
      "\u{2028}", " ",
    ].flatMap { (word: String) in Array(word.unicodeScalars) }
    let length =
      random.once(in: 10) ? Int.random(in: 15...40, using: &random) : Int.random(in: 0...5, using: &random)
    return (0..<length).map { _ in alphabet.randomElement(using: &random) ?? "a" }
  }

  /// This document with one thing altered, most of the time so that it no longer says the same.
  func altered(_ random: inout Seeded) -> Node {
    switch self {
    case .array(var elements) where !elements.isEmpty && !random.once(in: 4):
      let index = elements.indices.randomElement(using: &random) ?? 0
      elements[index] = elements[index].altered(&random)
      return .array(elements)
    case .object(var members) where !members.isEmpty && !random.once(in: 4):
      let index = members.indices.randomElement(using: &random) ?? 0
      if random.once(in: 3) {
        members.remove(at: index)
      } else {
        members[index].value = members[index].value.altered(&random)
      }
      return .object(members)
    default:
      return .random(&random, depth: 1)
    }
  }
}

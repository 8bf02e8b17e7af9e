import JSONText

/// A text with places for values: `{name}` takes one, `{{` and `}}` are braces.
public struct Template: Sendable, Equatable {
  /// A piece of the text.
  public enum Part: Sendable, Equatable {
    /// Itself.
    case text(Bytes)
    /// The value of this name.
    case value(Bytes)
  }

  /// The pieces, in order; no two texts stand side by side.
  public let parts: [Part]

  /// A text without places.
  public init(_ text: Bytes) { parts = text.isEmpty ? [] : [.text(text)] }

  /// Reads a template.
  ///
  /// - Throws: what is wrong with its braces, in one clause.
  public init(parsing text: Bytes) throws(TemplateFault) {
    var parts: [Part] = []
    var literal: [UInt8] = []
    var index = 0
    while index < text.count {
      let byte = text[index]
      guard byte == Self.open || byte == Self.close else {
        literal.append(byte)
        index += 1
        continue
      }
      if index + 1 < text.count, text[index + 1] == byte {
        literal.append(byte)
        index += 2
        continue
      }
      guard byte == Self.open else { throw TemplateFault("a } closes nothing") }
      var end = index + 1
      while end < text.count, text[end] != Self.open, text[end] != Self.close { end += 1 }
      guard end < text.count, text[end] == Self.close else { throw TemplateFault("a { is never closed") }
      guard end > index + 1 else { throw TemplateFault("{} names nothing") }
      if !literal.isEmpty { parts.append(.text(Bytes(literal))) }
      literal = []
      parts.append(.value(text[(index + 1)..<end].compacted()))
      index = end + 1
    }
    if !literal.isEmpty { parts.append(.text(Bytes(literal))) }
    self.parts = parts
  }

  /// The names of the values that it takes.
  public var names: [Bytes] {
    parts.compactMap { if case .value(let name) = $0 { name } else { nil } }
  }

  /// The text with `value` of each name put in.
  ///
  /// O(size).
  public func filled<Failure: Error>(_ value: (Bytes) throws(Failure) -> Bytes) throws(Failure) -> Bytes {
    if parts.count == 1, case .text(let text) = parts[0] { return text }
    var result: [UInt8] = []
    for part in parts {
      switch part {
      case .text(let text): result.append(text)
      case .value(let name): result.append(try value(name))
      }
    }
    return Bytes(result)
  }

  private static let open = UInt8(ascii: "{")
  private static let close = UInt8(ascii: "}")
}

/// Why a text is no template.
public struct TemplateFault: Error, Sendable, Equatable {
  /// What is wrong, in one clause.
  public let message: String

  init(_ message: String) { self.message = message }
}

/// A second opinion on what is strict JSON: slow, recursive, over unescaped scalars, and sharing nothing with the
/// module under test.
struct ReferenceValidator {
  private struct Refusal: Error {}
  private var rest: ArraySlice<UInt8>

  static func accepts(_ text: [UInt8]) -> Bool {
    // The standard library decides on UTF-8 as a whole, before anything is looked at.
    guard String(validating: text, as: UTF8.self) != nil else { return false }
    var validator = ReferenceValidator(rest: text[...])
    do {
      validator.space()
      try validator.value(depth: 0)
      validator.space()
      return validator.rest.isEmpty
    } catch {
      return false
    }
  }

  private mutating func space() {
    rest = rest.drop { [0x20, 0x09, 0x0A, 0x0D].contains($0) }
  }

  private mutating func take(_ word: String) -> Bool {
    guard rest.starts(with: word.utf8) else { return false }
    rest = rest.dropFirst(word.utf8.count)
    return true
  }

  private mutating func expect(_ word: String) throws {
    guard take(word) else { throw Refusal() }
  }

  private mutating func value(depth: Int) throws {
    if take("{") {
      guard depth < 128 else { throw Refusal() }
      space()
      if take("}") { return }
      var names: Set<[UInt32]> = []
      repeat {
        space()
        guard names.insert(try string()).inserted else { throw Refusal() }
        space()
        try expect(":")
        space()
        try value(depth: depth + 1)
        space()
      } while take(",")
      try expect("}")
    } else if take("[") {
      guard depth < 128 else { throw Refusal() }
      space()
      if take("]") { return }
      repeat {
        space()
        try value(depth: depth + 1)
        space()
      } while take(",")
      try expect("]")
    } else if rest.first == UInt8(ascii: "\"") {
      _ = try string()
    } else if !take("true"), !take("false"), !take("null") {
      try number()
    }
  }

  private mutating func number() throws {
    _ = take("-")
    if !take("0") { try digits() }
    if take(".") { try digits() }
    if take("e") || take("E") {
      if !take("+") { _ = take("-") }
      try digits()
    }
  }

  private mutating func digits() throws {
    let after = rest.drop { (0x30...0x39).contains($0) }
    guard after.startIndex > rest.startIndex else { throw Refusal() }
    rest = after
  }

  /// The string's UTF-16 units, or bytes where it is not escaped, made comparable by decoding at the end.
  private mutating func string() throws -> [UInt32] {
    try expect("\"")
    var units: [UInt16] = []
    while !take("\"") {
      guard let byte = rest.first, byte >= 0x20 else { throw Refusal() }
      if take("\\") {
        units.append(try escape())
      } else {
        let length = byte < 0x80 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4
        units.append(contentsOf: String(decoding: rest.prefix(length), as: UTF8.self).utf16)
        rest = rest.dropFirst(length)
      }
    }
    var scalars: [UInt32] = []
    var decoder = UTF16()
    var iterator = units.makeIterator()
    while true {
      switch decoder.decode(&iterator) {
      case .scalarValue(let scalar): scalars.append(scalar.value)
      case .emptyInput: return scalars
      case .error: throw Refusal()
      }
    }
  }

  private mutating func escape() throws -> UInt16 {
    let simple: [(String, UInt16)] = [
      ("\"", 0x22), ("\\", 0x5C), ("/", 0x2F), ("b", 8), ("f", 12), ("n", 10), ("r", 13), ("t", 9),
    ]
    for (letter, unit) in simple where take(letter) { return unit }
    try expect("u")
    let digits = rest.prefix(4)
    let isHexadecimal = digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 }
    guard digits.count == 4, isHexadecimal,
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw Refusal() }
    rest = rest.dropFirst(4)
    return unit
  }
}

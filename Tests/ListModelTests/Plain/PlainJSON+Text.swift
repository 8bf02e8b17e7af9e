// Reading and writing the tree's text.
extension PlainJSON: CustomStringConvertible {
  var description: String {
    switch self {
    case .null: "null"
    case .bool(let bool): bool ? "true" : "false"
    case .number(let number): number
    case .string(let text, _): PlainJSON.escaped(text)
    case .array(let elements): "[" + elements.map(\.description).joined(separator: ",") + "]"
    case .object(let members):
      "{" + members.map { PlainJSON.escaped($0.name) + ":" + $0.value.description }.joined(separator: ",")
        + "}"
    }
  }

  /// A string with its quotes, escaped where RFC 8259 asks for it and nowhere else.
  static func escaped(_ text: Text) -> String {
    var result = "\""
    for scalar in text.string.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\0"..<" ":
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Reads a text that is one JSON value; anything else throws.
  init(_ text: String) throws { self = try PlainJSON(Array(text.utf8)) }

  init(_ bytes: [UInt8]) throws {
    var reader = PlainReader(bytes: bytes)
    self = try reader.value()
    guard reader.next() == nil else { throw NoJSON(offset: reader.index) }
  }
}

struct NoJSON: Error {
  var offset: Int
}

private struct PlainReader {
  let bytes: [UInt8]
  var index = 0

  /// The next byte that is no white space, still to be read; nil at the end.
  mutating func next() -> UInt8? {
    while index < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[index]) { index += 1 }
    return index < bytes.count ? bytes[index] : nil
  }

  mutating func expect(_ byte: UInt8) throws {
    guard next() == byte else { throw NoJSON(offset: index) }
    index += 1
  }

  mutating func value() throws -> PlainJSON {
    switch next() {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""):
      let start = index
      let text = try string()
      return .string(text, written: index - start)
    case nil: throw NoJSON(offset: index)
    default: return try word()
    }
  }

  mutating func object() throws -> PlainJSON {
    var members: [PlainJSON.Member] = []
    index += 1
    if next() == UInt8(ascii: "}") {
      index += 1
      return .object([])
    }
    while true {
      guard next() == UInt8(ascii: "\"") else { throw NoJSON(offset: index) }
      let start = index
      let name = try string()
      let written = index - start
      try expect(UInt8(ascii: ":"))
      members.append(PlainJSON.Member(name: name, written: written, value: try value()))
      if next() == UInt8(ascii: ",") {
        index += 1
      } else {
        try expect(UInt8(ascii: "}"))
        return .object(members)
      }
    }
  }

  mutating func array() throws -> PlainJSON {
    var elements: [PlainJSON] = []
    index += 1
    if next() == UInt8(ascii: "]") {
      index += 1
      return .array([])
    }
    while true {
      elements.append(try value())
      if next() == UInt8(ascii: ",") {
        index += 1
      } else {
        try expect(UInt8(ascii: "]"))
        return .array(elements)
      }
    }
  }

  /// A literal or a number: all up to the next sign that can stand behind one.
  mutating func word() throws -> PlainJSON {
    let start = index
    while index < bytes.count, !" \t\r\n,]}:".utf8.contains(bytes[index]) { index += 1 }
    let word = String(decoding: bytes[start..<index], as: UTF8.self)
    switch word {
    case "null": return .null
    case "true": return .bool(true)
    case "false": return .bool(false)
    default:
      guard Double(word) != nil else { throw NoJSON(offset: start) }
      return .number(word)
    }
  }

  mutating func string() throws -> Text {
    index += 1
    let start = index
    while index < bytes.count, bytes[index] != UInt8(ascii: "\""), bytes[index] != UInt8(ascii: "\\") {
      index += 1
    }
    var units = Array(bytes[start..<index])
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      if byte == UInt8(ascii: "\"") { return Text(String(decoding: units, as: UTF8.self)) }
      if byte == UInt8(ascii: "\\") { try escape(into: &units) } else { units.append(byte) }
    }
    throw NoJSON(offset: index)
  }

  mutating func escape(into units: inout [UInt8]) throws {
    guard index < bytes.count else { throw NoJSON(offset: index) }
    let byte = bytes[index]
    index += 1
    switch byte {
    case UInt8(ascii: "b"): units.append(0x08)
    case UInt8(ascii: "f"): units.append(0x0C)
    case UInt8(ascii: "n"): units.append(0x0A)
    case UInt8(ascii: "r"): units.append(0x0D)
    case UInt8(ascii: "t"): units.append(0x09)
    case UInt8(ascii: "u"):
      var code = try unit()
      if (0xD800...0xDBFF).contains(code) {
        index += 2
        code = 0x10000 + (code - 0xD800) << 10 + (try unit() - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw NoJSON(offset: index) }
      units.append(contentsOf: String(Character(scalar)).utf8)
    default: units.append(byte)
    }
  }

  mutating func unit() throws -> UInt32 {
    guard index + 4 <= bytes.count,
      let unit = UInt32(String(decoding: bytes[index..<(index + 4)], as: UTF8.self), radix: 16)
    else { throw NoJSON(offset: index) }
    index += 4
    return unit
  }
}

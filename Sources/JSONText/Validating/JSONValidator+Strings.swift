extension JSONValidator {
  /// A string, from its opening quote; says whether it holds an escape.
  @inline(__always)
  mutating func string() throws(JSONError) -> Bool {
    position = WordScan.endOfPlainASCII(base, from: position &+ 1, to: end)
    if position < end, base[position] == ASCII.quote {
      position &+= 1
      return false
    }
    return try restOfString()
  }

  /// A string from its first byte that is not plain ASCII.
  private mutating func restOfString() throws(JSONError) -> Bool {
    var isEscaped = false
    while position < end {
      let byte = base[position]
      if byte >= 0x80 {
        try multibyteCharacters()
      } else if byte == ASCII.backslash {
        isEscaped = true
        try escape()
      } else if byte == ASCII.quote {
        position &+= 1
        return isEscaped
      } else if byte < 0x20 {
        throw fault(at: position, "a control character in a string must be escaped")
      }
      position = WordScan.endOfPlainASCII(base, from: position, to: end)
    }
    throw expected("the string's closing quote")
  }

  // MARK: UTF-8

  /// All characters up to the next ASCII byte (RFC 3629 §4: no overlong forms, no surrogates, ≤ U+10FFFF).
  @inline(__always)
  private mutating func multibyteCharacters() throws(JSONError) {
    while position < end {
      let lead = base[position]
      switch lead {
      case 0..<0x80: return
      case 0xC2...0xDF: try continuation(1, second: 0x80...0xBF)
      case 0xE0: try continuation(2, second: 0xA0...0xBF)
      case 0xED: try continuation(2, second: 0x80...0x9F)
      case 0xE1...0xEF: try continuation(2, second: 0x80...0xBF)
      case 0xF0: try continuation(3, second: 0x90...0xBF)
      case 0xF4: try continuation(3, second: 0x80...0x8F)
      case 0xF1...0xF3: try continuation(3, second: 0x80...0xBF)
      default: throw fault(at: position, "the string is not UTF-8")
      }
    }
  }

  /// Passes a lead byte and the `count` bytes that must follow it; the first of them has narrower bounds.
  @inline(__always)
  private mutating func continuation(_ count: Int, second: ClosedRange<UInt8>) throws(JSONError) {
    for index in 1...count {
      let place = position &+ index
      guard place < end else {
        position = end
        throw expected("the rest of a character")
      }
      let byte = base[place]
      guard index == 1 ? second.contains(byte) : byte & 0xC0 == 0x80 else {
        throw fault(at: position, "the string is not UTF-8")
      }
    }
    position &+= count &+ 1
  }

  // MARK: Escapes

  /// An escape, from its backslash.
  private mutating func escape() throws(JSONError) {
    let backslash = position
    position &+= 1
    guard position < end else { throw expected("the rest of an escape") }
    switch base[position] {
    case ASCII.quote, ASCII.backslash, ASCII.slash, UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      position &+= 1
    case UInt8(ascii: "u"):
      try surrogates(after: codeUnit(), at: backslash)
    default:
      throw fault(at: position, "no such escape")
    }
  }

  /// Four hexadecimal digits, from the `u` before them.
  private mutating func codeUnit() throws(JSONError) -> UInt32 {
    position &+= 1
    var unit: UInt32 = 0
    for _ in 0..<4 {
      guard position < end, let digit = ASCII.hexadecimalValue(base[position]) else {
        throw expected("a hexadecimal digit")
      }
      unit = unit << 4 | digit
      position &+= 1
    }
    return unit
  }

  /// The second half of a pair where `unit`, whose escape begins at `backslash`, is a first half.
  private mutating func surrogates(after unit: UInt32, at backslash: Int) throws(JSONError) {
    guard unit & 0xF800 == 0xD800 else { return }
    let lone = fault(at: backslash, "a surrogate must be one of a pair")
    guard unit < 0xDC00 else { throw lone }
    guard position < end else { throw expected("the second half of a surrogate pair") }
    guard base[position] == ASCII.backslash else { throw lone }
    position &+= 1
    guard position < end else { throw expected("the second half of a surrogate pair") }
    guard base[position] == UInt8(ascii: "u"), try codeUnit() & 0xFC00 == 0xDC00 else { throw lone }
  }
}

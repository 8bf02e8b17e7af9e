extension JSONValidator {
  /// A number (RFC 8259 §6), from its first byte, which is a minus or a digit.
  @inline(__always)
  mutating func number() throws(JSONError) {
    if base[position] == ASCII.minus {
      position &+= 1
    }
    if position < end, base[position] == ASCII.zero {
      position &+= 1
      if position < end, ASCII.isDigit(base[position]) {
        throw fault(at: position, "no digit may follow a leading 0")
      }
    } else {
      try digits()
    }
    if position < end, base[position] == ASCII.period {
      position &+= 1
      try digits()
    }
    if position < end, base[position] | 0x20 == UInt8(ascii: "e") {
      position &+= 1
      if position < end, base[position] == ASCII.plus || base[position] == ASCII.minus {
        position &+= 1
      }
      try digits()
    }
  }

  /// One digit or more.
  @inline(__always)
  private mutating func digits() throws(JSONError) {
    guard position < end, ASCII.isDigit(base[position]) else { throw expected("a digit") }
    repeat { position &+= 1 } while position < end && ASCII.isDigit(base[position])
  }

  /// `true`, `false` or `null`, from its first byte.
  @inline(__always)
  mutating func literal(_ word: StaticString) throws(JSONError) {
    for index in 0..<word.utf8CodeUnitCount {
      guard position < end, base[position] == word.utf8Start[index] else { throw expected("\(word)") }
      position &+= 1
    }
  }
}

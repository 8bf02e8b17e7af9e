/// Checks one whole text against RFC 8259 in a single pass, without recursion.
///
/// Where it stands is a position and two facts about the nesting: how deep, and for each level whether it is an
/// object (one bit each, so the bits are the whole stack). Errors name the first byte, in the text's order, that
/// no valid text could have there.
struct JSONValidator: ~Copyable {
  /// Levels of arrays and objects that a text may have which comes from outside; the outermost is the first.
  static let maximumDepth = 128

  let base: UnsafePointer<UInt8>
  let end: Int
  var position = 0

  /// Levels that this text may have, at most twice `maximumDepth`.
  private let levels: Int
  private var depth = 0
  /// Bit 0 says whether the innermost level is an object, bit 1 the one around it.
  private var objects: UInt128 = 0
  /// The same of the outermost `maximumDepth` levels, while there are more.
  private var outerObjects: UInt128 = 0
  private var names = NameSet()

  /// A validator of `bytes`, which must outlive it.
  init(_ bytes: UnsafeBufferPointer<UInt8>, levels: Int = maximumDepth) {
    self.levels = min(levels, 2 * Self.maximumDepth)
    // An empty buffer may have no address; no byte of it is ever read.
    base = bytes.baseAddress ?? UnsafePointer(bitPattern: 1).unsafelyUnwrapped
    end = bytes.count
  }

  /// Where the value lies in the text, the white space around it left off; O(n).
  mutating func validate() throws(JSONError) -> Range<Int> {
    _ = nextByte()
    let start = position

    document: while true {
      // A value has to come here.
      switch nextByte() {
      case ASCII.quote:
        _ = try string()
      case ASCII.minus, ASCII.zero...ASCII.nine:
        try number()
      case ASCII.openBrace:
        try open(object: true)
        if nextByte() != ASCII.closeBrace {
          try name()
          continue document
        }
        close()
      case ASCII.openBracket:
        try open(object: false)
        if nextByte() != ASCII.closeBracket { continue document }
        close()
      case UInt8(ascii: "t"):
        try literal("true")
      case UInt8(ascii: "f"):
        try literal("false")
      case UInt8(ascii: "n"):
        try literal("null")
      default:
        throw expected("a value")
      }

      // A value has ended here: the level goes on or ends, and with it the next, and so on.
      while depth > 0 {
        let byte = nextByte()
        let inObject = objects & 1 == 1
        if byte == ASCII.comma {
          position &+= 1
          if inObject {
            _ = nextByte()
            try name()
          }
          continue document
        }
        guard byte == (inObject ? ASCII.closeBrace : ASCII.closeBracket) else {
          throw expected(inObject ? "a comma or }" : "a comma or ]")
        }
        close()
      }
      break
    }

    let valueEnd = position
    _ = nextByte()
    guard position == end else { throw fault(at: position, "nothing may follow the value") }
    return start..<valueEnd
  }

  // MARK: Nesting

  @inline(__always)
  private mutating func open(object: Bool) throws(JSONError) {
    guard depth < levels else {
      throw fault(at: position, "arrays and objects may nest at most \(levels) deep")
    }
    if depth == Self.maximumDepth { outerObjects = objects }
    depth &+= 1
    objects = objects &<< 1 | (object ? 1 : 0)
    if object { names.openObject() }
    position &+= 1
  }

  @inline(__always)
  private mutating func close() {
    if objects & 1 == 1 { names.closeObject() }
    objects = objects &>> 1
    depth &-= 1
    if depth == Self.maximumDepth { objects = outerObjects }
    position &+= 1
  }

  /// A member's name and the colon after it.
  @inline(__always)
  private mutating func name() throws(JSONError) {
    let quote = position
    guard quote < end, base[quote] == ASCII.quote else { throw expected("a member name in quotes") }
    let isEscaped = try string()
    guard names.insert((quote &+ 1)..<(position &- 1), isEscaped: isEscaped, of: base) else {
      throw fault(at: quote, "the member name was there already")
    }
    guard nextByte() == ASCII.colon else { throw expected("a colon") }
    position &+= 1
  }

  // MARK: Bytes and faults

  /// Passes white space over and gives the byte after it, at `position`; 0 (never valid there) at the end.
  @inline(__always)
  mutating func nextByte() -> UInt8 {
    while position < end {
      let byte = base[position]
      guard ASCII.isSpace(byte) else { return byte }
      position &+= 1
    }
    return 0
  }

  func fault(at offset: Int, _ message: String) -> JSONError {
    JSONError(offset: offset, message: message)
  }

  func expected(_ what: String) -> JSONError {
    position < end
      ? fault(at: position, "\(what) was expected")
      : fault(at: end, "the text ended where \(what) was expected")
  }
}

/// Walks validated text without checking it again.
///
/// It keeps within its bytes whatever they are; that they are JSON is what makes its answers right.
struct JSONCursor {
  let base: UnsafePointer<UInt8>
  let end: Int
  var position: Int

  /// A cursor at `start` of `bytes`, which must outlive it.
  init(_ bytes: UnsafeBufferPointer<UInt8>, at start: Int = 0) {
    // An empty buffer may have no address; no byte of it is ever read.
    base = bytes.baseAddress ?? UnsafePointer(bitPattern: 1).unsafelyUnwrapped
    end = bytes.count
    position = start
  }

  /// A string's contents, without its quotes.
  struct StringPlace {
    var range: Range<Int>
    var isEscaped: Bool
  }

  /// The byte at the position; 0 at the end.
  @inline(__always)
  var byte: UInt8 { position < end ? base[position] : 0 }

  /// The byte at `offset` of the text; 0 outside it.
  @inline(__always)
  func byte(at offset: Int) -> UInt8 { offset < end ? base[offset] : 0 }

  /// The bytes of `range`.
  @inline(__always)
  func bytes(_ range: Range<Int>) -> UnsafeBufferPointer<UInt8> {
    UnsafeBufferPointer(start: base + range.lowerBound, count: range.count)
  }

  /// Passes white space over and gives the byte after it; 0 at the end.
  @inline(__always)
  mutating func nextByte() -> UInt8 {
    while position < end {
      let byte = base[position]
      guard ASCII.isSpace(byte) else { return byte }
      position &+= 1
    }
    return 0
  }

  // MARK: Members and elements

  /// Steps into the object or array at the position; false (and past its end) where it is empty.
  @inline(__always)
  mutating func enter() -> Bool {
    position = min(position &+ 1, end)
    let byte = nextByte()
    guard byte == ASCII.closeBrace || byte == ASCII.closeBracket || byte == 0 else { return true }
    position = min(position &+ 1, end)
    return false
  }

  /// After a member or element: moves on to the next; false (and past the container's end) where there is none.
  @inline(__always)
  mutating func advance() -> Bool {
    let byte = nextByte()
    position = min(position &+ 1, end)
    guard byte == ASCII.comma else { return false }
    _ = nextByte()
    return position < end
  }

  /// Reads the name at the position and stops at the member's value.
  @inline(__always)
  mutating func name() -> StringPlace {
    let place = string()
    _ = nextByte()
    position = min(position &+ 1, end)
    _ = nextByte()
    return place
  }

  // MARK: Values

  /// Reads the string at the position.
  @inline(__always)
  mutating func string() -> StringPlace {
    let start = min(position &+ 1, end)
    var isEscaped = false
    position = start
    while true {
      position = WordScan.endOfUnescaped(base, from: position, to: end)
      guard byte == ASCII.backslash else { break }
      isEscaped = true
      position = min(position &+ 2, end)
    }
    let range = start..<position
    position = min(position &+ 1, end)
    return StringPlace(range: range, isEscaped: isEscaped)
  }

  /// Passes the value at the position and gives its place; O(its length), without recursion.
  @inline(__always)
  mutating func value() -> Range<Int> {
    let start = position
    switch byte {
    case ASCII.quote: _ = string()
    case ASCII.openBrace, ASCII.openBracket: passContainer()
    default: passWord()
    }
    return start..<position
  }

  /// A number or a literal: everything up to a byte that ends it.
  @inline(__always)
  private mutating func passWord() {
    while position < end {
      switch base[position] {
      case ASCII.comma, ASCII.closeBrace, ASCII.closeBracket, 0...0x20: return
      default: position &+= 1
      }
    }
  }

  private mutating func passContainer() {
    var depth = 0
    while position < end {
      switch base[position] {
      case ASCII.quote:
        _ = string()
        continue
      case ASCII.openBrace, ASCII.openBracket:
        depth &+= 1
      case ASCII.closeBrace, ASCII.closeBracket:
        depth &-= 1
        if depth == 0 {
          position &+= 1
          return
        }
      default: break
      }
      position &+= 1
    }
  }

  /// Lends a string's unescaped contents; O(n).
  @inline(__always)
  func withContents<R>(_ place: StringPlace, _ body: (UnsafeBufferPointer<UInt8>) -> R) -> R {
    guard place.isEscaped else { return body(bytes(place.range)) }
    return JSONEscapes.unescaped(bytes(place.range)).withUnsafeBufferPointer(body)
  }

  /// Whether two strings, of this and another cursor's text, have the same contents; O(n).
  @inline(__always)
  func isSame(_ place: StringPlace, _ otherPlace: StringPlace, of other: JSONCursor) -> Bool {
    let mine = bytes(place.range)
    let others = other.bytes(otherPlace.range)
    if !place.isEscaped, !otherPlace.isEscaped { return mine.hasSameBytes(as: others) }
    return JSONEscapes.unescaped(mine) == JSONEscapes.unescaped(others)
  }

  /// Whether a string's contents are `name`; O(n).
  @inline(__always)
  func isSame(_ place: StringPlace, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
    guard place.isEscaped else { return bytes(place.range).hasSameBytes(as: name) }
    // An escape is never shorter than what it stands for.
    guard place.range.count > name.count else { return false }
    return JSONEscapes.unescaped(bytes(place.range)).elementsEqual(name)
  }
}

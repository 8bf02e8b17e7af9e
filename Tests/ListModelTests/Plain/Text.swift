import JSONText

/// A string that is compared byte by byte: two spellings that look alike are two texts.
struct Text: Hashable, Sendable, Comparable, ExpressibleByStringLiteral, CustomStringConvertible {
  var string: String

  init(_ string: String) { self.string = string }
  init(stringLiteral value: String) { string = value }
  init(_ bytes: Bytes) { string = bytes.string }

  var bytes: Bytes { Bytes(string) }
  var count: Int { string.utf8.count }
  var isEmpty: Bool { string.isEmpty }
  var description: String { string }

  static func == (a: Text, b: Text) -> Bool { a.string.utf8.elementsEqual(b.string.utf8) }
  static func < (a: Text, b: Text) -> Bool { a.string.utf8.lexicographicallyPrecedes(b.string.utf8) }

  func hash(into hasher: inout Hasher) {
    var copy = string
    copy.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

import JSONText

/// The `Link` header field (RFC 8288 §3).
enum LinkField {
  /// The target of the first link whose relation types have `next` among them; nil where there is none.
  ///
  /// A link with an `anchor` is about another page and is passed over. What is no link ends the reading of its field.
  static func next(in fields: [Bytes]) -> Bytes? {
    for field in fields {
      var scanner = Scanner(text: field)
      while let link = scanner.link() {
        if link.isNext && !link.hasAnchor { return link.target }
      }
    }
    return nil
  }

  private struct Link {
    var target: Bytes
    var isNext = false
    var hasAnchor = false
  }

  private struct Scanner {
    let text: Bytes
    var index = 0

    init(text: Bytes) { self.text = text }

    private var byte: UInt8? { index < text.count ? text[index] : nil }

    private mutating func skip(_ skipped: String) {
      while let byte, skipped.utf8.contains(byte) { index += 1 }
    }

    /// `<target>` and its parameters, up to the comma behind them.
    mutating func link() -> Link? {
      skip(" \t,")
      guard byte == UInt8(ascii: "<") else { return nil }
      index += 1
      let start = index
      while let byte, byte != UInt8(ascii: ">") { index += 1 }
      guard byte != nil else { return nil }
      var link = Link(target: text[start..<index].compacted())
      index += 1
      var hasRelation = false
      while true {
        skip(" \t")
        guard byte == UInt8(ascii: ";") else { break }
        index += 1
        skip(" \t")
        let name = token()
        skip(" \t")
        var value: [UInt8] = []
        if byte == UInt8(ascii: "=") {
          index += 1
          skip(" \t")
          value = byte == UInt8(ascii: "\"") ? quoted() : token()
        }
        if isName(name, "anchor") { link.hasAnchor = true }
        if isName(name, "rel"), !hasRelation {
          hasRelation = true  // only the first counts (§3.3)
          link.isNext = value.split(whereSeparator: { $0 == 0x20 || $0 == 0x09 }).contains {
            isName(Array($0), "next")
          }
        }
      }
      // Whatever stands before the next comma is passed over.
      while let byte, byte != UInt8(ascii: ",") { index += 1 }
      return link
    }

    private mutating func token() -> [UInt8] {
      var token: [UInt8] = []
      while let byte, !" \t;,=\"".utf8.contains(byte) {
        token.append(byte)
        index += 1
      }
      return token
    }

    private mutating func quoted() -> [UInt8] {
      var value: [UInt8] = []
      index += 1
      while var next = byte, next != UInt8(ascii: "\"") {
        if next == UInt8(ascii: "\\"), index + 1 < text.count {
          index += 1
          next = text[index]
        }
        value.append(next)
        index += 1
      }
      if byte != nil { index += 1 }
      return value
    }

    private func isName(_ written: [UInt8], _ name: StaticString) -> Bool {
      written.count == name.utf8CodeUnitCount
        && zip(written, UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)).allSatisfy
        {
          ($0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") ? $0 | 0x20 : $0) == $1
        }
    }
  }
}

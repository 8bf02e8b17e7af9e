import JSONText
import Screen
import Testing

@Suite("A line of a terminal") struct StyledLineTests {
  private func line(_ text: String, limit: Int = .max) -> StyledLine {
    var line = StyledLine(limit: limit)
    line.append(text)
    return line
  }

  @Test(
    "shows nothing that commands a terminal, breaks the line, reorders it or hides",
    arguments: [
      ("\u{1B}[2Jx", "␛[2Jx"), ("\u{1B}]0;title\u{7}", "␛]0;title␇"), ("a\u{9B}31mb", "a�31mb"),
      ("a\u{0}\u{8}\u{7F}", "a␀␈␡"), ("a\nb\r\nc\td", "a b c d"), ("a\u{85}b\u{2028}c\u{2029}d", "a b c d"),
      ("a\u{202E}b\u{2066}c\u{200F}d\u{61C}", "abcd"), ("a\u{200B}\u{FEFF}\u{AD}\u{2060}b", "ab"),
      ("\u{E0041}\u{E007F}a\u{FFF9}b", "ab"), ("\u{90}tmux\u{9C}", "�tmux�"),
    ])
  func hostile(text: String, shown: String) {
    #expect(line(text).plain == shown)
    #expect(line(text).styled == shown)
  }

  @Test("lets no scalar through that is a control, whatever surrounds it")
  func everyControl() {
    for value in Array(0..<0x20) + Array(0x7F..<0xA0) {
      guard let control = Unicode.Scalar(UInt32(value)) else { continue }
      for text in ["\(control)", "e\(control)\u{301}", "👩\(control)👩", "\(control)\(control)x"] {
        let isClean = line(text).styled.unicodeScalars.allSatisfy {
          $0.properties.generalCategory != .control
        }
        #expect(isClean, "U+\(String(value, radix: 16))")
      }
    }
  }

  @Test(
    "measures what it shows in columns",
    arguments: [
      ("abc", 3), ("é", 1), ("e\u{301}", 1), ("水素", 4), ("ｱ", 1), ("Ａ", 2), ("한글", 4),
      ("\u{1112}\u{1161}\u{11AB}", 2),
      ("😀", 2), ("👨‍👩‍👧‍👦", 2), ("👍🏽", 2), ("🇩🇪", 2), ("❤️", 2), ("❤︎", 1), ("1️⃣", 2), ("क्षि", 3), ("ﷺ", 1),
      ("\u{301}", 0), ("\u{200D}", 0), ("", 0),
    ])
  func widths(text: String, columns: Int) {
    #expect(line(text).columns == columns)
  }

  @Test("draws no towers of marks")
  func marks() {
    let tower = line("a" + String(repeating: "\u{301}", count: 5_000))
    #expect(tower.columns == 1 && tower.plain.unicodeScalars.count <= 16)
  }

  @Test(
    "is cut to its window, between characters, and says so",
    arguments: [
      ("abcdef", 6, "abcdef"), ("abcdefg", 6, "abcde…"), ("水素水素", 8, "水素水素"), ("水素水素", 7, "水素水…"),
      ("水素水素", 6, "水素…"), ("水", 1, "…"), ("ab", 1, "…"), ("a", 1, "a"), ("a", 0, ""), ("👨‍👩‍👧‍👦👨‍👩‍👧‍👦", 3, "👨‍👩‍👧‍👦…"),
    ])
  func cutting(text: String, limit: Int, shown: String) {
    let whole = line(text, limit: limit)
    #expect(whole.plain == shown && whole.columns <= limit)
    // The same, piece by piece: what fits alone must make room when more comes.
    var pieces = StyledLine(limit: limit)
    for character in text { pieces.append(String(character), .strong) }
    #expect(pieces.plain == shown && pieces.columns <= limit)
  }

  @Test("styles pieces, and nothing else is an escape sequence")
  func styles() {
    var line = StyledLine(limit: 7)
    line.append("a", .bad)
    line.append("b\u{1B}")
    line.pad(to: 5)
    line.append("cdef", .dim)
    #expect(line.styled == "\u{1B}[31ma\u{1B}[0mb␛  \u{1B}[2mc\u{1B}[0m\u{1B}[2m…\u{1B}[0m")
    #expect(line.plain == "ab␛  c…")
  }

  @Test("of JSON says the same and is harmless")
  func json() throws {
    let text: Bytes = "{ \"a\" : [1.0, \"\u{7F}\u{80}\u{9B}31m\u{A0}ü\u{2028}\\u001b\"] }"
    let value = try JSONValue(parsing: text)
    let expected = "{\"a\":[1.0,\"\\u007f\\u0080\\u009b31m\u{A0}ü\u{2028}\\u001b\"]}\n"
    #expect(String(decoding: value.line, as: UTF8.self) == expected)
    #expect(try JSONValue(parsing: Bytes(value.line)).isEqual(to: value))
  }
}

import JSONText
import Testing

@Suite("Objects of very many members")
struct LargeObjectTests {
  private static let count = 100_000

  private func text(_ names: some Sequence<String>) -> Bytes {
    Bytes("{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}")
  }

  private func offset(_ text: Bytes) -> Int? {
    do {
      _ = try JSONValue(parsing: text)
      return nil
    } catch {
      return error.offset
    }
  }

  @Test(
    "are validated, compared in any order, hashed and merged in far less than quadratic time",
    .timeLimit(.minutes(1)))
  func many() throws {
    let names = (0..<Self.count).map { "name-\($0)" }
    let value = try JSONValue(parsing: text(names))
    let reversed = try JSONValue(parsing: text(names.reversed()))
    #expect(value.count == Self.count)
    #expect(value.isEqual(to: reversed))
    #expect(value.contentHash(seed: 7) == reversed.contentHash(seed: 7))
    #expect(value.merging(reversed).text == value.text)
    #expect(!value.isEqual(to: try JSONValue(parsing: text(names.dropLast() + ["other"]))))
  }

  @Test("have their repeated name noticed wherever it stands, also escaped")
  func repeated() {
    let names = (0..<2000).map { "name-\($0)" }
    let length = text(names).count
    for repeated in ["name-0", "name-11", "name-12", "name-1999", "\\u006eame-77", "n\\u0061me-1999"] {
      #expect(offset(text(names + [repeated])) == length, "\(repeated)")
      #expect(offset(text([repeated] + names)) != nil, "\(repeated)")
    }
  }

  @Test("keep their names to themselves when they nest and end")
  func nested() throws {
    let wide = (0..<40).map { "\"k\($0)\":0" }.joined(separator: ",")
    let once = "{\(wide)}"
    #expect(offset(Bytes("[" + [String](repeating: once, count: 50).joined(separator: ",") + "]")) == nil)
    var nested = once
    for _ in 0..<100 { nested = "{\(wide),\"inner\":\(nested),\"after\":\(once)}" }
    #expect(offset(Bytes(nested)) == nil)
    // After inner objects have ended, the outer one still knows its names.
    let text = "{\(wide),\"inner\":\(nested),\"k39\":0}"
    #expect(offset(Bytes(text)) == text.utf8.count - 8)
    // Few names before an inner object of many, more than few in the end.
    let later = "{\"a\":\(once),\"b\":\(once),\(wide),\"c\":\(once),\"b\":0}"
    #expect(offset(Bytes(later)) == later.utf8.count - 6)
  }
}

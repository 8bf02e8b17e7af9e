import JSONText
import Testing
import TestSupport

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
    .timeLimit(.minutes(5)))
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

  @Test("have the first repeated name named, in nests of any width")
  func repeatedByChance() {
    for seed in UInt64(0)..<500 {
      var random = Seeded(seed)
      var text = "["
      var expected: Int?
      // Written from the start to the end, so that the first name to come again is the one at fault.
      func writeObject(depth: Int) {
        text += "{"
        var names: Set<Int> = []
        for index in 0..<Int.random(in: 0...(random.once(in: 3) ? 50 : 14), using: &random) {
          if index > 0 { text += "," }
          var name = Int.random(in: 0..<1_000_000, using: &random)
          if random.once(in: 400), let known = names.randomElement(using: &random) { name = known }
          if !names.insert(name).inserted, expected == nil { expected = text.utf8.count }
          text += random.once(in: 30) ? "\"\\u006e\(name)\":" : "\"n\(name)\":"
          if depth < 6, random.once(in: 12) { writeObject(depth: depth + 1) } else { text += "0" }
        }
        text += "}"
      }
      writeObject(depth: 0)
      text += ","
      writeObject(depth: 0)
      text += "]"
      #expect(offset(Bytes(text)) == expected, "seed \(seed)")
    }
  }

  @Test("and nests as deep as may be, cost no more for each level", .timeLimit(.minutes(5)))
  func deep() throws {
    let numbers = "[" + [String](repeating: "1", count: 300_000).joined(separator: ",") + "]"
    func nest(_ before: String, _ core: String, _ after: String) throws -> JSONValue {
      let open = String(repeating: "{" + before + "\"a\":", count: 126)
      let close = String(repeating: after + "}", count: 126)
      return try JSONValue(parsing: Bytes(open + core + close))
    }
    let ordered = try nest("\"x\":1,", numbers, "")
    let swapped = try nest("", numbers, ",\"x\":1")
    #expect(ordered.isEqual(to: swapped))
    #expect(!ordered.isEqual(to: try nest("", "[1]", ",\"x\":1")))
    let target = try nest("", "{}", "")
    let patch = try nest("", "{\"b\":\(numbers)}", "")
    #expect(target.merging(patch).text == patch.text)
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

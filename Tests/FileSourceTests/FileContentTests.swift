import FileSource
import JSONText
import ListModel
import SourceContract
import Testing
import TestSupport

/// JSON texts and JSON Lines, and how it is told which of the formats a file has.
@Suite(.timeLimit(.minutes(5)))
struct FileContentTests {
  static let readable: [(name: String, content: String, ids: [String])] = [
    ("list.json", #"[{"id":"a"},{"id":"b"}]"#, ["a", "b"]),
    ("LIST.JSON", " [ { \"id\" : 7 } ]\n", ["7"]),
    ("list.json", "\u{FEFF}[{\"id\":\"a\"}]", ["a"]),
    ("list.json", "[]", []),
    ("list.jsonl", "{\"id\":\"a\"}\n{\"id\":\"b\"}\n", ["a", "b"]),
    ("list.NDJSON", "{\"id\":\"a\"}\r\n{\"id\":\"b\"}", ["a", "b"]),
    ("list.ndjson", "\u{FEFF}\n  \n{\"id\":\"a\"}\n\r\n\t\n {\"id\":\"b\"} \n\n", ["a", "b"]),
    ("list.ndjson", "", []),
    ("list.ndjson", "\n\n", []),
    ("list.Csv", "id\na\nb\n", ["a", "b"]),
    ("a.csv.json", #"[{"id":"a"}]"#, ["a"]),
    ("list", #"[{"id":"a"}]"#, ["a"]),
    ("list.txt", " \n[{\"id\":\"a\"}]", ["a"]),
    ("list.data", "{\"id\":\"a\"}\n{\"id\":\"b\"}", ["a", "b"]),
    ("list.txt", "id,n\na,1\n", ["a"]),
    ("json", "id\na\n", ["a"]),
  ]

  @Test("A file's format is told by its extension, else by its first byte", arguments: readable)
  func reads(name: String, content: String, ids: [String]) async throws {
    let page = try await page(ofFileWith: Array(content.utf8), named: name).get()
    #expect(page.items.map(\.id.string) == ids)
  }

  @Test("An unnamed document with items below its root is one JSON text")
  func readsUnnamedDocument() async throws {
    let content = Array("{\"data\":[{\"id\":\"a\"},\n{\"id\":\"b\"}]}".utf8)
    let page = try await page(ofFileWith: content, named: "list", items: JSONPointer(tokens: ["data"])).get()
    #expect(page.items.map(\.id.string) == ["a", "b"])
  }

  @Test("Data keeps its numbers, strings and order, without white space")
  func keepsText() async throws {
    let content = #"[ {"z" : 1.0, "id" : 12345678901234567890, "a" : "\u0041\n", "e" : [ 1e5 , -0 ] } ]"#
    #expect(
      try await data(ofFileWith: content, named: "list.json")
        == [#"{"z":1.0,"id":12345678901234567890,"a":"\u0041\n","e":[1e5,-0]}"#])
  }

  static let faulty: [(name: String, content: String, items: [Bytes], detail: String)] = [
    ("list.json", "", [], "no strict JSON at byte 0: "),
    ("list.json", "[{\"id\":1},]", [], "no strict JSON at byte 10: "),
    ("list.json", "\u{FEFF}[1,]", [], "no strict JSON at byte 6: "),
    ("list.json", "[] []", [], "no strict JSON at byte 3: "),
    ("list.json", "[{\"id\":1,\"id\":2}]", [], "no strict JSON at byte "),
    ("list.json", "[\"\\ud800\"]", [], "no strict JSON at byte "),
    ("list.json", "{\"items\":[]}", [], "the whole text is no array of items but an object"),
    ("list.json", "\"[]\"", [], "the whole text is no array of items but a string"),
    (
      "list.json", "{\"items\":{}}", ["items"], "what stands at \"/items\" is no array of items but an object"
    ),
    ("list.json", "{\"items\":null}", ["items"], "what stands at \"/items\" is no array of items but null"),
    ("list.json", "{\"item\":[]}", ["items"], "the pointer to the items, \"/items\", leads nowhere"),
    ("list.json", "[]", ["a/b"], "the pointer to the items, \"/a~1b\", leads nowhere"),
    ("list.jsonl", "{\"id\":1}\n\n{\"id\":2\n", [], "line 3: no strict JSON at byte 7 of the line: "),
    ("list.jsonl", "[{\"id\":1},\n{\"id\":2}]", [], "line 1: no strict JSON at byte 10 of the line: "),
    ("list.jsonl", "{\"id\":1}\n\u{FEFF}{\"id\":2}", [], "line 2: no strict JSON at byte 0 of the line: "),
    ("list.jsonl", "{\"id\":1} {\"id\":2}", [], "line 1: no strict JSON at byte 9 of the line: "),
    ("list.jsonl", "{\"id\":1}\r{\"id\":2}", [], "line 1: no strict JSON at byte 9 of the line: "),
    ("list.json", "[{\"name\":\"a\"},{\"id\":\"\"}]", [], "none of the 2 items of the page has a usable id"),
  ]

  @Test("A faulty text is malformed, with the place of the fault", arguments: faulty)
  func refuses(name: String, content: String, items: [Bytes], detail: String) async throws {
    let failure = try await failure(
      ofFileWith: Array(content.utf8), named: name, items: JSONPointer(tokens: items))
    #expect(failure?.code == .malformed)
    #expect(failure?.detail.hasPrefix("\(name): \(detail)") == true, "\(failure?.detail ?? "no failure")")
  }

  @Test("Bytes that are no UTF-8 are malformed in every format", arguments: ["json", "jsonl", "csv", "txt"])
  func refusesOtherEncodings(fileExtension: String) async throws {
    for content in [[0xFF, 0xFE, 0x5B, 0x00], Array("[\"".utf8) + [0xC3, 0x28] + Array("\"]".utf8)]
      as [[UInt8]]
    {
      let failure = try await failure(ofFileWith: content, named: "list.\(fileExtension)")
      #expect(failure?.code == .malformed)
    }
  }

  @Test("Random bytes never do worse than fail", arguments: [1, 2, 3, 4] as [UInt64])
  func survivesNoise(seed: UInt64) async throws {
    var random = Seeded(seed)
    let (folder, source) = (try TemporaryFolder(), FileSource())
    let alphabet = Array("{}[]\",:\n\r\\ id1e".utf8) + [0xEF, 0xBB, 0xBF, 0xC3, 0xA9, 0x00]
    for _ in 0..<50 {
      let content = (0..<Int.random(in: 0...60, using: &random)).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      }
      for name in ["list.json", "list.jsonl", "list.csv", "list"] {
        let result = await source.page(request(try folder.write(content, to: name)))
        #expect(result.failure == nil || result.failure?.code == .malformed, "seed \(seed), \(content)")
      }
    }
  }
}

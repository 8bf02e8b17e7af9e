import JSONText
import Testing
import TestSupport

@Suite("JSON Pointer")
struct PointerTests {
  /// RFC 6901 §5.
  private static let document = #"""
    {"foo":["bar","baz"],"":0,"a/b":1,"c%d":2,"e^f":3,"g|h":4,"i\\j":5,"k\"l":6," ":7,"m~n":8}
    """#

  @Test(
    "the examples of RFC 6901 §5",
    arguments: [
      ("/foo", #"["bar","baz"]"#), ("/foo/0", #""bar""#), ("/", "0"), ("/a~1b", "1"), ("/c%d", "2"),
      ("/e^f", "3"),
      ("/g|h", "4"), (#"/i\j"#, "5"), (#"/k"l"#, "6"), ("/ ", "7"), ("/m~0n", "8"), ("", document),
    ])
  func examples(_ pointer: String, _ expected: String) throws {
    let document = try JSONValue(parsing: Bytes(Self.document))
    let parsed = try #require(JSONPointer(Bytes(pointer)))
    #expect(document.value(at: parsed)?.text == Bytes(expected))
    #expect(parsed.text == Bytes(pointer))
  }

  @Test(
    "what resolves to nothing",
    arguments: [
      "/foo/2", "/foo/00", "/foo/01", "/foo/-", "/foo/-1", "/foo/+1", "/foo/1e0", "/foo/ 1", "/foo/",
      "/foo/0/0",
      "/bar", "/foo/18446744073709551616", "/foo/9999999999999999999999", "//", "/a", "/foo/１",
    ])
  func unresolved(_ pointer: String) throws {
    let document = try JSONValue(parsing: Bytes(Self.document))
    #expect(document.value(at: try #require(JSONPointer(Bytes(pointer)))) == nil)
  }

  @Test("what is no pointer", arguments: ["a", "a/b", "/~", "/~2", "/a~", "/~~0", " /a", "#/a", "~0"])
  func malformed(_ text: String) {
    #expect(JSONPointer(Bytes(text)) == nil)
  }

  @Test("tokens are escaped and unescaped in one pass")
  func tokens() throws {
    #expect(JSONPointer("/~01/~10//")?.tokens == ["~1", "/0", "", ""])
    #expect(JSONPointer(tokens: ["~1", "/0", "", "~", "a~0"]).text == "/~01/~10//~0/a~00")
    #expect(JSONPointer().appending("a/b").appending(3).text == "/a~1b/3")
    for seed in UInt64(0)..<200 {
      var random = Seeded(seed)
      let tokens = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        Bytes(
          String(
            (0..<Int.random(in: 0...4, using: &random)).compactMap { _ in
              "~/01é".randomElement(using: &random)
            }))
      }
      #expect(JSONPointer(JSONPointer(tokens: tokens).text)?.tokens == tokens, "seed \(seed)")
    }
  }
}

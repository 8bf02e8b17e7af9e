import JSONText
import Testing
import TestSupport

@Suite("Equality, hashing and minifying")
struct EqualityTests {
  private func value(_ text: String) throws -> JSONValue { try JSONValue(parsing: Bytes(text)) }

  @Test(
    "white space, member order and escapes do not matter",
    arguments: [
      (#"{"a":1,"b":2}"#, #"{ "b" : 2 , "a" : 1 }"#), (#""\u0041\/""#, #""A/""#),
      (#"{"\u0061":"é"}"#, #"{"a":"\u00E9"}"#),
      ("[1, 2]", "[1,2]"), (#"{"a":{"b":1,"c":2}}"#, #"{"a":{"c":2,"b":1}}"#), ("[]", "[ ]"), ("{}", "{ }"),
      (#""😀""#, #""\ud83D\uDe00""#), (#"{"a":1,"b":2,"c":3}"#, #"{"a":1,"c":3,"b":2}"#),
    ])
  func equal(_ a: String, _ b: String) throws {
    #expect(try value(a).isEqual(to: value(b)))
    #expect(try value(b).isEqual(to: value(a)))
    #expect(try value(a).contentHash(seed: 3) == value(b).contentHash(seed: 3))
  }

  @Test(
    "numbers count by their text, and everything else that is said counts",
    arguments: [
      ("1", "1.0"), ("0", "-0"), ("1e2", "1E2"), ("100", "1e2"), ("1", "\"1\""), ("null", "\"null\""),
      ("[]", "{}"),
      ("[1,2]", "[2,1]"), ("[1]", "[1,1]"), ("[[]]", "[]"), ("[[1],2]", "[1,[2]]"),
      (#"{"a":1}"#, #"{"a":1,"b":1}"#),
      (#"{"a":1}"#, #"{"b":1}"#), (#"{"a":1,"b":2}"#, #"{"a":2,"b":1}"#),
      (#"{"a":1,"b":2}"#, #"{"b":2,"c":1}"#),
      (#""é""#, #""e\u0301""#), (#""a""#, #""A""#), ("true", "false"), (#"{"a":{}}"#, #"{"a":[]}"#),
      (#""\\n""#, #""\n""#),
      (#"{"a":null}"#, "{}"), ("[null]", "[]"), (#"["a"]"#, #"{"a":null}"#),
      ("12345678901234567890", "12345678901234567891"),
    ])
  func different(_ a: String, _ b: String) throws {
    #expect(try !value(a).isEqual(to: value(b)))
    #expect(try !value(b).isEqual(to: value(a)))
    #expect(try value(a).contentHash(seed: 3) != value(b).contentHash(seed: 3))
  }

  @Test("hashes depend on the seed")
  func seeds() throws {
    let value = try value(#"{"a":[1,"x"]}"#)
    #expect(Set((0..<100).map { value.contentHash(seed: $0) }).count == 100)
  }

  @Test("short values hash apart")
  func spread() throws {
    var hashes: Set<UInt64> = []
    var values = 0
    for number in 0..<20_000 {
      for text in ["\(number)", "\"\(number)\"", "[\(number)]", "{\"a\":\(number)}", "{\"\(number)\":0}"] {
        hashes.insert(JSONValue(trusted: Bytes(text)).contentHash(seed: 11))
        values += 1
      }
    }
    // Strings of the same beginning and end, at all lengths around the hash's steps.
    for length in 1...100 {
      for place in 0..<length {
        var bytes = [UInt8](repeating: 0x61, count: length)
        bytes[place] = 0x62
        hashes.insert(JSONValue.string(Bytes(bytes)).contentHash(seed: 11))
        values += 1
      }
    }
    #expect(hashes.count == values)
  }

  @Test("laws on documents of chance")
  func laws() throws {
    for seed in UInt64(0)..<3000 {
      var random = Seeded(seed)
      let node = Node.random(&random)
      let plain = try value(node.text)
      let disguised = try value(node.disguised(&random))
      #expect(plain.isEqual(to: disguised) && disguised.isEqual(to: plain), "seed \(seed)")
      #expect(plain.contentHash(seed: seed) == disguised.contentHash(seed: seed), "seed \(seed)")

      let other = node.altered(&random)
      let altered = try value(other.disguised(&random))
      let same = node.says(theSameAs: other)
      #expect(disguised.isEqual(to: altered) == same, "seed \(seed)")
      #expect(altered.isEqual(to: disguised) == same, "seed \(seed)")
      #expect((disguised.contentHash(seed: seed) == altered.contentHash(seed: seed)) == same, "seed \(seed)")

      let minified = disguised.minified()
      #expect(minified.isEqual(to: disguised), "seed \(seed)")
      #expect(try JSONValue(parsing: minified.text).text == minified.text, "seed \(seed)")
      #expect(minified.minified().text == minified.text, "seed \(seed)")
      #expect(plain.minified().text == plain.text, "seed \(seed)")
    }
  }

  @Test("minifying keeps the storage where there is nothing to take out")
  func minify() throws {
    #expect(
      try value(" { \"a b\" : [ 1 , \"\\\" \" ] ,\n\"c\":{ } } ").minified().text
        == #"{"a b":[1,"\" "],"c":{}}"#)
    let text = Bytes(#"[{"a b":" "}]"#)
    let element = try #require(try JSONValue(parsing: text).element(at: 0))
    #expect(element.minified().text.storageRange == 1..<12)
  }
}

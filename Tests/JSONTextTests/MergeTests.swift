import JSONText
import Testing
import TestSupport

@Suite("Merge patch")
struct MergeTests {
  private func merged(_ target: String, _ patch: String) throws -> String {
    try JSONValue(parsing: Bytes(target)).merging(JSONValue(parsing: Bytes(patch))).text.string
  }

  @Test(
    "the examples of RFC 7396, appendix A",
    arguments: [
      (#"{"a":"b"}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"b"}"#, #"{"b":"c"}"#, #"{"a":"b","b":"c"}"#),
      (#"{"a":"b"}"#, #"{"a":null}"#, "{}"), (#"{"a":"b","b":"c"}"#, #"{"a":null}"#, #"{"b":"c"}"#),
      (#"{"a":["b"]}"#, #"{"a":"c"}"#, #"{"a":"c"}"#), (#"{"a":"c"}"#, #"{"a":["b"]}"#, #"{"a":["b"]}"#),
      (#"{"a":{"b":"c"}}"#, #"{"a":{"b":"d","c":null}}"#, #"{"a":{"b":"d"}}"#),
      (#"{"a":[{"b":"c"}]}"#, #"{"a":[1]}"#, #"{"a":[1]}"#), (#"["a","b"]"#, #"["c","d"]"#, #"["c","d"]"#),
      (#"{"a":"b"}"#, #"["c"]"#, #"["c"]"#), (#"{"a":"foo"}"#, "null", "null"),
      (#"{"a":"foo"}"#, #""bar""#, #""bar""#),
      (#"{"e":null}"#, #"{"a":1}"#, #"{"e":null,"a":1}"#), ("[1,2]", #"{"a":"b","c":null}"#, #"{"a":"b"}"#),
      ("{}", #"{"a":{"bb":{"ccc":null}}}"#, #"{"a":{"bb":{}}}"#),
    ])
  func appendix(_ target: String, _ patch: String, _ result: String) throws {
    #expect(try merged(target, patch) == result)
  }

  @Test(
    "bytes and order of what is not touched stay; what is new comes last, in the patch's order",
    arguments: [
      (
        #"{"b":1.0,"a":"\u0041","c":{ "x" : 1 }}"#, #"{"z":1,"a2":2}"#,
        #"{"b":1.0,"a":"\u0041","c":{ "x" : 1 },"z":1,"a2":2}"#
      ),
      (#"{"\u0061":1,"b":2}"#, #"{"a":{"c":null,"d":1}}"#, #"{"\u0061":{"d":1},"b":2}"#),
      (#"{"a":1,"b":2,"c":3}"#, #"{"\u0062":null}"#, #"{"a":1,"c":3}"#),
      (#"{"a":{"b":1}}"#, #"{"a":{}}"#, #"{"a":{"b":1}}"#),
      (#"{"a":1}"#, "{}", #"{"a":1}"#), ("1", "{}", "{}"),
      (#"{"a":[1]}"#, #"{"a":{"b":null}}"#, #"{"a":{}}"#),
      // Nulls in arrays are values like any other.
      ("{}", #"{"a":[null,{"b":null}]}"#, #"{"a":[null,{"b":null}]}"#),
      ("null", #"{"a":null,"b":"null"}"#, #"{"b":"null"}"#),
      (" { \"a\" : 1 , \"b\" : [ 1 ] } ", " { \"a\" : null , \"c\" : 2 } ", #"{"b":[ 1 ],"c":2}"#),
    ])
  func placement(_ target: String, _ patch: String, _ result: String) throws {
    #expect(try merged(target, patch) == result)
  }

  @Test("documents of chance merge as RFC 7396 §2 says")
  func laws() throws {
    for seed in UInt64(0)..<3000 {
      var random = Seeded(seed)
      let target = Node.random(&random)
      // A patch that shares names with its target, or any.
      let patch = random.once(in: 3) ? Node.random(&random) : target.altered(&random)
      let expected = target.merged(with: patch)
      #expect(try merged(target.text, patch.text) == expected.text, "seed \(seed)")
      let result = try JSONValue(parsing: Bytes(merged(target.disguised(&random), patch.disguised(&random))))
      #expect(result.isEqual(to: try JSONValue(parsing: Bytes(expected.text))), "seed \(seed)")
    }
  }

  @Test("the deepest target and patch merge without going deeper")
  func depth() throws {
    let open = String(repeating: #"{"a":"#, count: 127)
    let close = String(repeating: "}", count: 127)
    #expect(
      try merged(open + #"{"b":1}"# + close, open + #"{"c":2}"# + close) == open + #"{"b":1,"c":2}"# + close)
  }
}

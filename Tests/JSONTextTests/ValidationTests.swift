import JSONText
import Testing
import TestSupport

@Suite("Validation")
struct ValidationTests {
  /// The offset of the first byte at fault; nil where the text is accepted.
  private func fault(_ text: [UInt8]) -> Int? {
    do {
      _ = try JSONValue(parsing: Bytes(text))
      return nil
    } catch {
      return error.offset
    }
  }

  private func fault(_ text: String) -> Int? { fault(Array(text.utf8)) }

  @Test(
    "valid texts are accepted, and the value's text is what stands between the white space",
    arguments: [
      "null", "true", "false", "0", "-0", "1.5e-7", "12345678901234567890123", "1E+9", "\"\"", "[]", "{}",
      "[1,2,3]", "{\"a\":{\"b\":[{}]}}", #""\u0000\ud83d\uDE00\"\\\/\b\f\n\r\t""#, "\"\u{7F}\u{2028}é日😀\"",
      "{\"é\":1,\"e\u{301}\":2}", "{\"a\":1,\"A\":2,\"\":3}", "[ 1 ,\t2 ,\r\n3 ]",
    ])
  func acceptance(_ text: String) throws {
    #expect(try JSONValue(parsing: Bytes(text)).text == Bytes(text))
    #expect(try JSONValue(parsing: Bytes(" \t\r\n\(text)\n ")).text == Bytes(text))
  }

  @Test(
    "a refusal names the first byte at fault",
    arguments: [
      ("", 0), (" ", 1), ("\u{FEFF}{}", 0), ("NaN", 0), ("Infinity", 0), ("-Infinity", 1), ("nul", 3),
      ("nulL", 3),
      ("truefalse", 4), ("True", 0), ("undefined", 0), ("'a'", 0), ("// a\n1", 0), ("[1/**/]", 2), ("1 2", 2),
      ("{} {}", 3), ("[1,]", 3), ("[,1]", 1), ("[1,,2]", 3), ("[1 2]", 3), ("[1}", 2), ("[1", 2), ("[", 1),
      ("]", 0),
      ("{\"a\":1,}", 7), ("{,}", 1), ("{\"a\"}", 4), ("{\"a\" 1}", 5), ("{\"a\":}", 5), ("{\"a\":1]", 6),
      ("{\"a\":1 \"b\":2}", 7), ("{1:2}", 1), ("{a:1}", 1), ("{\"a\"", 4), ("{\"a\":", 5), ("{", 1),
      ("{\"a\":1,", 7),
      ("01", 1), ("-01", 2), ("00", 1), ("+1", 0), (".5", 0), ("1.", 2), ("1.e1", 2), ("-", 1), ("-a", 1),
      ("--1", 1),
      ("1e", 2), ("1e+", 3), ("1ee1", 2), ("1.5.5", 3), ("0x1", 1), ("1_000", 1), ("[1e]", 3), ("1a", 1),
      ("-.5", 1),
      ("\"", 1), ("\"a", 2), ("\"\\", 2), ("\"\\\"", 3), ("\"\\x\"", 2), ("\"\\u12g4\"", 5),
      ("\"\\u123\"", 6),
      ("\"\\U0041\"", 2), ("\"\t\"", 1), ("\"a\n\"", 2), ("\"12345678\u{1F}\"", 9), ("\"\0\"", 1),
      ("\u{A0}1", 0),
      ("1\u{0C}", 1), ("\0", 0), ("1\0", 1),
    ] as [(String, Int)])
  func refusals(_ text: String, _ offset: Int) {
    #expect(fault(text) == offset, "\(text)")
  }

  @Test(
    "a surrogate without its other half is refused at its backslash",
    arguments: [
      (#""\ud800""#, 1), (#""\uDFFF""#, 1), (#""ab\ud83d\ud83d\ude00""#, 3), (#""\ud83dx""#, 1),
      (#""\ud83d\n""#, 1),
      (#""\ud83d\u0041""#, 1), (#""\ude00\ud83d""#, 1), (#"{"\ud800":1}"#, 2), (#""\ud83d\ude00\ud83d""#, 13),
      (#""\ud83d"#, 7), (#""\ud83d\"#, 8), (#""\ud83d\ud"#, 10), (#""\ud83d\uzz"#, 9),
    ])
  func loneSurrogates(_ text: String, _ offset: Int) {
    #expect(fault(text) == offset, "\(text)")
  }

  @Test(
    "a name that is there already is refused at its quote, escapes or not",
    arguments: [
      (#"{"a":1,"a":2}"#, 7), (#"{"id":1,"\u0069d":2}"#, 8), (#"{"\u0069d":1,"id":2}"#, 13),
      (#"{"":1, "":2}"#, 7), (#"[{"a":[{"b":1,"b":2}]}]"#, 14), (#"{"a":{"a":1},"a":2}"#, 13),
      (#"{"\/":1,"/":2}"#, 8), (#"{"\ud83d\ude00":1,"😀":2}"#, 18),
      (#"{"longer-than-8":1,"longer-than-8":2}"#, 19),
      (#"{"a":1,"a" 2}"#, 7), (#"{"a":1,"a"#, 9), (#"{"b":1,"x":[1,{"b":2,"c":{"b":3}}],"b":4}"#, 35),
    ])
  func duplicateNames(_ text: String, _ offset: Int) {
    #expect(fault(text) == offset, "\(text)")
  }

  @Test("names that differ are told apart, and the same name may come in every object")
  func distinctNames() {
    #expect(fault(#"{"a":{"a":{"a":1}},"b":[{"a":1},{"a":1}],"c":{"b":1}}"#) == nil)
    #expect(fault(#"{"12345678":1,"12345679":2,"1234567":3,"12345678\u0000":4}"#) == nil)
    // Lengths that differ by 256, with the same beginning.
    let long = String(repeating: "x", count: 263)
    #expect(fault(#"{"xxxxxxx":1,"\#(long)":2}"#) == nil)
  }

  @Test(
    "texts that wrap others may have more levels, each told from the others to the end",
    arguments: [144, 256])
  func moreLevels(_ levels: Int) throws {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
      for inner in ["1", "[]", "{\"b\":1,\"c\":[2,{}]}"] {
        let depth = levels - (inner == "1" ? 0 : inner == "[]" ? 1 : 3)
        // After each level more members or elements: what kind it is has to be known again.
        let ends = (0..<depth).map { $0.isMultiple(of: 3) ? (close == "]" ? ",7]" : ",\"z\":7}") : close }
        let text = String(repeating: open, count: depth) + inner + ends.joined()
        #expect(try JSONValue(parsing: Bytes(text), levels: levels).text == Bytes(text))
        let tooDeep = Bytes(open + text + close)
        #expect(throws: JSONError.self) { try JSONValue(parsing: tooDeep, levels: levels) }
        let mixed = Bytes(text.dropLast() + (close == "]" ? "}" : "]"))
        #expect(throws: JSONError.self) { try JSONValue(parsing: mixed, levels: levels) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: Bytes(text)) }
      }
    }
  }

  @Test("at most 128 levels, whatever their kind")
  func depth() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}"), ("[{\"a\":", "}]")] {
      let perPair = open == "[{\"a\":" ? 2 : 1
      let pairs = 128 / perPair
      let deepest = String(repeating: open, count: pairs) + "1" + String(repeating: close, count: pairs)
      #expect(fault(deepest) == nil)
      #expect(fault("[" + deepest + "]") != nil)
      let tooDeep = String(repeating: open, count: pairs) + "["
      #expect(fault(tooDeep) == tooDeep.utf8.count - 1)
      // Levels that have ended do not count.
      #expect(fault("[" + String(repeating: "[[]],", count: 1000) + "1]") == nil)
    }
    #expect(fault(String(repeating: "[", count: 100_000)) == 128)
    #expect(fault(String(repeating: "{\"a\":", count: 100_000)) == 128 * 5)
  }

  @Test("UTF-8 is what the standard library takes for it")
  func utf8() {
    func check(_ sequence: [UInt8]) {
      let text = [0x22] + sequence + [0x22]
      let isValid = String(validating: sequence, as: UTF8.self) != nil
      // At the string's start, and at another place in a word after more text.
      let shifted = Array("\"日本 abc".utf8) + sequence + Array("xyz\"".utf8)
      // Expectations cost too much to state one for each of these many sequences.
      if fault(text) != (isValid ? nil : 1) || (fault(shifted) == nil) != isValid {
        Issue.record("\(sequence)")
      }
    }
    let edges: [UInt8] = [0x7F, 0x80, 0xBF, 0xC0]
    for lead in UInt8(0x80)...0xFF {
      check([lead])
      for second in UInt8(0x7F)...0xFF {
        if lead < 0xE0 { check([lead, second]) }
        guard lead >= 0xE0 else { continue }
        for third in edges {
          if lead < 0xF0 { check([lead, second, third]) }
          guard lead >= 0xF0 else { continue }
          for fourth in edges { check([lead, second, third, fourth]) }
        }
      }
    }
  }

  @Test("every cut of a valid object ends too early, at its length")
  func prefixes() {
    let text = Array(#" {"id":"日é😀\ud83d\ude00","n":[-1.5e+10,true,null,{}],"o":{"a":"\n"}}"#.utf8)
    #expect(fault(text) == nil)
    for length in 0..<text.count {
      #expect(fault(Array(text.prefix(length))) == length, "\(length)")
    }
  }

  @Test("mutated documents are judged as a second, plain validator judges them")
  func mutations() {
    let documents = [
      #"{"id":"a-\u00e9\ud83d\ude00日é😀","n":[-1.5e+10,0,true,false,null,{}],"o":{"a":"\n\\"}}"#,
      #"[ {"a" : 1 , "b":[ [ ] , "x" ] } , -0.0E-1 , "\"", {"":{}} ]"#,
    ].map { Array($0.utf8) }
    func check(_ text: [UInt8]) {
      let offset = fault(text)
      let isValid = ReferenceValidator.accepts(text)
      #expect((offset == nil) == isValid, "\(Bytes(text)) \(text)")
      // What stands before the byte at fault was valid, or could still have become so.
      if let offset, let faultBefore = fault(Array(text.prefix(offset))) {
        #expect(faultBefore == offset, "\(Bytes(text)) \(text)")
      }
    }
    let splices = Array("\"\\{}[]:,0-1.eEuat \n\t".utf8) + [0x00, 0x1F, 0x7F, 0x80, 0xC0, 0xED, 0xF4, 0xFF]
    for document in documents {
      for index in document.indices {
        check(Array(document[..<index] + document[(index + 1)...]))
        for byte in splices {
          check(Array(document[..<index]) + [byte] + document[index...])
          var text = document
          text[index] = byte
          check(text)
        }
        for bit in 0..<8 {
          var text = document
          text[index] ^= 1 << bit
          check(text)
        }
      }
    }
    for seed in UInt64(0)..<400 {
      var random = Seeded(seed)
      var text = Array(Node.random(&random).disguised(&random).utf8)
      #expect(fault(text) == nil, "seed \(seed)")
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let index = Int.random(in: 0..<text.count, using: &random)
        let end = Int.random(in: index..<min(text.count, index + 20), using: &random)
        if random.once(in: 2) {
          text.removeSubrange(index..<end)
        } else {
          text.insert(contentsOf: text[index..<end], at: Int.random(in: 0...text.count, using: &random))
        }
        if text.isEmpty { break }
      }
      check(text)
    }
  }
}

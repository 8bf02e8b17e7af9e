import JSONText
import Testing

@Suite("Reading")
struct ReadingTests {
  private func value(_ text: String) throws -> JSONValue { try JSONValue(parsing: Bytes(text)) }

  @Test("kinds")
  func kinds() throws {
    let kinds = try value(#"[{},[],"",0,-1,true,false,null]"#).elements.map(\.kind)
    #expect(kinds == [.object, .array, .string, .number, .number, .bool, .bool, .null])
  }

  @Test("members are found by their unescaped names, and keep their text")
  func members() throws {
    let object = try value(#" { "\u0069d" : "a" , "b" : [ 1 , {"id":2} ] , "c\n":1.0,"":null } "#)
    #expect(object.member(named: "id")?.text == #""a""#)
    #expect(object.member("id")?.string == "a")
    #expect(object.member(named: "b")?.text == #"[ 1 , {"id":2} ]"#)
    #expect(object.member("c\n")?.text == "1.0")
    #expect(object.member("")?.kind == .null)
    #expect(object.member("c\\n") == nil)
    #expect(object.member(named: "i") == nil)
    #expect(object.count == 4)
    #expect(try value("[1]").member(named: "id") == nil)
    #expect(try value("{}").member(named: "id") == nil)
    #expect(try value("{ }").count == 0)

    var seen: [String] = []
    object.forEachMember { name, value in seen.append("\(name)=\(value.text)") }
    #expect(seen == [#"id="a""#, #"b=[ 1 , {"id":2} ]"#, "c\n=1.0", "=null"])
  }

  @Test("a walk ends with the error that its body throws")
  func walkThatThrows() throws {
    struct Enough: Error, Equatable { var index: Int }
    let array = try value("[0,1,2,3]")
    var visited = 0
    #expect(throws: Enough(index: 2)) {
      try array.forEachElement { (index, _) throws(Enough) in
        visited += 1
        if index == 2 { throw Enough(index: index) }
      }
    }
    #expect(visited == 3)
  }

  @Test("elements")
  func elements() throws {
    #expect(
      try value("[ 1 , \"a]\" , [2,[3]] , {\"x\":\"}\"} ]").elements.map(\.text.string)
        == ["1", "\"a]\"", "[2,[3]]", "{\"x\":\"}\"}"])
    #expect(try value("[ ]").elements.isEmpty)
    #expect(try value("{\"a\":1}").elements.isEmpty)
    #expect(try value("[1,2]").element(at: 1)?.integer == 2)
    #expect(try value("[1,2]").element(at: 2) == nil)
    #expect(try value("[1,2]").element(at: -1) == nil)
  }

  @Test("strings are unescaped to UTF-8")
  func strings() throws {
    #expect(
      try value(#""\"\\\/\b\f\n\r\t\u0041\u00e9\u65E5\ud83d\ude00\u0000é""#).string
        == Bytes("\"\\/\u{8}\u{C}\n\r\tAé日😀\0é"))
    #expect(try value(#""""#).string == "")
    #expect(try value(#""\\u0041""#).string == "\\u0041")
    #expect(try value("1").string == nil)
    // Without escapes it is a slice of the text itself.
    let text = Bytes("[\"abc\"]")
    #expect(try JSONValue(parsing: text).element(at: 0)?.string?.storageRange == 2..<5)
  }

  @Test(
    "integers are exact or not at all",
    arguments: [
      ("0", 0), ("-0", 0), ("7", 7), ("-7", -7), ("9223372036854775807", .max),
      ("-9223372036854775808", .min),
      ("9223372036854775808", nil), ("-9223372036854775809", nil), ("92233720368547758070", nil),
      ("1.0", nil), ("1e2", nil), ("1E2", nil), ("-1.5", nil), ("\"1\"", nil), ("null", nil),
      ("18446744073709551616", nil),
    ] as [(String, Int?)])
  func integers(_ text: String, _ expected: Int?) throws {
    #expect(try value(text).integer == expected)
  }

  @Test("doubles and booleans")
  func doublesAndBooleans() throws {
    #expect(try value("0.1").double == 0.1)
    #expect(try value("-12.5e3").double == -12500)
    #expect(try value("1").double == 1)
    #expect(try value("1e-400").double == 0)
    #expect(try value("1e400").double == nil)
    #expect(try value("\"1\"").double == nil)
    #expect(try value("true").bool == true)
    #expect(try value("false").bool == false)
    #expect(try value("null").bool == nil)
  }

  @Test("trusted text that is no JSON never takes a reader out of its bytes")
  func untrustworthyText() throws {
    let document = Array(#"{"a":[1,"\u0041\ud83d\ude00",{"b":null}],"c":"\n"}"#.utf8)
    func read(_ text: [UInt8]) {
      // In a storage of its own, so that a sanitizer or the allocator would notice.
      let value = JSONValue(trusted: Bytes(text))
      let other = JSONValue(trusted: Bytes(document))
      _ = (value.count, value.elements, value.string, value.integer, value.double, value.bool)
      value.forEachMember { _, member in _ = member.string }
      _ = value.value(at: JSONPointer(tokens: ["a", "1"]))
      _ = (value.isEqual(to: other), other.isEqual(to: value), value.contentHash(seed: 0))
      _ = (value.merging(other).text, other.merging(value).text, value.minified().text)
    }
    for index in document.indices {
      read(Array(document[..<index]))
      read(Array(document[index...]))
      for byte in Array("\"\\{}[],: ".utf8) {
        var text = document
        text[index] = byte
        read(text)
      }
    }
  }
}

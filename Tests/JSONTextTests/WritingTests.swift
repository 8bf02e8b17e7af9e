import JSONText
import Testing
import TestSupport

@Suite("Writing")
struct WritingTests {
  @Test("a string escapes what it must, and nothing else")
  func strings() throws {
    for byte in UInt8(0)..<0x80 {
      let short: [UInt8: String] = [
        0x08: "\\b", 0x09: "\\t", 0x0A: "\\n", 0x0C: "\\f", 0x0D: "\\r", 0x22: "\\\"", 0x5C: "\\\\",
      ]
      let digits = String(byte, radix: 16)
      let plain = byte < 0x20 ? "\\u00" + (byte < 0x10 ? "0" : "") + digits : String(UnicodeScalar(byte))
      let expected = short[byte] ?? plain
      // At each place of a word.
      for offset in 0..<9 {
        let padding = String(repeating: "é", count: offset / 2) + String(repeating: "x", count: offset % 2)
        let string = Bytes(padding + String(UnicodeScalar(byte)) + padding)
        #expect(JSONValue.string(string).text == Bytes("\"\(padding)\(expected)\(padding)\""))
      }
    }
    #expect(JSONValue.string("").text == "\"\"")
    #expect(JSONValue.string("/\u{2028}\u{7F}😀é").text == "\"/\u{2028}\u{7F}😀é\"")
  }

  @Test("strings of chance come back as they were")
  func roundTrip() throws {
    for seed in UInt64(0)..<2000 {
      var random = Seeded(seed)
      var text = ""
      text.unicodeScalars.append(contentsOf: Node.randomString(&random))
      let written = JSONValue.string(Bytes(text))
      #expect(try JSONValue(parsing: written.text).string == Bytes(text), "seed \(seed)")
    }
  }

  @Test("the writer puts commas where they belong")
  func writer() throws {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("id")
    writer.string(escaping: "a\"1")
    writer.key(escaping: "n\n")
    writer.integer(-12)
    writer.key("list")
    writer.beginArray()
    writer.beginObject()
    writer.endObject()
    writer.beginArray()
    writer.endArray()
    writer.bool(true)
    writer.null()
    writer.raw("1,2")
    writer.string("plain")
    writer.endArray()
    writer.key("data")
    writer.value(.emptyObject)
    writer.key("done")
    writer.bool(false)
    writer.endObject()
    #expect(
      writer.text == #"{"id":"a\"1","n\n":-12,"list":[{},[],true,null,1,2,"plain"],"data":{},"done":false}"#)
    #expect(try JSONValue(parsing: writer.text).text == writer.text)
  }

  @Test("integers are written in full", arguments: [0, 7, 10, -1, -10, 999, 1000, Int.max, Int.min])
  func integers(_ value: Int) {
    var bytes = Array("x".utf8)
    bytes.append(decimal: value)
    #expect(Bytes(bytes) == Bytes("x\(value)"))
  }
}

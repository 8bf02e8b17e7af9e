import HTTP1
import Testing

/// Every byte at every kind of place, against the grammars written out anew as sets of characters.
@Suite("Byte classes")
struct ByteClassTests {
  private static let alphanumeric = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789".utf8)
  private static let token = alphanumeric.union("!#$%&'*+-.^_`|~".utf8)
  private static let unreservedAndDelimiters = alphanumeric.union("-._~!$&'()*+,;=".utf8)
  private static let path = unreservedAndDelimiters.union("/:@%".utf8)
  private static let query = path.union("?".utf8)
  private static let fieldValue = Set(UInt8(0x20)...0x7e).union(0x80...0xff).union([9])

  /// Whether `before`, a byte, `after` is one request without a fault, under every cut.
  private func accepts(_ byte: UInt8, between before: String, and after: String) -> Bool {
    let input = bytes(before) + [byte] + bytes(after)
    let result = outcome(of: input, cuts: 0...input.count)
    return result.failure == nil && result.requests.count == 1 && result.isIdle
  }

  @Test(
    "A byte is accepted exactly where the grammar has it",
    arguments: [
      ("path", "GET /a", "b HTTP/1.1\r\nHost: a\r\n\r\n", path.union("?".utf8)),
      ("query", "GET /?a", "b HTTP/1.1\r\nHost: a\r\n\r\n", query),
      ("absolute path", "GET http://a/a", "b HTTP/1.1\r\nHost: a\r\n\r\n", path.union("?".utf8)),
      ("host", "GET / HTTP/1.1\r\nHost: a", "b\r\n\r\n", unreservedAndDelimiters),
      (
        "authority", "GET http://a", "b/ HTTP/1.1\r\nHost: a\r\n\r\n",
        unreservedAndDelimiters.union("/?".utf8)
      ),
      ("port", "GET / HTTP/1.1\r\nHost: a:1", "2\r\n\r\n", Set("0123456789".utf8)),
      ("field name", "GET / HTTP/1.1\r\nHost: a\r\nX", "Y: b\r\n\r\n", token.union(":".utf8)),
      ("field value", "GET / HTTP/1.1\r\nHost: a\r\nX: a", "b\r\n\r\n", fieldValue),
      ("field value alone", "GET / HTTP/1.1\r\nHost: a\r\nX:", "\r\n\r\n", fieldValue),
      ("length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0", "\r\n\r\n", Set("0\t ".utf8)),
      (
        "chunk size", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0", "0\r\n\r\n",
        Set("0;".utf8)
      ),
      (
        "extension name", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0;a", "b\r\n\r\n",
        token.union(";=".utf8)
      ),
      (
        "extension value", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0;a=b",
        "c\r\n\r\n",
        token.union(";".utf8)
      ),
      (
        "quoted extension", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0;a=\"b",
        "c\"\r\n\r\n",
        fieldValue.subtracting("\"".utf8)
      ),
      (
        "trailer name", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX",
        "Y:b\r\n\r\n",
        token.union(":".utf8)
      ),
      (
        "trailer value", "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX:a",
        "b\r\n\r\n",
        fieldValue
      ),
      ("body", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n", "", Set(0...255)),
    ] as [(String, String, String, Set<UInt8>)])
  func places(place: String, before: String, after: String, allowed: Set<UInt8>) {
    for byte in UInt8.min...UInt8.max {
      #expect(
        accepts(byte, between: before, and: after) == allowed.contains(byte), "byte \(byte) in a \(place)")
    }
  }

  @Test("A method is a token")
  func methodBytes() {
    for byte in UInt8.min...UInt8.max {
      let input = bytes("A") + [byte] + bytes("B / HTTP/1.1\r\nHost: a\r\n\r\n")
      let result = outcome(of: input, cuts: 0...input.count)
      #expect(
        result.failure == (Self.token.contains(byte) ? .notImplemented : .malformed),
        "byte \(byte) in a method")
    }
  }
}

import JSONText
import RowcastClient
import Testing

@Suite("The reader of responses") struct ResponseReaderTests {
  /// What a response came to, in words: its head, its body, whether it is complete, or what is wrong.
  private func reading(_ pieces: [ArraySlice<UInt8>], closes: Bool = true) -> String {
    var reader = ResponseReader()
    var head = "", body: [UInt8] = [], end = ""
    func note(_ parts: [ResponsePart]) {
      for part in parts {
        switch part {
        case .head(let final): head += "\(final.status) \(final.fields.map { "\($0.name)=\($0.value)" })"
        case .body(let bytes): body += bytes
        case .end: end += "."
        }
      }
    }
    do throws(ResponseFault) {
      for piece in pieces { note(try reader.read(piece)) }
      if closes { note(try reader.close()) }
    } catch {
      end = " ! \(error.message)"
    }
    return "\(head) \(String(decoding: body, as: UTF8.self))\(end)"
  }

  static let whole: [(String, String)] = [
    ("HTTP/1.1 200 OK\r\nA:  b \r\nContent-Length: 3\r\n\r\nabc", "200 [\"a=b\", \"content-length=3\"] abc."),
    ("HTTP/1.1 200\r\nContent-Length: 0\r\n\r\n", "200 [\"content-length=0\"] ."),
    ("HTTP/1.0 200 OK\r\n\r\nuntil the end", "200 [] until the end."),
    ("HTTP/1.1 204 \r\n\r\n", "204 [] ."),
    (
      "HTTP/1.1 103 Hints\r\nLink: x\r\n\r\nHTTP/1.1 404 No\r\nTransfer-Encoding: Chunked\r\n\r\n"
        + "3;x=\"y\"\r\nabc\r\n00a\r\n0123456789\r\n0\r\nT: u\r\n\r\n",
      "404 [\"transfer-encoding=Chunked\"] abc0123456789."
    ),
    ("HTTP/1.1 200 OK\nContent-Length: 1\n\nx", "200 [\"content-length=1\"] x."),
  ]

  @Test("does not mind where its input is cut", arguments: whole)
  func everyCut(response: String, outcome: String) {
    let bytes = Array(response.utf8)
    #expect(reading([bytes[...]]) == outcome)
    #expect(reading(bytes.indices.map { bytes[$0...$0] }) == outcome)
    for cut in bytes.indices {
      #expect(reading([bytes[..<cut], bytes[cut...]]) == outcome, "cut at \(cut)")
    }
  }

  @Test("knows a response that is not complete from one that is", arguments: whole)
  func everyEnd(response: String, outcome: String) {
    let bytes = Array(response.utf8)
    let lastsUntilClose = response.contains("until the end")
    for end in bytes.indices where !lastsUntilClose {
      #expect(reading([bytes[..<end]]).contains("! the connection was closed"), "ended at \(end)")
    }
  }

  @Test(
    "refuses what is no response",
    arguments: [
      ("SSH-2.0-x\r\n", "does not speak HTTP"), ("HTTP/2 200\r\n", "does not speak HTTP"),
      ("HTTP/1.1 20\r\n", "does not speak HTTP"), ("HTTP/1.1 2000\r\n", "does not speak HTTP"),
      ("HTTP/1.1 200 OK\r\n: x\r\n", "no name"), ("HTTP/1.1 200 OK\r\nx\r\n", "no name"),
      ("HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n", "no length"),
      ("HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\n", "no length"),
      ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", "no length"),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", "transfer coding"),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n", "no size"),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n", "no size"),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nxy\r\n", "not as long"),
      ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n", "no size"),
      (String(repeating: "x", count: ResponseReader.headLimit + 1), "too long"),
      ("HTTP/1.1 200 OK\r\n" + String(repeating: "a: b\r\n", count: 20_000), "too long"),
    ])
  func refusals(response: String, message: String) {
    let outcome = reading([Array(response.utf8)[...]])
    #expect(outcome.contains("!") && outcome.contains(message), "\(outcome)")
  }

  @Test("reads a wait that is asked for in seconds, and nothing else")
  func retryAfter() {
    func seconds(_ value: Bytes) -> Int? {
      ResponseHead(status: 503, fields: [("retry-after", value)]).retryAfterSeconds
    }
    #expect(seconds("120") == 120)
    #expect(seconds("-1") == nil)
    #expect(seconds("Sun, 06 Nov 1994 08:49:37 GMT") == nil)
  }
}

import HTTP1
import Testing

@Suite("Response heads and bodies in chunks")
struct ResponseTests {
  private let date = bytes("Sun, 06 Nov 1994 08:49:37 GMT")

  private func head(_ response: Response, minorVersion: Int = 1, keepsAlive: Bool = true) -> String {
    var output = bytes("before|")
    ResponseSerializer.appendHead(
      of: response, minorVersion: minorVersion, date: date, keepsAlive: keepsAlive, to: &output)
    return text(output)
  }

  @Test("Status line, Date, fields, length, in this order, behind what was there")
  func wholeHead() {
    var response = Response(status: 200, body: .bytes([1, 2, 3]))
    response.add("Content-Type", "application/json")
    response.add("X", bytes("a\r\nb\0c"))
    #expect(
      head(response)
        == "before|HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nContent-Type: application/json\r\n"
        + "X: a  b c\r\nContent-Length: 3\r\n\r\n")
  }

  @Test("Lengths of all forms of a body, and their absence with 1xx, 204 and an empty 304")
  func lengths() {
    #expect(head(Response(status: 404)).hasSuffix("\r\nContent-Length: 0\r\n\r\n"))
    #expect(
      head(Response(status: 201, body: .parts([[1], [], [2, 3]]))).hasSuffix("\r\nContent-Length: 3\r\n\r\n"))
    let large = [UInt8](repeating: 0, count: 1_234_567)
    #expect(head(Response(status: 200, body: .bytes(large))).hasSuffix("\r\nContent-Length: 1234567\r\n\r\n"))
    for status in [100, 101, 204, 304] {
      #expect(!head(Response(status: status)).contains("Content-Length"))
    }
    #expect(head(Response(status: 304, body: .bytes([1]))).contains("Content-Length: 1\r\n"))
    #expect(!head(Response(status: 204, body: .bytes([1]))).contains("Content-Length"))
  }

  @Test(
    "What the head says about the connection",
    arguments: [
      (1, true, false, ""), (1, false, false, "Connection: close\r\n"),
      (1, true, true, "Connection: close\r\n"),
      (0, true, false, "Connection: keep-alive\r\n"), (0, false, false, "Connection: close\r\n"),
      (0, true, true, "Connection: close\r\n"),
    ])
  func connection(minorVersion: Int, keepsAlive: Bool, closes: Bool, line: String) {
    let written = head(
      Response(status: 200, closes: closes), minorVersion: minorVersion, keepsAlive: keepsAlive)
    #expect(written.hasSuffix("Content-Length: 0\r\n\(line)\r\n"))
  }

  @Test("Every status has three digits and a space behind; those of the protocol have words")
  func statusLines() {
    let used = [
      200, 201, 202, 204, 304, 400, 401, 403, 404, 405, 406, 408, 409, 410, 412, 413, 415, 417, 422, 429, 431,
      500,
      501, 503, 505,
    ]
    for status in 100...599 {
      let line = head(Response(status: status)).prefix { $0 != "\r\n" }
      #expect(line.hasPrefix("before|HTTP/1.1 \(status) "))
      if used.contains(status) { #expect(line.count > "before|HTTP/1.1 200 ".count, "\(status)") }
    }
  }

  @Test("Which responses have a body on the wire")
  func bodies() {
    #expect(ResponseSerializer.sendsBody(status: 200, toHead: false))
    #expect(ResponseSerializer.sendsBody(status: 404, toHead: false))
    #expect(!ResponseSerializer.sendsBody(status: 200, toHead: true))
    for status in [100, 199, 204, 304] {
      #expect(!ResponseSerializer.sendsBody(status: status, toHead: false))
    }
  }

  @Test("A stream is chunked in HTTP/1.1 and ends with the connection in HTTP/1.0")
  func streamHeads() {
    func stream(_ minorVersion: Int, _ keepsAlive: Bool) -> String {
      var output: [UInt8] = []
      ResponseSerializer.appendStreamHead(
        of: Response(status: 200, fieldLines: bytes("A: b\r\n")), minorVersion: minorVersion, date: date,
        keepsAlive: keepsAlive, to: &output)
      return text(output)
    }
    let start = "HTTP/1.1 200 OK\r\nDate: Sun, 06 Nov 1994 08:49:37 GMT\r\nA: b\r\n"
    #expect(stream(1, true) == start + "Transfer-Encoding: chunked\r\n\r\n")
    #expect(stream(1, false) == start + "Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n")
    #expect(stream(0, true) == start + "Connection: close\r\n\r\n")
    #expect(stream(0, false) == start + "Connection: close\r\n\r\n")
  }

  @Test("Chunks are read back by the parser, and nothing is no chunk")
  func chunks() {
    #expect(ChunkedCoding.chunk([]).isEmpty)
    #expect(text(ChunkedCoding.chunk(bytes("hello"))) == "5\r\nhello\r\n")
    var body: [UInt8] = []
    var coded: [UInt8] = []
    for size in [1, 9, 10, 15, 16, 17, 255, 256, 4095, 4096, 70_000] {
      let data = [UInt8](repeating: UInt8(size & 0xff), count: size)
      body += data
      coded += ChunkedCoding.chunk(data)
    }
    var connection = Connection(.init(headerBytes: 100, bodyBytes: 1 << 20))
    connection.receive(bytes("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"))
    connection.receive(coded)
    connection.receive(ChunkedCoding.end)
    #expect(connection.outcome.requests.map(\.body) == [body])
    #expect(text(ResponseSerializer.interimContinue) == "HTTP/1.1 100 Continue\r\n\r\n")
  }
}

@Suite("Server-sent events")
struct ServerSentEventTests {
  @Test("An event is id, event and one data line, in this order")
  func frames() {
    #expect(
      text(ServerSentEvents.frame(id: 12, event: "change", data: bytes("{\"a\":1}")))
        == "id: 12\nevent: change\ndata: {\"a\":1}\n\n")
    #expect(
      text(ServerSentEvents.frame(id: nil, event: "end", data: bytes("{}"))) == "event: end\ndata: {}\n\n")
    #expect(
      text(ServerSentEvents.frame(id: 1_700_000_000_000, event: "x", data: []))
        == "id: 1700000000000\nevent: x\ndata: \n\n")
  }

  @Test("No data can begin a line of its own")
  func lineBreaks() {
    let frame = ServerSentEvents.frame(id: 0, event: "x", data: bytes("a\nb\rc\r\nid: 5"))
    #expect(text(frame) == "id: 0\nevent: x\ndata: a b c  id: 5\n\n")
  }

  @Test("The parts of an event make the event, comments and retry are as clients read them")
  func parts() {
    var output: [UInt8] = []
    ServerSentEvents.appendStart(id: 3, event: "snapshot", to: &output)
    output += bytes("[1]")
    ServerSentEvents.appendEnd(to: &output)
    #expect(output == ServerSentEvents.frame(id: 3, event: "snapshot", data: bytes("[1]")))
    #expect(text(ServerSentEvents.comment()) == ":\n\n")
    #expect(text(ServerSentEvents.comment("still here")) == ": still here\n\n")
    #expect(text(ServerSentEvents.retry(milliseconds: 2000)) == "retry: 2000\n\n")
  }
}

import HTTP1
import Testing

/// What is read out of requests that are well-formed; every case under every cut.
@Suite("Requests that are accepted")
struct AcceptedRequestTests {
  private func request(
    _ input: String, limits: RequestParser.Limits = roomy, sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> ParsedRequest {
    let result = outcome(of: input, limits: limits, sourceLocation: sourceLocation)
    #expect(result.failure == nil, sourceLocation: sourceLocation)
    #expect(result.requests.count == 1, sourceLocation: sourceLocation)
    #expect(result.isIdle && !result.isReadingBody, sourceLocation: sourceLocation)
    return try #require(result.requests.first, sourceLocation: sourceLocation)
  }

  @Test("A GET gives method, path, query, authority and trimmed fields in order")
  func plainGet() throws {
    let get = try request(
      "GET /v1/sessions?limit=5&cursor=a%20b HTTP/1.1\r\nHost: localhost:8080\r\nAccept:*/*\r\nX-Two: \t a  b\t \r\n"
        + "x-empty:\r\nX-Two:\u{e9}\r\n\r\n")
    #expect(get.method == .get)
    #expect(get.path == bytes("/v1/sessions"))
    #expect(get.query == bytes("limit=5&cursor=a%20b"))
    #expect(get.authority == bytes("localhost:8080"))
    #expect(get.minorVersion == 1)
    #expect(
      get.fields.map(text) == [
        "Host", "localhost:8080", "Accept", "*/*", "X-Two", "a  b", "x-empty", "", "X-Two", "\u{e9}",
      ])
    #expect(!get.hasBody && get.body.isEmpty && get.keepsAlive)
  }

  @Test(
    "Every method that is built here",
    arguments: [
      ("GET", Method.get), ("HEAD", .head), ("POST", .post), ("PUT", .put), ("DELETE", .delete),
      ("OPTIONS", .options), ("PATCH", .patch),
    ])
  func methods(name: String, method: Method) throws {
    #expect(try request("\(name) / HTTP/1.1\r\nHost: a\r\n\r\n").method == method)
  }

  @Test(
    "Targets in origin, absolute and asterisk form",
    arguments: [
      ("GET /", "/", nil, "h"),
      ("GET /?", "/", "", "h"),
      ("GET /a?b?c/d", "/a", "b?c/d", "h"),
      ("GET //a//b/../c;p=1,2:@!$&'()*+", "//a//b/../c;p=1,2:@!$&'()*+", nil, "h"),
      ("GET /%zz%", "/%zz%", nil, "h"),
      ("GET http://x", "/", nil, "x"),
      ("GET HTTPS://x.Y:81?q", "/", "q", "x.Y:81"),
      ("GET http://x:/p?q", "/p", "q", "x:"),
      ("GET hTTp://[::1]:8080/", "/", nil, "[::1]:8080"),
      ("GET http://x%2e/%2F", "/%2F", nil, "x%2e"),
      ("OPTIONS *", "*", nil, "h"),
      ("OPTIONS /a", "/a", nil, "h"),
    ] as [(String, String, String?, String)])
  func targets(start: String, path: String, query: String?, authority: String) throws {
    let parsed = try request("\(start) HTTP/1.1\r\nHost: h\r\n\r\n")
    #expect(parsed.path == bytes(path))
    #expect(parsed.query == query.map(bytes))
    #expect(parsed.authority == bytes(authority))
  }

  @Test(
    "Hosts of all kinds",
    arguments: [
      "a", "A.b-c_d~", "a:", "a:80", "127.0.0.1:1", "a%2Db", "!$&'()*+,;=", "[::]", "[::1]:80", "[1::]",
      "[1::2]",
      "[1:2:3:4:5:6:7:8]", "[1:2:3:4:5:6:7::]", "[::2:3:4:5:6:7:8]", "[1:2:3:4:5:6:1.2.3.4]",
      "[::ffff:127.0.0.1]",
      "[fe80::ABCD:1]", "[1::255.255.255.0]",
    ])
  func hosts(host: String) throws {
    #expect(try request("GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n").authority == bytes(host))
    #expect(try request("GET http://\(host)/ HTTP/1.1\r\nHost: a\r\n\r\n").authority == bytes(host))
  }

  @Test("Minor versions: 0 is 0, all others are 1; HTTP/1.0 needs no Host")
  func versions() throws {
    #expect(try request("GET / HTTP/1.0\r\n\r\n").minorVersion == 0)
    #expect(try request("GET / HTTP/1.0\r\n\r\n").authority.isEmpty)
    #expect(try request("GET / HTTP/1.0\r\nHost: a\r\n\r\n").authority == bytes("a"))
    #expect(try request("GET / HTTP/1.2\r\nHost: a\r\n\r\n").minorVersion == 1)
    #expect(try request("GET / HTTP/1.9\r\nHost: a\r\n\r\n").minorVersion == 1)
  }

  @Test(
    "When the connection goes on",
    arguments: [
      ("1.1", "", true),
      ("1.1", "Connection: close\r\n", false),
      ("1.1", "connection: x, CLOSE\r\n", false),
      ("1.1", "Connection: x\r\nConnection:\t,close ,\r\n", false),
      ("1.1", "Connection: closed\r\n", true),
      ("1.1", "Connection: keep-alive, close\r\n", false),
      ("1.0", "", false),
      ("1.0", "Connection: Keep-Alive\r\n", true),
      ("1.0", "Connection: keep-alive\r\nConnection: close\r\n", false),
      ("1.0", "Keep-Alive: timeout=5\r\n", false),
    ])
  func persistence(version: String, field: String, keepsAlive: Bool) throws {
    #expect(try request("GET / HTTP/\(version)\r\nHost: a\r\n\(field)\r\n").keepsAlive == keepsAlive)
  }

  @Test(
    "Counted bodies",
    arguments: [("0", ""), ("3", "abc"), ("0003", "a\r\n"), ("00000000000000000000000000000000001", "\0")])
  func countedBodies(length: String, body: String) throws {
    for start in ["POST / HTTP/1.1", "GET / HTTP/1.1", "DELETE / HTTP/1.0"] {
      let parsed = try request(
        "\(start)\r\nHost: a\r\nconTENT-length: \(length) \r\nConnection: keep-alive\r\n\r\n\(body)")
      #expect(parsed.body == bytes(body))
      #expect(parsed.hasBody == !body.isEmpty)
    }
  }

  @Test(
    "Chunked bodies",
    arguments: [
      ("0\r\n\r\n", ""),
      ("0000000000000000\r\n\r\n", ""),
      ("3\r\nabc\r\n0\r\n\r\n", "abc"),
      ("0000000000000003\r\nabc\r\n00\r\n\r\n", "abc"),
      ("A\r\n0123456789\r\nb\r\n0123456789\n\r\n0\r\n\r\n", "01234567890123456789\n"),
      ("1;a\r\nx\r\n1;a=b;c=\"d;\\\"\t\u{e9}\"\r\ny\r\n0;z\r\n\r\n", "xy"),
      ("1 ; a = b\t;c\r\nx\r\n0\r\n\r\n", "x"),
      ("1\r\nx\r\n0\r\nTrailer: y\r\nContent-Length: 5\r\nz:\r\n\r\n", "x"),
    ])
  func chunkedBodies(coded: String, body: String) throws {
    for coding in ["chunked", "Chunked \t", "CHUNKED"] {
      let parsed = try request("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \(coding)\r\n\r\n\(coded)")
      #expect(parsed.body == bytes(body))
      #expect(parsed.hasBody)
    }
  }

  @Test("Up to two empty lines before a request line are passed over and do not end idleness")
  func emptyLines() throws {
    _ = try request("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
    _ = try request("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
    #expect(outcome(of: "\r\n\r\n") == Outcome())
    #expect(outcome(of: "\r") == Outcome(isIdle: false))
  }

  @Test("Pipelined requests come one by one, in order, each with its own body")
  func pipelining() {
    let result = outcome(
      of: "POST /1 HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi\r\nGET /2 HTTP/1.1\r\nHost: b\r\n\r\n"
        + "PUT /3 HTTP/1.1\r\nHost: c\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nT: u\r\n\r\n"
        + "HEAD /4 HTTP/1.0\r\n\r\nGET /5")
    #expect(result.requests.map { text($0.path) } == ["/1", "/2", "/3", "/4"])
    #expect(result.requests.map { text($0.body) } == ["hi", "", "x", ""])
    #expect(result.requests.map { text($0.authority) } == ["a", "b", "c", ""])
    #expect(result.failure == nil && !result.isIdle && !result.isReadingBody)
  }

  @Test("The parser tells idle, in a head and in a body apart")
  func stages() {
    #expect(outcome(of: "") == Outcome())
    #expect(outcome(of: "G") == Outcome(isIdle: false))
    #expect(outcome(of: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r") == Outcome(isIdle: false))
    #expect(
      outcome(of: "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n")
        == Outcome(isIdle: false, isReadingBody: true))
    #expect(
      outcome(of: "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n")
        == Outcome(isIdle: false, isReadingBody: true))
  }
}

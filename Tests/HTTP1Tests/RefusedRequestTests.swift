import HTTP1
import Testing

/// What is refused, and as what; every case under every cut.
@Suite("Requests that are refused")
struct RefusedRequestTests {
  typealias Code = RequestFailure.Code

  private func expect(
    _ code: Code, _ input: String, limits: RequestParser.Limits = roomy,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let result = outcome(of: input, limits: limits, sourceLocation: sourceLocation)
    #expect(
      result.failure == code && result.requests.isEmpty && !result.isReadingBody,
      "\(result) of \(input.debugDescription)", sourceLocation: sourceLocation)
  }

  @Test(
    "Request lines",
    arguments: [
      ("GET /  HTTP/1.1", Code.malformed), ("GET  / HTTP/1.1", .malformed), (" GET / HTTP/1.1", .malformed),
      ("GET / HTTP/1.1 ", .malformed), ("GET\t/ HTTP/1.1", .malformed), ("GET /\tHTTP/1.1", .malformed),
      ("GET /", .malformed), ("GET", .malformed), ("GET / ", .malformed), ("GET HTTP/1.1", .malformed),
      (" ", .malformed), ("G@T / HTTP/1.1", .malformed), ("GET: / HTTP/1.1", .malformed),
      (": / HTTP/1.1", .malformed),
      ("GÉT / HTTP/1.1", .malformed), ("GET / x HTTP/1.1", .malformed),
      ("GET / http/1.1", .malformed), ("GET / HTTP/1.1x", .malformed), ("GET / HTTP/1.", .malformed),
      ("GET / HTTP/1", .malformed), ("GET / HTTP/", .malformed), ("GET / HTTP/01.1", .malformed),
      ("GET / HTTP/1.10", .malformed), ("GET / HTTP/1,1", .malformed), ("GET / HTTP/+1.1", .malformed),
      ("GET / HTTP /1.1", .malformed), ("GET / HTTPS/1.1", .malformed), ("GET / HTTP/x.1", .malformed),
      ("GET / HTTP/20", .malformed), ("GET / ICY/1.1", .malformed),
      ("GET / HTTP/2.0", .unsupportedVersion), ("GET / HTTP/0.9", .unsupportedVersion),
      ("GET / HTTP/3", .unsupportedVersion), ("GET / HTTP/2", .unsupportedVersion),
      ("PRI * HTTP/2.0", .unsupportedVersion), ("FOO / HTTP/9.9", .unsupportedVersion),
      ("get / HTTP/1.1", .notImplemented), ("Get / HTTP/1.1", .notImplemented),
      ("GETS / HTTP/1.1", .notImplemented),
      ("TRACE / HTTP/1.1", .notImplemented), ("CONNECT a:443 HTTP/1.1", .notImplemented),
      ("CONNECT / HTTP/1.0", .notImplemented), ("PROPFIND / HTTP/1.1", .notImplemented),
      ("!#$%&'*+-.^_`|~9aZ / HTTP/1.1", .notImplemented), ("BREW a#b HTTP/1.1", .malformed),
      ("BREW  HTTP/1.1", .malformed), ("BREW \u{e9} HTTP/1.1", .malformed),
    ])
  func requestLines(line: String, code: Code) {
    expect(code, "\(line)\r\nHost: a\r\n\r\n")
  }

  @Test(
    "Targets",
    arguments: [
      "a", "a/b", "*", "**", "?a", "example.com", "example.com:80", "/a#b", "/#", "/?#", "/é", "/a?é", "/<",
      "/a\"b",
      "/[", "/a?b[]=1", "/{a}", "/a|b", "/a\\b", "/^", "/`", "ftp://a/", "http:/a", "http:a", "http:///a",
      "http://",
      "http://?q", "http://a@b/", "http://u:p@b/", "http://a:b/", "http://a:80:80/", "http://a b/",
      "http://a/#f",
      "http://[::1/", "http://a#b", "http//a", "://a", "httpx://a/", "http://a\\b/", "https:/", "h", ":",
      "http",
    ])
  func targets(target: String) {
    expect(.malformed, "GET \(target) HTTP/1.1\r\nHost: a\r\n\r\n")
  }

  @Test(
    "Hosts",
    arguments: [
      "", "a b", "a/", "a:b", "a:80:80", "a:-1", "a:+1", ":80", "user@a", "a?b", "a#b", "é", "a%", "a%4",
      "a%4g",
      "[", "[]", "[:]", "[:::]", "[::1", "::1", "[1]", "[1:2:3:4:5:6:7]", "[1:2:3:4:5:6:7:8:9]", "[1::2::3]",
      "[1:]",
      "[:1]", "[::1:]", "[12345::]", "[::g]", "[1:2:3:4:5:6:7:8::]", "[::1]a", "[::1]:x", "[1.2.3.4]",
      "[::1.2.3]",
      "[::1.2.3.256]", "[::01.2.3.4]", "[::1.2.3.4.5]", "[::1.2.3.4:5]", "[1:2:3:4:5:6:7:1.2.3.4]",
      "[::1.2..4]",
      "[v1.a]", "[fe80::1%25eth0]", "a\\b", "<a>", "\"a\"", "http://a",
    ])
  func hosts(host: String) {
    expect(.malformed, "GET / HTTP/1.1\r\nHost: \(host)\r\n\r\n")
    expect(.malformed, "GET http://a/ HTTP/1.1\r\nHost: \(host)\r\n\r\n")
    expect(.malformed, "GET / HTTP/1.0\r\nHost: \(host)\r\n\r\n")
  }

  @Test("A missing or second Host")
  func hostCount() {
    expect(.malformed, "GET / HTTP/1.1\r\n\r\n")
    expect(.malformed, "GET http://a/ HTTP/1.1\r\n\r\n")
    expect(.malformed, "FOO / HTTP/1.1\r\n\r\n")
    expect(.malformed, "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n")
    expect(.malformed, "GET / HTTP/1.0\r\nHost: a\r\nhOST: b\r\n\r\n")
  }

  @Test(
    "Field lines",
    arguments: [
      "X : y", "X\t: y", " X: y", "\tX: y", " ", ": y", ":", "X", "X y: z", "X\u{e9}: y", "(X): y", "X;: y",
      "X@y: z",
      "X: a\r\n b", "X: a\r\n\tb", "X: a\n", "X: a\nY: b", "X: a\rb", "X: a\r\rb", "X: \0", "X: a\u{1}b",
      "X: \u{7f}",
      "X: \u{b}", "X: \u{1b}[0m", "\0: y", "X\r: y", "X\n: y", "\n", "Content-Length : 5",
      "Transfer-Encoding : chunked",
      "Host : b", "\"X\": y", "X,Y: z", "X/Y: z", "[X]: y", "{X}: y", "X=: y",
    ])
  func fieldLines(line: String) {
    expect(.malformed, "GET / HTTP/1.1\r\nHost: a\r\n\(line)\r\n\r\n")
    expect(.malformed, "GET / HTTP/1.1\r\n\(line)\r\nHost: a\r\n\r\n")
    expect(
      .malformed,
      "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\(line)\r\n\r\n")
  }

  @Test("Line ends that are not CRLF, and bytes that are no HTTP at all")
  func lineEnds() {
    expect(.malformed, "GET / HTTP/1.1\nHost: a\n\n")
    expect(.malformed, "GET / HTTP/1.1\r\nHost: a\r\n\n")
    expect(.malformed, "GET / HTTP/1.1\rHost: a\r\r")
    expect(.malformed, "GET / HTTP/1.1\r\nHost: a\r\n\rx")
    expect(.malformed, "\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
    expect(.malformed, "\r\rGET / HTTP/1.1\r\nHost: a\r\n\r\n")
    expect(.malformed, "\r\n\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n")
    expect(.malformed, "\u{16}\u{3}\u{1}")
    expect(.malformed, "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n")
    expect(.malformed, "{\"a\": 1}\r\n")
  }

  @Test(
    "Framing by Content-Length",
    arguments: [
      ("Content-Length:", Code.malformed), ("Content-Length: +5", .malformed),
      ("Content-Length: -0", .malformed),
      ("Content-Length: 0x5", .malformed), ("Content-Length: 5 5", .malformed),
      ("Content-Length: 5, 5", .malformed),
      ("Content-Length: 5,", .malformed), ("Content-Length: 5;a", .malformed),
      ("Content-Length: 5.0", .malformed),
      ("Content-Length: 1e1", .malformed), ("Content-Length: \"5\"", .malformed),
      ("Content-Length: \u{b2}", .malformed),
      ("Content-Length: 5\r\nContent-Length: 5", .malformed),
      ("Content-Length: 0\r\ncontent-length: 0", .malformed),
      ("Content-Length: 5\r\nTransfer-Encoding: chunked", .malformed),
      ("Transfer-Encoding: chunked\r\nContent-Length: 5", .malformed),
      ("Transfer-Encoding: gzip\r\nContent-Length: 5", .malformed),
      ("Content-Length: 0\r\nTransfer-Encoding: x", .malformed),
      ("Content-Length: 4097", .bodyTooLarge), ("Content-Length: 9223372036854775807", .bodyTooLarge),
      ("Content-Length: 9223372036854775808", .bodyTooLarge),
      ("Content-Length: 18446744073709551621", .bodyTooLarge),
      ("Content-Length: 99999999999999999999999999999999", .bodyTooLarge),
      ("Content-Length: 99999999999999999999999999999999a", .malformed),
      ("Expect: 100-continue\r\nContent-Length: 4097", .bodyTooLarge),
    ])
  func contentLength(fields: String, code: Code) {
    expect(code, "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n12345")
  }

  @Test(
    "Framing by Transfer-Encoding",
    arguments: [
      ("gzip", Code.notImplemented), ("gzip, chunked", .notImplemented), ("identity", .notImplemented),
      ("xchunked", .notImplemented), ("chunkedx", .notImplemented), ("gzip;q=\"a,\"", .malformed),
      ("gzip;q=1, chunked", .notImplemented), ("gzip\r\nTransfer-Encoding: chunked", .notImplemented),
      ("chunked, chunked", .malformed), ("chunked\r\nTransfer-Encoding: chunked", .malformed),
      ("chunked, gzip", .malformed), ("chunked, identity", .malformed),
      ("chunked\r\nTransfer-Encoding: x", .malformed),
      ("chunked,", .malformed), (",chunked", .malformed), ("", .malformed), (",", .malformed),
      ("chunked;a=b", .malformed), ("chunked;", .malformed), ("chunked x", .malformed),
      ("\"chunked\"", .malformed),
      ("[chunked]", .malformed), ("gzip;", .malformed), ("ch\u{fc}nked", .malformed),
      ("chunked\u{b}", .malformed),
    ])
  func transferEncoding(value: String, code: Code) {
    expect(code, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: \(value)\r\n\r\n0\r\n\r\n")
    expect(.malformed, "POST / HTTP/1.0\r\nHost: a\r\nTransfer-Encoding: \(value)\r\n\r\n0\r\n\r\n")
  }

  @Test(
    "Chunks",
    arguments: [
      ("\r\n", Code.malformed), ("x\r\n", .malformed), ("0x1\r\nx\r\n", .malformed),
      ("+1\r\nx\r\n", .malformed),
      ("-1\r\nx\r\n", .malformed), (" 1\r\nx\r\n", .malformed), ("1 \r\nx\r\n", .malformed),
      ("1\t\r\nx\r\n", .malformed),
      ("1 2\r\nx\r\n", .malformed), ("1.0\r\nx\r\n", .malformed), ("1\nx\r\n", .malformed),
      ("1\rx\r\n", .malformed),
      ("1\r\nxy\r\n", .malformed), ("1\r\nx\n", .malformed), ("1\r\nx\ry", .malformed),
      ("1\r\nx0\r\n\r\n", .malformed),
      ("3\r\nab\r\n0\r\n\r\n", .malformed), ("1;\r\nx\r\n", .malformed), ("1;=b\r\nx\r\n", .malformed),
      ("1;a=\r\nx\r\n", .malformed), ("1;a=\"b\r\nx\r\n", .malformed), ("1;a=\"b\\\"\r\nx\r\n", .malformed),
      ("1;a b\r\nx\r\n", .malformed), ("1;a \r\nx\r\n", .malformed), ("1;a=b c\r\nx\r\n", .malformed),
      ("1;a=\"b\"c\r\nx\r\n", .malformed), ("1;a\nb\r\nx\r\n", .malformed), ("1,a\r\nx\r\n", .malformed),
      ("00000000000000001\r\nx\r\n", .malformed), ("10000000000000000\r\nx\r\n", .malformed),
      ("g\r\n", .malformed), ("/\r\n", .malformed), (":\r\n", .malformed), ("@\r\n", .malformed),
      ("\u{b1}\r\n", .malformed),
      ("1001\r\n", .bodyTooLarge), ("ffffffffffffffff\r\n", .bodyTooLarge),
      ("8000000000000000\r\n", .bodyTooLarge),
      ("7FFFFFFFFFFFFFFF\r\n", .bodyTooLarge), ("1\r\nx\r\n1000\r\n", .bodyTooLarge),
      ("0\r\n\n", .malformed), ("0\r\n\rx", .malformed), ("0\r\nx\r\n\r\n", .malformed),
      ("0\n\r\n", .malformed),
    ])
  func chunks(coded: String, code: Code) {
    expect(code, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n\(coded)")
  }

  @Test(
    "Expectations that cannot be met, which HTTP/1.0 does not know",
    arguments: [
      "", "x", "100-continue, x", "100-continue\r\nExpect: x", "x\r\nExpect: 100-continue", "200-ok",
    ])
  func expectations(value: String) {
    expect(.expectationFailed, "POST / HTTP/1.1\r\nHost: a\r\nExpect: \(value)\r\n\r\n")
    let old = outcome(of: "POST / HTTP/1.0\r\nExpect: \(value)\r\n\r\n")
    #expect(old.requests.count == 1 && old.failure == nil)
  }

  @Test("What was complete before the fault is given")
  func faultBehindRequest() {
    let result = outcome(of: "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /2 HTTP/1.1\r\n\r\n")
    #expect(result.requests.map { text($0.path) } == ["/1"])
    #expect(result.failure == .malformed)
  }
}

import Foundation
import JSONText
import ListModel
import Sessions
import SourceContract
import Testing
import Upstream

/// Every way in which an upstream can fail.
@Suite(.timeLimit(.minutes(1)))
struct FailureTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var reply: UpstreamReply
    var code: UpstreamFailure.Code
    var status: Int?
    /// Requests made, retries among them.
    var requests: Int

    init(
      _ name: String, _ reply: UpstreamReply, _ code: UpstreamFailure.Code, status: Int? = 200,
      requests: Int = 1
    ) {
      testDescription = name
      self.reply = reply
      self.code = code
      self.status = status
      self.requests = requests
    }
  }

  private static let good = UpstreamReply.json(#"{"ok": true, "items": [{"id": 1}, {"id": 2}]}"#)

  static let cases: [Case] = [
    Case("closed before a byte", .nothing(.close), .unreachable, status: nil, requests: 3),
    Case("reset before a byte", .nothing(.reset), .unreachable, status: nil, requests: 3),
    Case("a head without end", .raw("HTTP/1.1 200 OK\r\nContent-Type: a\r\n"), .malformed, status: nil),
    Case(
      "an endless head", .raw("HTTP/1.1 200 OK\r\n" + String(repeating: "X: yyyyyyyyyy\r\n", count: 50_000)),
      .malformed, status: nil),
    Case(
      "an endless field", .raw("HTTP/1.1 200 OK\r\nX: " + String(repeating: "y", count: 600_000)), .malformed,
      status: nil),
    Case("no HTTP", .raw("SSH-2.0-OpenSSH_9.2\r\n"), .malformed, status: nil),
    Case("no head", .raw(#"[{"id": 1}]"#), .malformed, status: nil),
    Case("cut off within the body", good.truncated(by: 5), .malformed),
    Case("reset within the body", good.truncated(by: 5, .reset), .malformed),
    Case(
      "a length that lies", .json("[]", [("Content-Length", "100")]).ending(.close), .malformed),
    Case(
      "a length that is too short", .json(#"{"items": []}"#, [("Content-Length", "5")]).ending(.close),
      .malformed),
    Case(
      "cut off within a chunk", .json("20\r\n{\"items\":", [("Transfer-Encoding", "chunked")]).ending(.close),
      .malformed),
    Case("no body", .json(""), .malformed),
    Case("no JSON", .json("<html>"), .malformed),
    Case("NaN", .json(#"{"ok": true, "items": [{"id": NaN}]}"#), .malformed),
    Case("a name twice", .json(#"{"ok": true, "items": [], "items": []}"#), .malformed),
    Case("bytes behind", .json(#"{"ok": true, "items": []}]"#), .malformed),
    Case("no UTF-8", .text([0x22, 0xFF, 0x22]), .malformed),
    Case(
      "two marks", .text([0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF] + Array(#"{"items": []}"#.utf8)), .malformed),
    Case("items elsewhere", .json(#"{"ok": true, "data": []}"#), .malformed),
    Case("items null", .json(#"{"ok": true, "items": null}"#), .malformed),
    Case("items an object", .json(#"{"ok": true, "items": {}}"#), .malformed),
    Case("no ids", .json(#"{"ok": true, "items": [{"no": 1}, {"no": 2}]}"#), .malformed),
    Case("a lie about compression", .text([1, 2, 3], [("Content-Encoding", "gzip")]), .malformed),
    Case("an error of its own", .json(#"{"ok": false, "why": "no luck"}"#), .error),
    Case("too large", .json("\"" + String(repeating: "x", count: 20_000) + "\""), .tooLarge),
    Case("400", .json("{}", status: 400), .status, status: 400),
    Case("404", .json("{}", status: 404), .status, status: 404),
    Case("429", .json("{}", status: 429), .status, status: 429),
    Case("304 for nothing asked", .json("", status: 304), .status, status: 304),
    Case("300", .json("{}", status: 300), .status, status: 300),
    Case("500", .json("{}", status: 500), .status, status: 500, requests: 3),
    Case("503", .json("{}", status: 503), .status, status: 503, requests: 3),
    Case("503 with a time", .json("{}", status: 503, [("Retry-After", "7")]), .status, status: 503),
    Case("a redirect to nowhere", .json("", status: 302), .malformed, status: 302),
    Case("a redirect to a file", .redirect(301, to: "file:///etc/passwd"), .malformed, status: 301),
    Case("a redirect to no host", .redirect(307, to: "http://"), .malformed, status: 307),
    Case("redirects without end", .redirect(302, to: "/items"), .malformed, status: 302, requests: 11),
  ]

  @Test("is told by its type, with a detail and without addresses", arguments: cases)
  func failure(_ expected: Case) async throws {
    let upstream = try ScriptedUpstream { _ in expected.reply }
    let table = try WebTable(
      #""url": "\#(upstream.origin)/items?key=s3cret", "headers": {"Authorization": "Bearer s3cret"}, "items": "/items", "bodyBytes": 10000, "error": {"pointer": "/ok", "equals": false, "message": "/why"}"#
    )
    let failure = try #require(await table.page().failure)
    #expect(failure.code == expected.code, "\(failure.detail)")
    #expect(failure.upstreamStatus == expected.status)
    #expect(!failure.detail.isEmpty && !failure.detail.contains("s3cret"))
    #expect(!failure.detail.contains("\(upstream.port)") && !failure.detail.contains("127.0.0.1"))
    #expect(upstream.requests.count == expected.requests)
    #expect(table.retries.count == (expected.requests == 3 ? 2 : 0))
  }

  @Test(
    "Nobody listens, or nobody has the name: unreachable",
    arguments: ["http://127.0.0.1:1", "http://x.invalid", "https://127.0.0.1:1"])
  func unreachable(url: String) async throws {
    let table = try WebTable(#""url": "\#(url)", "retries": 1"#)
    #expect(await table.page().failure?.code == .unreachable)
    #expect(table.retries.count == 1)
  }

  @Test("TLS towards one who speaks none: unreachable")
  func noTLS() async throws {
    let upstream = try ScriptedUpstream { _ in .json("[]") }
    let table = try WebTable(
      #""url": "https://127.0.0.1:\#(upstream.port)", "retries": 0, "timeoutSeconds": 1"#)
    let code = await table.page().failure?.code
    #expect(code == .unreachable || code == .timeout)
  }

  @Test("An answer that does not end in time, however it trickles", arguments: [nil, 40])
  func timeout(dribble: Int?) async throws {
    let gate = Gate()
    defer { gate.open() }
    var reply = UpstreamReply.json("[" + String(repeating: " ", count: 100_000) + "]")
    reply.dribble = dribble
    if dribble == nil { reply.gate = gate }
    let slow = reply
    let upstream = try ScriptedUpstream { _ in slow }
    let table = try WebTable(#""url": "\#(upstream.origin)", "retries": 1, "timeoutSeconds": 0.5"#)
    let failure = try #require(await table.page().failure)
    #expect(failure.code == .timeout)
    #expect(failure.upstreamStatus == (dribble == nil ? nil : 200))
    #expect(upstream.requests.count == 2)
  }

  @Test("The time limit holds over redirects together")
  func timeoutOverRedirects() async throws {
    let upstream = try ScriptedUpstream { _ in
      usleep(60_000)
      return .redirect(302, to: "/next")
    }
    let table = try WebTable(#""url": "\#(upstream.origin)", "retries": 0, "timeoutSeconds": 0.3"#)
    #expect(await table.page().failure?.code == .timeout)
    #expect(upstream.requests.count < 8)
  }

  static let waits: [(String, Int?)] = [
    ("0", 0), ("120", 120), (" 5 ", 5), ("-1", nil), ("1.5", nil), ("soon", nil), ("+3", nil), ("", nil),
    ("99999999999999999999", nil), ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 0),
    ("Sun Nov  6 08:49:37 1994", 0), ("Sun, 06 Nov 1994 25:49:37 GMT", nil),
    ("Sun, 06 Foo 1994 08:49:37 GMT", nil),
  ]

  @Test("Retry-After becomes whole seconds", arguments: waits)
  func retryAfter(field: String, seconds: Int?) async throws {
    let upstream = try ScriptedUpstream { _ in .json("{}", status: 429, [("Retry-After", field)]) }
    let table = try WebTable(#""url": "\#(upstream.origin)""#)
    #expect(await table.page().failure?.retryAfter == seconds)
  }

  @Test("A date to come is as many seconds away")
  func retryAfterDate() async throws {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    let field = format.string(from: Date(timeIntervalSinceNow: 90))
    let upstream = try ScriptedUpstream { _ in .json("{}", status: 503, [("Retry-After", field)]) }
    let table = try WebTable(#""url": "\#(upstream.origin)""#)
    let seconds = try #require(await table.page().failure?.retryAfter)
    #expect((85...90).contains(seconds))
  }

  @Test("The upstream's own words are told, its status kept", arguments: [200, 403])
  func ownWords(status: Int) async throws {
    let upstream = try ScriptedUpstream { _ in
      .json(#"{"error": {"message": "limit used up"}}"#, status: status)
    }
    let table = try WebTable(
      #""url": "\#(upstream.origin)", "error": {"pointer": "/error", "message": "/error/message"}"#)
    let failure = try #require(await table.page().failure)
    #expect(failure.code == (status == 200 ? .error : .status) && failure.upstreamStatus == status)
    #expect(failure.detail.contains("limit used up"))
  }

  @Test("Another attempt may do")
  func secondAttempt() async throws {
    let attempts = Counter()
    let upstream = try ScriptedUpstream { _ in
      attempts.add()
      return attempts.count < 3 ? .json("", status: 502) : .json("[{\"id\": 1}]")
    }
    let table = try WebTable(#""url": "\#(upstream.origin)""#)
    #expect(try await table.page().get().ids == ["1"])
    #expect(table.retries.count == 2)
  }
}

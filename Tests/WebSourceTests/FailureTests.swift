import Foundation
import JSONText
import ListModel
import ScriptedUpstream
import Sessions
import SourceContract
import Testing

/// Every way in which an upstream can fail.
@Suite(.timeLimit(.minutes(5)))
struct FailureTests {
  @Test("is told by its type, with a detail and without addresses", arguments: Misbehaviour.all)
  func failure(_ expected: Misbehaviour) async throws {
    let upstream = try ScriptedUpstream { _ in expected.reply }
    let table = try WebTable(
      #""url": "\#(upstream.origin)/items?key=s3cret", "headers": {"Authorization": "Bearer s3cret"}, "items": "/items", "bodyBytes": \#(Misbehaviour.bodyBytes), "error": \#(Misbehaviour.errorRule)"#
    )
    let failure = try #require(await table.page().failure)
    #expect(failure.code.rawValue == expected.type, "\(failure.detail)")
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
    var reply = Reply.json("[" + String(repeating: " ", count: 100_000) + "]")
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

import HTTP1
import Testing

/// Limits, interim responses and costs.
@Suite("Limits and incremental reading")
struct LimitTests {
  private let head = "POST /a?b HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n"

  @Test("A head is accepted at exactly its limit and refused one byte above, complete or not")
  func headLimit() {
    for limit in 0...head.utf8.count + 1 {
      let limits = RequestParser.Limits(headerBytes: limit, bodyBytes: 3)
      let result = outcome(of: head + "abc", limits: limits)
      #expect(result.failure == (limit < head.utf8.count ? .headersTooLarge : nil), "limit \(limit)")
    }
    let small = RequestParser.Limits(headerBytes: 40, bodyBytes: 0)
    #expect(
      outcome(of: "GET /" + String(repeating: "a", count: 40), limits: small).failure == .headersTooLarge)
    #expect(outcome(of: String(repeating: "A", count: 39), limits: small).failure == nil)
    #expect(outcome(of: String(repeating: "A", count: 40), limits: small).failure == .headersTooLarge)
    #expect(
      outcome(of: "\r\n\r\nGET / HTTP/1.1\r\nHost: aaaaaaaaaaaa\r\n\r\n", limits: small).requests.count == 1)
  }

  @Test("A body is accepted at exactly its limit and refused one byte above, before any of it is read")
  func bodyLimit() {
    let chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    for (limit, code) in [(2, RequestFailure.Code.bodyTooLarge), (3, nil), (.max, nil)] {
      let limits = RequestParser.Limits(headerBytes: 4096, bodyBytes: limit)
      #expect(outcome(of: head + "abc", limits: limits).failure == code)
      #expect(outcome(of: chunked + "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n", limits: limits).failure == code)
    }
    #expect(outcome(of: head, limits: .init(headerBytes: 4096, bodyBytes: 2)).failure == .bodyTooLarge)
    let beyond = RequestParser.Limits(headerBytes: .min, bodyBytes: .min)
    #expect(outcome(of: "G", limits: beyond).failure == .headersTooLarge)
  }

  @Test("Chunk extensions and trailer share a bound")
  func overheadLimit() {
    let start = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    let limits = RequestParser.Limits(headerBytes: start.utf8.count, bodyBytes: 100)
    let room = start.utf8.count
    func extended(_ count: Int) -> String { "1;" + String(repeating: "e", count: count - 1) + "\r\nx\r\n" }
    func trailer(_ count: Int) -> String { "0\r\nT:" + String(repeating: "t", count: count - 4) + "\r\n\r\n" }
    #expect(outcome(of: start + extended(room) + "0\r\n\r\n", limits: limits).failure == nil)
    #expect(outcome(of: start + extended(room + 1), limits: limits).failure == .headersTooLarge)
    #expect(outcome(of: start + extended(room + 40), limits: limits).failure == .headersTooLarge)
    #expect(outcome(of: start + trailer(room), limits: limits).failure == nil)
    #expect(outcome(of: start + trailer(room + 1), limits: limits).failure == .headersTooLarge)
    #expect(outcome(of: start + extended(room - 10) + trailer(10), limits: limits).failure == nil)
    #expect(outcome(of: start + extended(room - 9) + trailer(10), limits: limits).failure == .headersTooLarge)
    #expect(
      outcome(of: start + "0\r\n" + String(repeating: "T:\r\n", count: 20), limits: limits).failure
        == .headersTooLarge)
    #expect(
      outcome(of: start + String(repeating: "1;ab\r\nx\r\n", count: 30), limits: limits).failure
        == .headersTooLarge)
  }

  @Test("100 Continue is asked for once, and only where a body is awaited of which nothing has come")
  func interimResponses() {
    func continues(_ pieces: String...) -> (Int, Int) {
      var connection = Connection(roomy)
      for piece in pieces { connection.receive(bytes(piece)) }
      return (connection.continues, connection.outcome.requests.count)
    }
    let counted = "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\n"
    let chunked = "PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n"
    #expect(continues(counted) == (1, 0))
    #expect(continues(counted, "", "a", "b") == (1, 1))
    #expect(continues(counted + "a", "b") == (0, 1))
    #expect(continues(chunked, "0\r\n\r\n") == (1, 1))
    #expect(continues(counted, "ab" + counted, "ab") == (2, 2))
    #expect(continues("PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n") == (0, 1))
    #expect(continues("PUT / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n", "ab") == (0, 1))
    #expect(continues("PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n", "ab") == (0, 1))
  }

  @Test("After a failure every call gives the same failure and consumes nothing")
  func failureStays() {
    var parser = RequestParser(limits: roomy)
    let bad = bytes("GET / HTTP/1.1\n")
    let good = bytes("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    for input in [bad, good, []] {
      let (consumed, event) = input.withUnsafeBytes { parser.parse($0) }
      guard case .failure(let failure) = event else {
        Issue.record("no failure")
        return
      }
      #expect(consumed == 0 && failure.code == .malformed && !failure.detail.isEmpty)
      #expect(!parser.isReadingBody && !parser.isIdle)
    }
  }

  @Test("Bytes that dribble are looked at once: a large head and body, byte by byte", .timeLimit(.minutes(5)))
  func dribbling() {
    let limits = RequestParser.Limits(headerBytes: 1 << 20, bodyBytes: 1 << 20)
    let start = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\nX: "
    var input = bytes(start)
    input += [UInt8](repeating: 0x61, count: 500_000)
    input += bytes("\r\n\r\n")
    input += [UInt8](repeating: 0, count: 500_000)
    var parser = RequestParser(limits: limits)
    var requests = 0
    var consumed = 0
    input.withUnsafeBytes { whole in
      for end in 1...whole.count {
        let (taken, event) = parser.parse(UnsafeRawBufferPointer(rebasing: whole[consumed..<end]))
        consumed += taken
        if case .request = event { requests += 1 }
      }
    }
    #expect(requests == 1 && consumed == input.count)
  }
}

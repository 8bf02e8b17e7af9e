import Foundation
import ScriptedUpstream
import Testing
import TestSupport

/// Every way in which an upstream can fail is a state of the list: 200, the error's type, the retry row, nothing lost.
@Suite(.fewAtOnce, .timeLimit(.minutes(5))) struct UpstreamFailureTests {
  @Test("a page that fails leaves the list, says why, and comes when it is asked for again")
  func allFailures() async throws {
    let cases = Misbehaviour.all
    let healed = Switch()
    let upstream = try ScriptedUpstream { request in
      // One of them redirects to this address, and so without end.
      if request.target == "/items" { return .redirect(302, to: "/items") }
      guard let number = Int(request.path.split(separator: "/").first ?? ""), request.query("page") != "1",
        !healed.isOn
      else { return numberedPage(request) }
      return cases[number].reply
    }
    let source = numberedSource(
      "\(upstream.origin)/{case}/items",
      #"""
      , "query": {"key": "s3cret"}, "headers": {"Authorization": "Bearer ${TOKEN}"}, "retries": 0,
        "bodyBytes": \#(Misbehaviour.bodyBytes), "error": \#(Misbehaviour.errorRule)
      """#)
    let port = "\(upstream.port)"
    try await onThread {
      let server = try RunningServer(
        tables: #""list": {\#(source), "params": {"case": {}}}"#, environment: ["TOKEN": "s3cret"])
      defer { server.stop() }
      for (number, expected) in cases.enumerated() {
        healed.set(false)
        let session = try WebSession(server, "list", params: #"{"case":"\#(number)"}"#)
        try session.send("load")
        let (status, answer) = try session.send("load-more")
        let snapshot = answer["snapshot"]
        let error = snapshot["error"]
        #expect(
          status == 200 && error["type"].string == "/problems/\(expected.type)", "\(expected): \(error)")
        #expect(error["upstreamStatus"].integer == expected.status, "\(expected)")
        #expect(error["during"].string == "load-more" && error["detail"].string?.isEmpty == false)
        for secret in ["s3cret", port, "127.0.0.1"] {
          #expect(!"\(answer)".contains(secret), "\(expected): \(answer)")
        }
        #expect(snapshot.ids == ["1", "2"] && snapshot.placeholder == "retry", "\(expected)")
        #expect(snapshot["hasNext"].bool == true && snapshot["loading"].isNull)
        #expect(answer["changes"].elements.map { $0["cause"].string } == ["load-more", "load-more"])
        healed.set(true)
        let retried = try session.send("select", #"{"index":2}"#).answer
        #expect(retried["changes"].elements.map { $0["cause"].string } == ["retry", "retry"])
        #expect(retried["snapshot"].ids == ["1", "2", "3", "4"] && retried["snapshot"]["error"].isNull)
      }
    }
  }

  @Test(
    "an answer that does not end in time is given up, whatever trickles",
    arguments: [
      "HTTP/1.1 200 OK\r\nX-Never: " + String(repeating: "y", count: 9_000),
      "HTTP/1.1 200 OK\r\n\r\n[" + String(repeating: " ", count: 9_000),
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + String(repeating: "1\r\n \r\n", count: 1_500),
      String(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 400),
    ])
  func trickling(text: String) async throws {
    let upstream = try ScriptedUpstream { _ in Reply.raw(text).dribbled(2) }
    let source = numberedSource(upstream.origin, #", "retries": 0, "timeoutSeconds": 0.5"#)
    try await onThread {
      let server = try RunningServer(tables: #""list": {\#(source)}"#)
      defer { server.stop() }
      let session = try WebSession(server, "list")
      let began = Date()
      let (status, answer) = try session.send("load")
      #expect(status == 200 && answer["snapshot"]["state"].string == "error")
      #expect(answer["snapshot"]["error"]["type"].string == "/problems/upstream-timeout", "\(answer)")
      #expect(answer["snapshot"]["error"]["status"].integer == 504)
      #expect(Date().timeIntervalSince(began) < 3)
    }
  }

  /// What an answer names as the next page, and how that ends.
  static let nexts: [(next: String, ids: [String], type: String?)] = [
    (#""?at=2""#, ["1", "2"], nil), (#""/items?at=2""#, ["1", "2"], nil),
    (#""items?at=2""#, ["1", "2"], nil),
    (#""//127.0.0.1:PORT/items?at=2""#, ["1", "2"], nil),
    (#""HTTP://127.0.0.1:PORT/?at=2#x""#, ["1", "2"], nil),
    (#""ftp://127.0.0.1/items?at=2""#, [], "malformed"), (#""javascript:alert(1)""#, [], "malformed"),
    (#""http://""#, [], "malformed"), (#""http://127.0.0.1:0x50/""#, [], "malformed"),
    ("17", [], "malformed"),
    (#"{"href": "?at=2"}"#, [], "malformed"), ("false", [], "malformed"),
    (#""""#, ["1"], nil), ("null", ["1"], nil), (#""?at=1""#, ["1"], "repeats"), (#""""#, ["1"], nil),
    (#""https://127.0.0.1:1/items?at=2""#, ["1"], "unreachable"),
  ]

  @Test("a next address is followed where it leads somewhere, and is an error where not", arguments: nexts)
  func nextAddress(next: String, ids: [String], type: String?) async throws {
    let upstream = try ScriptedUpstream { _ in .nothing(.close) }
    let port = upstream.port
    upstream.follow { request in
      request.query("at") == "2"
        ? .json(#"{"items": [{"id": 2}]}"#)
        : .json(
          #"{"items": [{"id": 1}], "next": \#(next.replacingOccurrences(of: "PORT", with: "\(port)"))}"#)
    }
    let source =
      #""source": {"kind": "http", "url": "\#(upstream.origin)/items?at=1", "items": "/items", "retries": 0, "paging": {"style": "next", "next": "/next"}}"#
    try await onThread {
      let server = try RunningServer(tables: #""list": {\#(source)}"#)
      defer { server.stop() }
      let session = try WebSession(server, "list")
      try session.send("load")
      let snapshot = try session.send("load-more").answer["snapshot"]
      #expect(snapshot.ids == ids, "\(snapshot)")
      #expect(snapshot["error"]["type"].string == type.map { "/problems/upstream-\($0)" }, "\(snapshot)")
      #expect(snapshot.placeholder == (type == nil ? "hidden" : ids.isEmpty ? "error" : "retry"))
    }
  }

  @Test("no content is an empty list, not a failure", arguments: [204, 205])
  func noContent(status: Int) async throws {
    let upstream = try ScriptedUpstream { _ in .raw("HTTP/1.1 \(status) Nothing\r\nContent-Length: 0\r\n\r\n")
    }
    let source = numberedSource(upstream.origin)
    try await onThread {
      let server = try RunningServer(tables: #""list": {\#(source)}"#)
      defer { server.stop() }
      let answer = try WebSession(server, "list").send("load").answer
      #expect(answer["snapshot"]["state"].string == "empty" && answer["snapshot"]["error"].isNull)
    }
  }
}

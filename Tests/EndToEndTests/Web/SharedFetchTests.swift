import Foundation
import ScriptedUpstream
import Testing
import TestSupport

/// Fetches that many wait for, that nobody waits for, and that never end.
@Suite(.fewAtOnce, .timeLimit(.minutes(5))) struct SharedFetchTests {
  /// Holds the pages of chosen requests until they are let go.
  private final class Gates: Sendable {
    private let gates: [String: Gate]

    init(_ names: [String]) { gates = Dictionary(uniqueKeysWithValues: names.map { ($0, Gate()) }) }

    func open(_ name: String) { gates[name]?.open() }

    func hold(_ reply: Reply, by name: String) -> Reply { gates[name].map { reply.held(by: $0) } ?? reply }

    deinit { for gate in gates.values { gate.open() } }
  }

  private static func page(_ request: UpstreamRequest) -> String { request.query("page") ?? "" }

  @Test("thirty load-mores over thirty connections are one request, and all get the same two changes")
  func oneRequest() async throws {
    let gates = Gates(["2"])
    let upstream = try ScriptedUpstream { gates.hold(numberedPage($0), by: Self.page($0)) }
    let table = numberedSource(upstream.origin)
    try await onThread {
      let server = try RunningServer(tables: #""list": {\#(table)}"#)
      defer { server.stop() }
      let session = try WebSession(server, "list")
      try session.send("load")
      let callers = try (0..<30).map { _ in try ClientSocket(port: server.port) }
      // Whichever loop a caller is on, some of these are on it too: once they are answered, the caller was heard.
      let barrier = try (0..<40).map { _ in try ClientSocket(port: server.port) }
      for socket in callers + barrier { _ = try socket.call("GET", session.path) }
      for caller in callers {
        try caller.send(
          "POST \(session.path)/load-more HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
      }
      for socket in barrier { _ = try socket.call("GET", session.path) }
      gates.open("2")
      for caller in callers {
        let answer = try caller.answer()
        let tree = try Tree(answer.body)
        #expect(answer.status == 200)
        #expect(tree["changes"].elements.map { $0["revision"].integer } == [3, 4])
        #expect(tree["changes"].elements.map { $0["cause"].string } == ["load-more", "load-more"])
        #expect(tree["snapshot"].ids == ["1", "2", "3", "4"])
      }
    }
    #expect(upstream.requests.map(Self.page) == ["1", "2"])
  }

  @Test("a client that leaves cancels nothing")
  func leaving() async throws {
    let gates = Gates(["2"])
    let upstream = try ScriptedUpstream { gates.hold(numberedPage($0), by: Self.page($0)) }
    let table = numberedSource(upstream.origin)
    try await onThread {
      let server = try RunningServer(tables: #""list": {\#(table)}"#)
      defer { server.stop() }
      let session = try WebSession(server, "list")
      try session.send("load")
      let leaver = try ClientSocket(port: server.port)
      try leaver.send(
        "POST \(session.path)/load-more HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n")
      #expect(try session.get("/changes?since=2&wait=10")["changes"].elements.count == 1)
      leaver.cut()
      gates.open("2")
      #expect(try session.end(of: "load-more", after: 3).count == 1)
      #expect(try session.get().ids == ["1", "2", "3", "4"])
    }
    #expect(upstream.requests.count == 2)
  }

  @Test("Prefer says how long to wait; what comes later comes by the changes")
  func prefer() async throws {
    let gates = Gates(["1", "2"])
    let upstream = try ScriptedUpstream { gates.hold(numberedPage($0), by: Self.page($0)) }
    let table = numberedSource(upstream.origin)
    try await onThread {
      let server = try RunningServer(tables: #""list": {\#(table)}"#)
      defer { server.stop() }
      let session = try WebSession(server, "list")
      let (status, start) = try session.send("load", prefer: "respond-async")
      #expect(status == 202 && start["revision"].integer == 1)
      #expect(start["changes"].elements.map { $0["loading"].string } == ["load"])
      #expect(start["snapshot"]["loading"].string == "load")
      let began = Date()
      let (waited, same) = try session.send("load", prefer: "wait=1")
      #expect(waited == 202 && same["changes"].elements.map { $0["revision"].integer } == [1])
      #expect(Date().timeIntervalSince(began) > 0.9)
      gates.open("1")
      let end = try session.end(of: "load", after: 1)
      #expect(end.map { $0["itemCount"].integer } == [2] && end.map { $0["state"].string } == ["populated"])

      // A page that comes within the wait ends it.
      let other = try ClientSocket(port: server.port)
      try other.send(
        "POST \(session.path)/load-more HTTP/1.1\r\nHost: localhost\r\nPrefer: wait=20\r\nContent-Length: 0\r\n\r\n"
      )
      _ = try session.get("/changes?since=2&wait=10")
      gates.open("2")
      let answer = try other.answer()
      #expect(answer.status == 200)
      #expect(try Tree(answer.body)["changes"].elements.map { $0["revision"].integer } == [3, 4])
    }
  }

  @Test("an upstream that hangs delays nobody else, however many wait for it")
  func isolation() async throws {
    let gate = Gate()
    defer { gate.open() }
    let hanging = try ScriptedUpstream { _ in Reply.json("{}").held(by: gate) }
    let quick = try ScriptedUpstream { numberedPage($0) }
    let tables =
      #""slow": {\#(numberedSource(hanging.origin))}, "quick": {\#(numberedSource(quick.origin))}"#
    try await onThread {
      let server = try RunningServer(tables: tables, limits: #""fetches": 16"#)
      defer { server.stop() }
      let slow = try (0..<40).map { _ in try WebSession(server, "slow") }
      for session in slow { #expect(try session.send("load", prefer: "respond-async").status == 202) }
      let began = Date()
      let session = try WebSession(server, "quick")
      #expect(try session.send("load").answer["snapshot"].ids == ["1", "2"])
      #expect(try session.send("load-more").answer["snapshot"].ids == ["1", "2", "3", "4"])
      // Lists that wait for the upstream themselves take commands all the same.
      for session in slow {
        #expect(try session.send("insert", #"{"rows":[{"id":"a","data":1}]}"#).status == 200)
        #expect(try session.get().ids == ["a"])
      }
      #expect(Date().timeIntervalSince(began) < 100)
      #expect(hanging.requests.count < 16)
    }
  }

  @Test("where requests have to wait, lists take turns")
  func turns() async throws {
    let names = ["a1", "a2", "b1", "c1"]
    let gates = Gates(names)
    @Sendable func name(_ request: UpstreamRequest) -> String {
      (request.query("q") ?? "") + Self.page(request)
    }
    let upstream = try ScriptedUpstream { gates.hold(numberedPage($0), by: name($0)) }
    let table = numberedSource(upstream.origin, #", "query": {"q": "{q}"}"#)
    try await onThread {
      let server = try RunningServer(
        tables: #""list": {\#(table), "params": {"q": {}}}"#, limits: #""fetches": 1"#, threads: 1)
      defer { server.stop() }
      let sessions = try ["a", "b", "c"].map { try WebSession(server, "list", params: #"{"q":"\#($0)"}"#) }
      for session in sessions { #expect(try session.send("load", prefer: "respond-async").status == 202) }
      gates.open("a1")
      _ = try sessions[0].end(of: "load", after: 1)
      #expect(try sessions[0].send("load-more", prefer: "respond-async").status == 202)
      for (session, gate) in zip(sessions.dropFirst(), ["b1", "c1"]) {
        gates.open(gate)
        _ = try session.end(of: "load", after: 1)
      }
      gates.open("a2")
      _ = try sessions[0].end(of: "load-more", after: 3)
    }
    #expect(upstream.requests.map(name) == ["a1", "b1", "c1", "a2"])
  }
}

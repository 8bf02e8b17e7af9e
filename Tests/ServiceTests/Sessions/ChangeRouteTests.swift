import HTTP1
import JSONText
import ListModel
import Service
import Sessions
import Testing
import TestSupport

/// Protocol §8 over HTTP: polls and streams.
@Suite(.timeLimit(.minutes(5)))
struct ChangeRouteTests {
  private static let R = Desk.R
  private let stream = [(name: "Accept", value: "text/event-stream")]

  // MARK: Polls

  @Test("Changes after a revision, byte for byte")
  func changes() throws {
    let desk = Desk()
    let path = try desk.notes()
    let made = try desk.ask(.post, "\(path)/select?tag=x", #"{"id":null}"#)
    #expect(made.revisions == [])
    let change = try #require(
      try desk.ask(.post, "\(path)/insert", #"{"rows":[{"id":"a","data":1}]}"#).member("/changes/0"))
    let response = try desk.ask(.get, "\(path)/changes?since=\(Self.R)")
    #expect(response.status == 200 && response.text == #"{"revision":\#(Self.R + 1),"changes":[\#(change)]}"#)
    #expect(response.field("ETag") == "\"\(Self.R + 1)\"" && response.field("Cache-Control") == "no-store")
    #expect(
      try desk.ask(.get, "\(path)/changes?since=\(Self.R + 1)").text
        == #"{"revision":\#(Self.R + 1),"changes":[]}"#)
    let patched = try desk.ask(.get, "\(path)/changes?since=\(Self.R)&format=json-patch")
    #expect(patched.member("/changes/0/patch") != nil && patched.member("/changes/0/ops") == nil)
    #expect(
      try desk.ask(.head, "\(path)/changes?since=\(Self.R + 1)&wait=60").status == 200, "HEAD does not wait")
  }

  @Test("A gap is a reset with the whole document, whatever else is asked for", arguments: [0, R + 9])
  func reset(since: Int) throws {
    let desk = Desk()
    let path = try desk.notes(["a"])
    let response = try desk.ask(
      .get, "\(path)/changes?since=\(since)&offset=1&limit=0&wait=9", nil, [("Prefer", "return=minimal")])
    #expect(response.text.hasPrefix(#"{"revision":\#(Self.R + 1),"reset":true,"changes":[],"snapshot":{"#))
    #expect(response.member("/snapshot") == (try desk.ask(.get, path).text))
  }

  @Test("A poll waits for news, for its time, for the end of the session, and for no drain")
  func waits() throws {
    let desk = Desk()
    let path = try desk.notes()
    let first = desk.send(.get, "\(path)/changes?since=\(Self.R)&wait=60")
    #expect(first.response == nil)
    try desk.ask(.post, "\(path)/insert", #"{"rows":[{"id":"a","data":1}]}"#)
    #expect(first.response?.revisions == [Self.R + 1])
    let second = desk.send(.get, "\(path)/changes?since=\(Self.R + 1)&wait=2")
    desk.advance(seconds: 2)
    #expect(second.response?.text == #"{"revision":\#(Self.R + 1),"changes":[]}"#)
    let third = desk.send(.get, "\(path)/changes?since=\(Self.R + 1)&wait=60")
    try desk.ask(.delete, path)
    #expect(third.response?.status == 410)
    _ = try desk.notes()
    let fourth = desk.send(.get, "\(path)/changes?since=\(Self.R + 2000)&wait=60")
    #expect(fourth.response == nil)
    desk.service.drain()
    #expect(fourth.response?.revisions == [])
  }

  @Test(
    "What is missing or no number is said",
    arguments: [
      "since=", "since=x", "since=-1", "since=+1", "since=1.0", "since=9223372036854775808",
      "since=0&since=0",
      "since=0&wait=", "since=0&wait=61", "since=0&wait=-1", "since=0&wait=x", "since=0&wait=1.5",
      "since=0&format=", "since=0&format=ops",
    ])
  func malformed(query: String) throws {
    let desk = Desk()
    let path = try desk.notes()
    let asked = [
      try desk.ask(.get, "\(path)/changes?\(query)"),
      try desk.ask(.get, "\(path)/changes?\(query)", nil, stream),
      try desk.ask(.get, "\(path)/changes?\(query)", nil, stream + [("Last-Event-ID", "\(Self.R)")]),
    ]
    for response in asked {
      #expect(response.status == 400 && response.member("/type") == #""/problems/malformed-request""#)
      #expect(response.member("/revision") == "\(Self.R)")
    }
    if !query.contains("wait") {
      let command = try desk.ask(.post, "\(path)/insert?\(query)", #"{"rows":[{"data":1}]}"#)
      #expect(command.status == 400 && command.member("/type") == #""/problems/malformed-request""#)
      #expect(
        try desk.ask(.get, path).member("/revision") == "\(Self.R)", "a refused command changes nothing")
    }
  }

  @Test("A poll has to say what it has; a stream and a command need not")
  func needed() throws {
    let desk = Desk()
    let path = try desk.notes()
    #expect(try desk.ask(.get, "\(path)/changes").status == 400)
    #expect(desk.send(.get, "\(path)/changes", nil, stream).stream != nil)
    #expect(try desk.ask(.post, "\(path)/insert", #"{"rows":[{"data":1}]}"#).status == 200)
  }

  @Test("Who waits takes a place; an answer frees it, and so does a client that leaves")
  func places() throws {
    var limits = SessionLimits()
    limits.subscribersPerSession = 2
    let desk = Desk(limits: limits)
    let path = try desk.notes()
    func poll(after revision: Int) -> RecordingExchange {
      desk.send(.get, "\(path)/changes?since=\(revision)&wait=60")
    }
    let open = try #require(desk.send(.get, "\(path)/changes", nil, stream).stream)
    let timers = desk.timerCount
    let waiting = poll(after: Self.R)
    #expect(waiting.response == nil)
    for refused in [poll(after: Self.R), desk.send(.get, "\(path)/changes", nil, stream)] {
      #expect(refused.response?.status == 429)
      #expect(refused.response?.member("/type") == #""/problems/too-many-subscribers""#)
    }
    waiting.leave()
    #expect(waiting.response?.revisions == [], "one that only listens is told what there is")
    #expect(desk.timerCount == timers)
    let next = poll(after: Self.R)
    #expect(next.response == nil)
    try desk.ask(.post, "\(path)/insert", #"{"rows":[{"id":"a","data":1}]}"#)
    #expect(next.response?.revisions == [Self.R + 1])
    next.leave()
    open.close()
    #expect((0..<3).map { _ in poll(after: Self.R + 1).response?.status } == [nil, nil, 429])
  }

  // MARK: Streams

  @Test("A stream, byte for byte: retry, snapshot, changes, end")
  func streams() throws {
    let desk = Desk()
    let path = try desk.notes()
    let exchange = desk.send(.get, "\(path)/changes", nil, stream)
    let head = try #require(exchange.response)
    let body = try #require(exchange.stream)
    #expect(head.status == 200 && head.field("Content-Type") == "text/event-stream")
    #expect(head.field("Cache-Control") == "no-store" && head.field("X-Accel-Buffering") == "no")
    let snapshot = try desk.ask(.get, path).text
    let change = try #require(
      try desk.ask(.post, "\(path)/insert", #"{"rows":[{"id":"a","data":"\u000d\n"}]}"#).member("/changes/0"))
    try desk.ask(.delete, path)
    #expect(
      body.text == "retry: 2000\n\nid: \(Self.R)\nevent: snapshot\ndata: \(snapshot)\n\n"
        + "id: \(Self.R + 1)\nevent: change\ndata: \(change)\n\nevent: end\ndata: {\"reason\":\"deleted\"}\n\n"
    )
    #expect(body.isFinished)
    #expect(
      String(decoding: body.limits.lagging, as: UTF8.self) == "event: end\ndata: {\"reason\":\"lagging\"}\n\n"
    )
    #expect(body.limits.heartbeat.first == UInt8(ascii: ":") && body.limits.heartbeatSeconds == 15)
    #expect(body.limits.bufferBytes == 1_048_576 && body.limits.stallSeconds == 30)
  }

  /// Last-Event-ID, the query, and what the stream begins with.
  @Test(
    "Last-Event-ID before since; one that cannot be read begins with a snapshot",
    arguments: [
      (nil, "since=R", "change R+1, change R+2"), ("R+1", "since=R", "change R+2"), ("R+2", "", ""),
      ("junk", "since=R", "snapshot R+2"), ("", "since=R", "snapshot R+2"),
      ("99999999999999999999", "since=R", "snapshot R+2"), (nil, "since=9223372036854775807", "snapshot R+2"),
      (nil, "since=0", "snapshot R+2"), ("R+3", "", "snapshot R+2"), (nil, "", "snapshot R+2"),
    ] as [(String?, String, String)])
  func resumes(lastEventID: String?, query: String, events: String) throws {
    func number(_ text: String) -> String {
      var text = text
      for offset in [3, 2, 1] {
        text = text.split(separator: "R+\(offset)", omittingEmptySubsequences: false).joined(
          separator: "\(Self.R + offset)")
      }
      return text.split(separator: "R", omittingEmptySubsequences: false).joined(separator: "\(Self.R)")
    }
    let desk = Desk()
    let path = try desk.notes(["a"])
    try desk.ask(.post, "\(path)/delete", #"{"all":true}"#)
    let fields = stream + (lastEventID.map { [("Last-Event-ID", number($0))] } ?? [])
    let body = try #require(desk.send(.get, "\(path)/changes?\(number(query))", nil, fields).stream)
    var seen: [String] = []
    for event in body.text.split(separator: "\n\n").dropFirst() {
      let lines = event.split(separator: "\n")
      #expect(lines.count == 3 && lines[2].hasPrefix("data: {"))
      seen.append("\(lines[1].dropFirst("event: ".count)) \(lines[0].dropFirst("id: ".count))")
    }
    #expect(seen.joined(separator: ", ") == number(events))
    #expect(body.lag == 0, "what a stream begins with is not its reader's lag")
    try desk.ask(.post, "\(path)/insert", #"{"rows":[{"id":"b","data":1}]}"#)
    #expect(
      body.text.hasSuffix("}\n\n") && body.text.contains("id: \(Self.R + 3)\nevent: change\n") && body.lag > 0
    )
  }

  @Test(
    "Accept decides between poll and stream",
    arguments: [
      ("text/event-stream", true), ("text/event-stream, application/json;q=0.9", true),
      ("text/*, application/json;q=0.5", true),
      ("*/*", false), ("application/json", false), ("application/json, text/event-stream;q=0.5", false),
      ("text/event-stream;q=0, */*", false),
    ])
  func negotiation(accept: String, isStream: Bool) throws {
    let desk = Desk()
    let exchange = desk.send(.get, "\(try desk.notes())/changes?since=\(Self.R)", nil, [("Accept", accept)])
    #expect((exchange.stream != nil) == isStream && exchange.response?.status == 200)
    #expect(try desk.ask(.get, "/v1/sessions/n/changes", nil, [("Accept", "image/png")]).status == 406)
  }

  @Test("Patches, limits, and sessions that are not there")
  func others() throws {
    var limits = SessionLimits()
    limits.subscribersPerSession = 1
    let desk = Desk(limits: limits)
    let path = try desk.notes()
    let only = try #require(
      desk.send(.get, "\(path)/changes?since=\(Self.R)&format=json-patch", nil, stream).stream)
    try desk.ask(.post, "\(path)/insert", #"{"rows":[{"id":"b","data":1}]}"#)
    #expect(only.text.contains(#""patch":["#) && !only.text.contains(#""ops":["#))
    let refused = try desk.ask(.get, "\(path)/changes", nil, stream)
    #expect(refused.status == 429 && refused.member("/type") == #""/problems/too-many-subscribers""#)
    #expect(refused.member("/revision") == "\(Self.R + 1)")
    only.close()
    #expect(desk.send(.get, "\(path)/changes", nil, stream).stream != nil)
    #expect(try desk.ask(.get, "/v1/sessions/none/changes", nil, stream).status == 404)
    desk.service.drain()
    #expect(try desk.ask(.get, "\(path)/changes", nil, stream).status == 503)
  }
}

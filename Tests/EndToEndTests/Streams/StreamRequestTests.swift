import Foundation
import JSONText
import Testing
import TestSupport

/// How a stream is asked for, refused and ended.
@Suite(.fewAtOnce, .timeLimit(.minutes(5))) struct StreamRequestTests {
  @Test("a stream says what it is, begins with retry and a snapshot, and HEAD gets the same head")
  func heads() async throws {
    try await onThread {
      let server = try RunningServer(limits: "\"subscribersPerSession\": 1")
      let play = try Playground(server)
      // More than the limit, since a HEAD holds no place.
      for _ in 0..<3 {
        let head = try play.call("HEAD", "/changes", fields: "Accept: text/event-stream\r\n")
        #expect(head.status == 200)
        #expect(head.field("Content-Type") == "text/event-stream")
        #expect(head.field("Cache-Control") == "no-store")
        #expect(head.field("X-Accel-Buffering") == "no")
        #expect(head.field("Content-Length") == nil)
      }
      let stream = try play.stream()
      #expect(try play.call("HEAD", "/changes", fields: "Accept: text/event-stream\r\n").status == 200)
      let head = try #require(stream.reader.head)
      for line in [
        "Content-Type: text/event-stream", "Cache-Control: no-store", "X-Accel-Buffering: no",
        "Transfer-Encoding: chunked",
      ] {
        #expect(head.contains("\r\n\(line)\r\n"), "\(line)")
      }
      let (revision, _) = try play.snapshot()
      let snapshot = try stream.event()  // behind `retry: 2000`, or the reader would have thrown
      #expect(snapshot.id == revision && snapshot.name == "snapshot")
      #expect(snapshot.data == (try play.call("GET").body))
    }
  }

  @Test(
    "the Accept field decides between stream, page and refusal",
    arguments: [
      ("text/event-stream", "text/event-stream"), ("TEXT/Event-Stream;q=0.5", "text/event-stream"),
      ("application/json;q=0.5, text/event-stream", "text/event-stream"),
      ("text/event-stream, */*;q=0.1", "text/event-stream"),
      ("application/json", "application/json"), ("*/*", "application/json"),
      ("text/event-stream;q=0.1, application/json", "application/json"),
      ("text/event-stream;q=0, */*", "application/json"), ("text/html", "application/problem+json"),
      ("text/event-stream;q=0", "application/problem+json"),
    ])
  func negotiation(accept: String, type: String) async throws {
    try await onThread {
      let play = try Playground(try RunningServer(limits: ""))
      let answer = try play.call("HEAD", "/changes?since=0", fields: "Accept: \(accept)\r\n")
      #expect(answer.field("Content-Type") == type)
      #expect(answer.status == (type == "application/problem+json" ? 406 : 200))
    }
  }

  /// What is asked for a session that is there, and the problem that it gets: status and type.
  private static let badValues = [
    ("since=", 400, "malformed-request"), ("since=abc", 400, "malformed-request"),
    ("since=-1", 400, "malformed-request"), ("since=+1", 400, "malformed-request"),
    ("since=1.0", 400, "malformed-request"), ("since=1e3", 400, "malformed-request"),
    ("since=%00", 400, "malformed-request"), ("since=0&since=0", 400, "malformed-request"),
    ("since=9223372036854775808", 400, "malformed-request"),
    ("since=99999999999999999999", 400, "malformed-request"),
    ("since=0&wait=61", 400, "malformed-request"), ("since=0&wait=-1", 400, "malformed-request"),
    ("since=0&wait=x", 400, "malformed-request"), ("since=0&wait=", 400, "malformed-request"),
    ("since=0&wait=0.5", 400, "malformed-request"),
    ("since=0&wait=99999999999999999999", 400, "malformed-request"),
    ("since=0&format=xml", 400, "malformed-request"), ("since=0&format=", 400, "malformed-request"),
  ]

  @Test("each bad value has its problem, for polls, streams and commands, and none hangs")
  func refusals() async throws {
    try await onThread {
      let play = try Playground(try RunningServer(limits: ""))
      let start = try play.snapshot().revision
      let stream = "Accept: text/event-stream\r\n"
      func expect(
        _ answer: Answer, _ status: Int, _ type: String, _ what: String,
        sourceLocation: SourceLocation = #_sourceLocation
      ) {
        #expect(
          answer.status == status && answer.text.contains("\"type\":\"/problems/\(type)\"")
            && answer.field("Content-Type") == "application/problem+json",
          "\(what): \(answer.head)\(answer.text)",
          sourceLocation: sourceLocation)
      }
      for (query, status, type) in Self.badValues {
        for fields in ["", stream, stream + "Last-Event-ID: \(start)\r\n"] {
          expect(
            try play.call("GET", "/changes?\(query)", fields: fields), status, type, "\(query) \(fields)")
        }
        guard !query.contains("wait") else { continue }
        expect(
          try play.call("POST", "/insert?\(query)", "{\"rows\":[{\"data\":1}]}"), status, type,
          "insert?\(query)")
      }
      #expect(try play.snapshot().revision == start, "a refused command changes nothing")
      expect(try play.call("GET", "/changes"), 400, "malformed-request", "no since")
      for accept in ["image/png", "text/html", "text/event-stream;q=0", "application/json;q=0"] {
        expect(
          try play.call("GET", "/changes?since=0", fields: "Accept: \(accept)\r\n"), 406, "not-acceptable",
          accept)
      }
      let post = try play.call("POST", "/changes", "{}")
      #expect(post.status == 405 && post.field("Allow")?.contains("GET") == true)

      // A place that can be read and is not there is no fault: the reader starts over.
      for since in [start + 1, Int.max] {
        #expect(try play.stream("?since=\(since)").event().name == "snapshot")
        #expect(try play.call("GET", "/changes?since=\(since)&wait=60").text.contains("\"reset\":true"))
        let command = try play.call("POST", "/select?since=\(since)", "{\"id\":null}")
        #expect(command.status == 200 && command.text.contains("\"reset\":true"))
      }

      let absent = try Playground(resuming: "/v1/sessions/absent", on: play.server)
      #expect(try play.call("DELETE").status == 204)
      for fields in ["", stream, stream + "Last-Event-ID: \(start)\r\n"] {
        for query in ["?since=\(start)&wait=60", "?since=0"] {
          expect(try absent.call("GET", "/changes\(query)", fields: fields), 404, "unknown-session", query)
          expect(try play.call("GET", "/changes\(query)", fields: fields), 410, "session-ended", query)
        }
      }
    }
  }

  @Test("connections over the limit are told so and closed; streams count, and go on")
  func connectionLimit() async throws {
    try await onThread {
      let server = try RunningServer(limits: "\"connections\": 4")
      let play = try Playground(server)
      let streams = try (0..<3).map { _ in try play.stream() }
      let extra = try ClientSocket(port: server.port)
      let answer = try extra.answer()
      #expect(answer.status == 503 && answer.text.contains("\"/problems/too-many-connections\""))
      #expect(answer.field("Retry-After") != nil)
      #expect(try extra.receive().isEmpty)
      let revision = try play.command("insert", "{\"rows\":[{\"data\":1}]}")
      for stream in streams {
        _ = try stream.event()
        #expect(try stream.event().id == revision)
      }
    }
  }

  @Test("what was deleted says so, to streams and to who comes after")
  func deletion() async throws {
    try await onThread {
      let play = try Playground(try RunningServer(limits: ""))
      let streams = try (0..<3).map { _ in try play.stream() }
      #expect(try play.call("DELETE").status == 204)
      for stream in streams { try Self.expectEnd(of: stream, "deleted") }
      let late = try play.call("GET", "/changes", fields: "Accept: text/event-stream\r\n")
      #expect(late.status == 410 && late.text.contains("\"/problems/session-ended\""))
    }
  }

  @Test("a server that ends says so to every stream, and ends at once when they are closed")
  func drain() async throws {
    let server = try await onThread { try RunningServer(limits: "") }
    let open = Progress()
    async let ends: Void = onThread {
      let play = try Playground(server)
      let streams = try (0..<3).map { _ in try play.stream() }
      open.reach(1)
      for stream in streams {
        try Self.expectEnd(of: stream, "draining")
        stream.socket.close()
      }
    }
    let (status, spent) = try await onThread {
      open.wait(for: 1)
      let begin = Date()
      return (server.stop(), Date().timeIntervalSince(begin))
    }
    try await ends
    #expect(status == 0 && spent < 5, "status \(status) after \(spent) s")
  }

  private static func expectEnd(of stream: EventStream, _ reason: String) throws {
    #expect(try stream.event().name == "snapshot")
    #expect(
      try stream.next() == ServerEvent(id: nil, name: "end", data: Array("{\"reason\":\"\(reason)\"}".utf8)))
    #expect(try stream.next() == nil)
  }

  @Test("an open stream keeps its session; without one it ends after its time")
  func expiry() async throws {
    try await onThread {
      let play = try Playground(try RunningServer(limits: "", table: ",\"idleSeconds\":1"))
      let stream = try play.stream()
      #expect(try stream.event().name == "snapshot")
      // Another session, of which nobody takes care, tells that the time has passed.
      let other = try Playground(play.server, "other")
      let witness = try other.stream()
      witness.socket.close()
      let sweep = try ClientSocket(port: play.server.port)
      let deadline = Date().addingTimeInterval(10)
      while try sweep.call("GET", "/v1/sessions").text.contains("\"other\""), Date() < deadline {
        usleep(50_000)  // a pace of asking; a request on the session itself would keep it
      }
      #expect(Date() < deadline)
      let revision = try play.command("insert", "{\"rows\":[{\"data\":1}]}")
      #expect(try stream.event().id == revision)
    }
  }

  @Test("the patches of a stream lead from snapshot to snapshot")
  func patches() async throws {
    try await onThread {
      let play = try Playground(try RunningServer(limits: ""))
      let stream = try play.stream("?format=json-patch")
      let plain = try play.stream()
      _ = try (stream.event(), plain.event())
      let revision = try play.command("insert", "{\"rows\":[{\"id\":\"a\",\"data\":1}]}")
      let patched = try stream.event()
      #expect(patched.id == revision && patched.name == "change")
      #expect(patched.text.contains("\"patch\":[") && !patched.text.contains("\"ops\""))
      #expect(try plain.event().text.contains("\"ops\":["))
    }
  }
}

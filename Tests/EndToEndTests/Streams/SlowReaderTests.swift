import Foundation
import JSONText
import Testing
import TestSupport

/// Readers that are slow, or do not read at all.
@Suite(.fewAtOnce, .timeLimit(.minutes(5))) struct SlowReaderTests {
  @Test(
    "a reader that stalls costs bounded memory, keeps nobody waiting, and is told that it lagged",
    arguments: Storage.allCases)
  func stalled(storage: Storage) async throws {
    let server = try await onThread {
      try RunningServer(limits: "\"keptBytes\": 1048576", storage: storage)
    }
    let (path, start) = try await onThread {
      let play = try Playground(server)
      return (play.path, try play.snapshot().revision)
    }
    // The reader that stalls is closed after half a minute: by then all of them have been made.
    let changes = 800
    let stalled = Progress()
    let done = Progress()
    let seen = [Progress(), Progress()]
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        try await onThread {
          let stream = try Playground(resuming: path, on: server).stream(receiveBuffer: 16_384)
          #expect(try stream.event().name == "snapshot")
          stalled.reach(1)
          #expect(done.wait(for: 1, within: 60))
          try Self.expectLag(of: stream, after: start, changes)
          #expect(
            try Playground(resuming: path, on: server).stream(after: start + 1).event().name == "snapshot")
        }
      }
      for progress in seen {
        group.addTask {
          try await onThread {
            let stream = try Playground(resuming: path, on: server).stream("?since=\(start)")
            for revision in (start + 1)...(start + changes) {
              let event = try stream.event()
              #expect(event.id == revision && event.name == "change")
              progress.reach(revision)
            }
          }
        }
      }
      group.addTask {
        defer { done.reach(1) }
        try await onThread {
          #expect(stalled.wait(for: 1))
          let memory = try server.memory("VmRSS")
          try Self.publish(changes, to: Playground(resuming: path, on: server), inStepWith: seen)
          // The log keeps 1 MiB, the reader that stalls as much in frames (`streamBufferBytes`); the rest is for what
          // the allocator holds. Without a bound it would be 40 MB.
          let growth = try server.memory("VmHWM") - memory
          #expect(growth < 24 * 1024, "the server grew by \(growth) KB")
        }
      }
      try await group.waitForAll()
    }
  }

  /// Makes changes of 50 KB, each when all who read have got the one before.
  private static func publish(_ changes: Int, to play: Playground, inStepWith readers: [Progress]) throws {
    try play.command("insert", "{\"rows\":[{\"id\":\"row\",\"data\":0}]}")
    let filler = String(repeating: "x", count: 50_000)
    var spans: [Double] = []
    for number in 1..<changes {
      let begin = Date()
      let revision = try play.command(
        "update", "{\"rows\":[{\"id\":\"row\",\"data\":\"\(number) \(filler)\"}]}")
      for reader in readers { #expect(reader.wait(for: revision)) }
      let spent = Date().timeIntervalSince(begin)
      #expect(spent < 5, "the readers who read waited \(spent) s for change \(number)")
      spans.append(spent)
    }
    // One may fall into a stall of the machine; that they wait as a rule would show here.
    let slow = spans.sorted()[spans.count * 99 / 100]
    #expect(slow < 0.25, "one change of a hundred took \(slow) s or more to reach those who read")
  }

  /// Reads to the end: some of the changes in their order, each whole, then the word that it lagged.
  private static func expectLag(of stream: EventStream, after start: Int, _ changes: Int) throws {
    var events: [ServerEvent] = []
    while let event = try stream.next() { events.append(event) }
    #expect(
      events.popLast() == ServerEvent(id: nil, name: "end", data: Array("{\"reason\":\"lagging\"}".utf8)))
    #expect(events.count < changes, "nothing was held back")
    #expect(events.count * 50_000 > 1_048_576 / 2, "cut off with \(events.count) changes: too early")
    #expect(events.map(\.id) == (0..<events.count).map { start + 1 + $0 })
  }

  @Test("a slow reader gets 100,000 rows, a change of 8 MiB and what comes behind, past every time-out")
  func paced() async throws {
    try await onThread {
      let times = #""keepAliveSeconds": 2, "headerSeconds": 2, "bodySeconds": 2"#
      let server = try RunningServer(
        limits: #"\#(times), "bodyBytes": 33554432, "itemsPerSession": 200000, "keptBytes": 33554432"#)
      let play = try Playground(server)
      let rows = (0..<100_000).map { "{\"id\":\"\($0)\",\"data\":\($0)}" }
      try play.command("replace", "{\"rows\":[\(rows.joined(separator: ","))]}")

      let stream = try play.stream(receiveBuffer: 65_536)
      let filler = String(repeating: "x", count: 65_000)
      let large = (0..<130).map { "{\"id\":\"large \($0)\",\"data\":\"\(filler)\"}" }.joined(separator: ",")
      let begin = Date()
      // About 3.5 MB a second; the sleep is the reader's slowness, not a wait for anything.
      func next() throws -> ServerEvent? { try stream.next(atMost: 32_768) { usleep(9_000) } }
      var replica = Replica()
      let snapshot = try #require(try next())
      #expect(snapshot.name == "snapshot" && snapshot.data.count > 3_000_000)
      try replica.take(snapshot)
      let change = try anew(server, play.path).command(
        "insert", "{\"rows\":[\(large)],\"at\":5}")
      let insert = try #require(try next())
      #expect(insert.id == change && insert.data.count > 8 << 20)
      try replica.take(insert)
      #expect(Date().timeIntervalSince(begin) > 2.5, "the reader was not slow")
      try anew(server, play.path).command("delete", "{\"indexes\":[0]}")
      try replica.take(try #require(try next()))
      #expect(try anew(server, play.path).snapshot().rows == replica.rows)
    }
  }

  @Test(
    "a quiet stream and a long poll outlive the time-outs of connections; the stream says every 15 s that it lives"
  )
  func quiet() async throws {
    let server = try await onThread {
      try RunningServer(limits: #""keepAliveSeconds": 1, "headerSeconds": 1, "bodySeconds": 1"#)
    }
    let path = try await onThread { try Playground(server).path }
    async let poll: Void = onThread {
      let play = try Playground(resuming: path, on: server)
      let revision = try play.snapshot().revision
      let begin = Date()
      let answer = try play.call("GET", "/changes?since=\(revision)&wait=3")
      #expect(answer.text == "{\"revision\":\(revision),\"changes\":[]}")
      #expect(Date().timeIntervalSince(begin) > 2.5)
    }
    try await onThread {
      let stream = try Playground(resuming: path, on: server).stream()
      _ = try stream.event()
      let begin = Date()
      while stream.reader.comments == 0, try stream.read() {}
      let spent = Date().timeIntervalSince(begin)
      #expect(stream.reader.comments == 1 && spent > 14 && spent < 18, "after \(spent) s")
      let revision = try Playground(resuming: path, on: server).command("insert", "{\"rows\":[{\"data\":1}]}")
      #expect(try stream.event().id == revision)
    }
    try await poll
  }

  /// A connection of its own: the server has closed the one that was idle for two seconds.
  private func anew(_ server: RunningServer, _ path: String) throws -> Playground {
    try Playground(resuming: path, on: server)
  }
}

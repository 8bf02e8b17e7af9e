import Foundation
import JSONText
import Testing
import TestSupport

/// A reader whose connection breaks goes on where it was.
@Suite(.fewAtOnce, .timeLimit(.minutes(5))) struct ResumptionTests {
  /// What JSON lets a text hold that a line of a stream must not, or might not.
  static let awkward =
    #"{"id":"awkward","data":{"text":"a\r\nb\u0000c\n\ndata: x\r","raw":"\#u{2028}\#u{2029}\#u{85}é𝄞"}}"#

  @Test("cut at every byte of a stream, a reader resumes without loss or repeat", arguments: Storage.allCases)
  func cutAtEveryByte(storage: Storage) async throws {
    let server = try await onThread { try RunningServer(limits: "", storage: storage) }
    let (play, start) = try await onThread {
      let play = try Playground(server)
      return (play.path, try play.snapshot().revision)
    }
    let (events, bytes) = try await onThread {
      let play = try Playground(resuming: play, on: server)
      let live = try play.stream(after: start)
      try play.command("insert", "{\"rows\":[\(Self.awkward)]}")
      for number in 1..<30 {
        switch number % 5 {
        case 0: try play.command("delete", "{\"ids\":[\"r\(number - 4)\"]}")
        case 1: try play.command("insert", "{\"rows\":[{\"id\":\"r\(number)\",\"data\":\(number)}],\"at\":0}")
        case 2: try play.command("move", "{\"id\":\"awkward\",\"to\":0}")
        case 3: try play.command("move", "{\"id\":\"awkward\",\"to\":1}")
        default: try play.command("update", "{\"rows\":[{\"id\":\"awkward\",\"data\":{\"é\":\(number)}}]}")
        }
      }
      let recording = try Self.recording(of: play, after: start, count: 30)
      #expect(try recording.0.map { _ in try live.event() } == recording.0, "who was there is told the same")
      return recording
    }
    #expect(events.map(\.id) == (1...30).map { start + $0 })
    #expect(events[0].text.contains(#"a\r\nb\u0000c\n\ndata: x\r"#))
    #expect(events[0].text.contains("\u{2028}\u{2029}\u{85}é𝄞"))

    try await withThrowingTaskGroup(of: Void.self) { group in
      for share in 0..<2 {
        group.addTask {
          try await onThread {
            for cut in stride(from: share, through: bytes, by: 2) {
              let got = try Self.readingCut(
                server, "\(play)/changes", after: start, atByte: cut, until: start + 30)
              guard got == events else {
                Issue.record("cut at byte \(cut) of \(bytes): \(got.map { $0.id ?? -1 })")
                return
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }

    try await onThread {
      let play = try Playground(resuming: play, on: server)
      let stream = try play.stream(after: start + 30)
      try play.command("select", "{\"id\":\"awkward\"}")
      #expect(try stream.event().id == start + 31, "who has everything is told nothing twice")
    }
  }

  @Test(
    "cut at every byte of a stream that begins with a snapshot, a reader goes on with that, or with a new one",
    arguments: Storage.allCases)
  func cutInSnapshot(storage: Storage) async throws {
    try await onThread {
      let server = try RunningServer(limits: "", storage: storage)
      let play = try Playground(server)
      try play.command("insert", "{\"rows\":[\(Self.awkward)]}")
      var cut = 0
      var hasSnapshot = false
      // From the first byte that makes a snapshot whole, the reader is told of a change and no more.
      while !hasSnapshot {
        let socket = try ClientSocket(port: server.port)
        defer { socket.cut() }
        try socket.send(Self.request(play.changes))
        var reader = EventReader()
        var count = 0
        while count < cut {
          let some = try socket.receive(atMost: cut - count)
          guard !some.isEmpty else { throw ClientSocket.Failure(description: "closed at byte \(count)") }
          count += some.count
          try reader.take(some)
        }
        socket.cut()
        var replica = Replica()
        for event in reader.events { try replica.take(event) }
        hasSnapshot = replica.revision != nil
        let revision = try play.command("update", "{\"rows\":[{\"id\":\"awkward\",\"data\":\(cut)}]}")
        let resumed = try play.stream(after: replica.revision)
        while replica.revision != revision { try replica.take(try resumed.event()) }
        let (present, rows) = try play.snapshot()
        guard replica.snapshots == 1, replica.revision == present, replica.rows == rows else {
          Issue.record("cut at byte \(cut): \(replica.snapshots) snapshots, at \(present) \(replica.rows)")
          return
        }
        cut += 1
      }
      #expect(cut > 400, "head, retry and snapshot have more than \(cut) bytes")
    }
  }

  /// The events after a revision, and the number of bytes that they came in, with the head.
  private static func recording(
    of play: Playground, after start: Int, count: Int
  ) throws -> ([ServerEvent], Int) {
    let socket = try ClientSocket(port: play.server.port)
    try socket.send(request("\(play.changes)?since=\(start)"))
    var reader = EventReader()
    var bytes = 0
    while reader.events.count < count {
      let some = try socket.receive()
      bytes += some.count
      try reader.take(some)
    }
    return (reader.events, bytes)
  }

  /// All events that a reader gets who is cut after so many bytes, and then resumes by the last id that it has.
  private static func readingCut(
    _ server: RunningServer, _ changes: String, after start: Int, atByte cut: Int, until last: Int
  ) throws -> [ServerEvent] {
    var events: [ServerEvent] = []
    for limit in [cut, .max] where events.last?.id != last {
      let socket = try ClientSocket(port: server.port)
      defer { socket.cut() }
      // The address stays as it was: Last-Event-ID counts before it.
      let id = events.last?.id.map { "Last-Event-ID: \($0)\r\n" } ?? ""
      try socket.send(request("\(changes)?since=\(start)", id))
      var reader = EventReader()
      var count = 0
      while count < limit, reader.events.last?.id != last {
        let some = try socket.receive(atMost: min(limit - count, 65_536))
        guard !some.isEmpty else { throw ClientSocket.Failure(description: "closed by the server") }
        count += some.count
        try reader.take(some)
      }
      events += reader.events
    }
    return events
  }

  private static func request(_ target: String, _ fields: String = "") -> String {
    "GET \(target) HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\(fields)\r\n"
  }

  @Test(
    "where the past is not kept, a reader starts over from a snapshot, and goes on",
    arguments: Storage.allCases)
  func reset(storage: Storage) async throws {
    try await onThread {
      let server = try RunningServer(limits: "\"keptChanges\": 5", storage: storage)
      let play = try Playground(server)
      let start = try play.snapshot().revision
      func insert(_ count: Int) throws {
        for _ in 0..<count { try play.command("insert", "{\"rows\":[{\"data\":1}]}") }
      }

      var replica = Replica()
      let stream = try play.stream()
      try replica.take(try stream.event())
      try insert(3)
      for _ in 0..<3 { try replica.take(try stream.event()) }
      stream.socket.cut()
      try insert(20)

      let (present, rows) = try play.snapshot()
      for position in [start, start + 3, present - 6, present + 1, Int.max] {
        let late = try play.stream(after: position)
        var copy = replica
        try copy.take(try late.event())
        #expect(copy.snapshots == 2 && copy.revision == present && copy.rows == rows, "after \(position)")
      }
      let kept = try play.stream(after: present - 5)
      #expect(try (0..<5).map { _ in try kept.event() }.map(\.name) == Array(repeating: "change", count: 5))

      for field in [
        "Last-Event-ID: abc", "Last-Event-ID: -1", "Last-Event-ID: 99999999999999999999", "Last-Event-ID:",
      ] {
        let lost = try play.stream("?since=\(present)", fields: field + "\r\n")
        #expect(try lost.event().name == "snapshot", "\(field)")
      }
      try insert(1)
      #expect(try kept.event().id == present + 1)
    }
  }

  @Test(
    "twenty readers with random cuts, over two thousand random commands, all end with the rows of the snapshot",
    arguments: Storage.allCases)
  func convergence(storage: Storage) async throws {
    let seed = UInt64.random(in: 0...UInt64(UInt32.max))
    let server = try await onThread { try RunningServer(limits: "\"keptChanges\": 60", storage: storage) }
    let path = try await onThread { try Playground(server).path }
    let progress = Progress()
    let commands = 2_000
    try await withThrowingTaskGroup(of: (String, Replica)?.self) { group in
      for number in 0..<20 {
        group.addTask {
          try await onThread {
            (
              "reader \(number)",
              try Self.followWithCuts(server, path, seed &+ UInt64(number), progress, commands)
            )
          }
        }
      }
      for number in 0..<2 {
        group.addTask {
          try await onThread { ("poller \(number)", try Self.poll(Playground(resuming: path, on: server))) }
        }
      }
      group.addTask {
        try await onThread {
          do {
            try Self.play(commands, on: Playground(resuming: path, on: server), seed, progress)
          } catch {
            server.stop()  // or all others would wait for what does not come
            throw ClientSocket.Failure(description: "seed \(seed): \(error)")
          }
          return nil
        }
      }
      var replicas: [(String, Replica)] = []
      for try await replica in group { if let replica { replicas.append(replica) } }
      let (revision, rows) = try await onThread { try Playground(resuming: path, on: server).snapshot() }
      #expect(replicas.count == 22)
      for (name, replica) in replicas {
        #expect(replica.revision == revision && replica.rows == rows, "\(name), seed \(seed)")
      }
      #expect(replicas.contains { $0.1.snapshots > 1 }, "no reader was reset; seed \(seed)")
    }
  }

  private static func play(_ commands: Int, on play: Playground, _ seed: UInt64, _ progress: Progress) throws
  {
    var script = RandomCommands(seed)
    for number in 1...commands {
      let (name, body) = script.next()
      try play.command(name, body)
      progress.reach(number)
    }
    // A list that is hidden at the end is shown again: its first row tells the readers to stop.
    try play.command("transition", "{\"to\":\"populated\"}")
    try play.command("insert", "{\"rows\":[{\"id\":\"\(last)\",\"data\":0}],\"at\":0}")
    progress.reach(.max)
  }

  /// The id of the row that comes first when all commands are done.
  private static let last = "the-last"

  private static func isLast(_ replica: Replica) -> Bool {
    replica.rows.first.map { $0.string.contains(last) } ?? false
  }

  /// Reads a random number of bytes, is cut, resumes, now and then later on.
  private static func followWithCuts(
    _ server: RunningServer, _ path: String, _ seed: UInt64, _ progress: Progress, _ commands: Int
  ) throws -> Replica {
    var random = Seeded(seed)
    var replica = Replica()
    var cuts = 0
    while !isLast(replica) {
      let stream = try EventStream(server, path + "/changes", after: replica.revision)
      defer { stream.socket.cut() }
      var budget =
        Bool.random(using: &random)
        ? Int.random(in: 1...500, using: &random) : Int.random(in: 1...30_000, using: &random)
      var reader = stream.reader
      while budget > 0, !isLast(replica) {
        while !reader.events.isEmpty, !isLast(replica) {
          do {
            try replica.take(reader.events.removeFirst())
          } catch {
            throw ClientSocket.Failure(description: "seed \(seed), after \(cuts) cuts: \(error)")
          }
        }
        guard !isLast(replica) else { break }
        let some = try stream.socket.receive(atMost: min(budget, 8_192))
        guard !some.isEmpty else { throw ClientSocket.Failure(description: "closed by the server") }
        budget -= some.count
        try reader.take(some)
      }
      cuts += 1
      if Int.random(in: 0..<20, using: &random) == 0 {
        progress.wait(for: Int.random(in: 1...commands, using: &random))
      }
    }
    return replica
  }

  private static func poll(_ play: Playground) throws -> Replica {
    var replica = Replica()
    try replica.take(try play.stream().event())
    while !isLast(replica) {
      let answer = try play.call("GET", "/changes?since=\(replica.revision ?? 0)&wait=10")
      let page = try JSONValue(parsing: Bytes(answer.body))
      if page.member("reset")?.bool == true, let snapshot = page.member("snapshot") {
        let revision = page.member("revision")?.integer
        try replica.take(ServerEvent(id: revision, name: "snapshot", data: snapshot.text.array))
      }
      for change in page.member("changes")?.elements ?? [] { try replica.apply(change: change) }
    }
    return replica
  }
}

/// Commands that all succeed, on a list of up to a hundred rows.
private struct RandomCommands {
  private var random: Seeded
  private var ids: [String] = []
  private var made = 0
  /// A transition has hidden the items: they cannot be selected.
  private var areHidden = false

  init(_ seed: UInt64) { random = Seeded(seed) }

  /// The next command's name and body.
  mutating func next() -> (name: String, body: String) {
    guard let id = ids.randomElement(using: &random), ids.count < 100 else { return replace() }
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<40:
      let rows = (0..<Int.random(in: 1...3, using: &random)).map { _ in row() }
      let place = Int.random(in: 0...ids.count, using: &random)
      ids.insert(contentsOf: rows.map(\.id), at: place)
      return ("insert", "{\"rows\":[\(rows.map(\.text).joined(separator: ","))],\"at\":\(place)}")
    case 40..<60:
      let gone = Set((0..<3).compactMap { _ in ids.randomElement(using: &random) })
      ids.removeAll { gone.contains($0) }
      return ("delete", "{\"ids\":[\(gone.map { "\"\($0)\"" }.joined(separator: ","))]}")
    case 60..<75:
      let place = Int.random(in: 0..<ids.count, using: &random)
      ids.removeAll { $0 == id }
      ids.insert(id, at: place)
      return ("move", "{\"id\":\"\(id)\",\"to\":\(place)}")
    case 75..<90:
      return (
        "update", "{\"rows\":[{\"id\":\"\(id)\",\"data\":\"\(Int.random(in: 0..<9, using: &random))\"}]}"
      )
    case 90..<93 where !areHidden: return ("select", "{\"id\":\"\(id)\"}")
    case 93..<96:
      areHidden = Bool.random(using: &random)
      return ("transition", "{\"to\":\"\(areHidden ? "error" : "populated")\"}")
    default: return replace()
    }
  }

  private mutating func row() -> (id: String, text: String) {
    made += 1
    let filler = String(repeating: "é", count: Int.random(in: 0..<100, using: &random))
    return ("r\(made)", "{\"id\":\"r\(made)\",\"data\":{\"number\":\(made),\"text\":\"\(filler)\"}}")
  }

  private mutating func replace() -> (name: String, body: String) {
    var rows = (0..<5).map { _ in row() }
    rows += ids.shuffled(using: &random).prefix(20).map { ($0, "{\"id\":\"\($0)\",\"data\":0}") }
    ids = rows.map(\.id)
    return ("replace", "{\"rows\":[\(rows.map(\.text).joined(separator: ","))]}")
  }
}

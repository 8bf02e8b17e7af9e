import JSONText
import ListModel
import Sessions
import Testing

/// Protocol §5 and §10: how sessions end, and what stays of them.
@Suite(.timeLimit(.minutes(5)))
struct ExpiringTests {
  private func isThere(_ id: Bytes, in house: House) -> String {
    do {
      _ = try house.registry.session(id)
      return "there"
    } catch {
      return "\(error)"
    }
  }

  @Test("An ended session is known as such for an hour, then unknown")
  func tombstones() throws {
    let house = House()
    let session = try house.session()
    try house.registry.end(session.id)
    #expect(throws: SessionFailure.self) { try house.registry.end(session.id) }
    #expect(try session.send(.load).failure().name == "ended")
    #expect(try session.poll(after: 0).failure().name == "ended")
    #expect(throws: SessionFailure.self) { try session.read() }
    #expect(throws: SessionFailure.self) { try session.stream() }
    house.world.advance(seconds: 3599.999)
    house.registry.tidy()
    #expect(isThere(session.id, in: house) == "ended")
    house.world.advance(seconds: 0.001)
    #expect(isThere(session.id, in: house) == "unknown")
    house.registry.tidy()
    #expect(isThere(session.id, in: house) == "unknown")
  }

  @Test("A session ends exactly idleSeconds after its last use", arguments: [true, false])
  func idle(tidies: Bool) throws {
    let house = House()
    let session = try house.session()
    house.world.advance(seconds: 59.999)
    if tidies { house.registry.tidy() }
    #expect(isThere(session.id, in: house) == "there")
    house.world.advance(seconds: 0.001)
    if tidies {
      house.registry.tidy()
      #expect(house.registry.count == 0)
    }
    #expect(isThere(session.id, in: house) == "ended")
    #expect(house.registry.count == 0)
  }

  @Test("tidy ends a session at its time, wherever that falls between two rounds")
  func rounds() throws {
    let house = House([
      .articles, .notes,
      TableDefinition.articles.with {
        $0.name = "short"; $0.idleSeconds = 3
      },
    ])
    _ = try house.session()
    for _ in 0..<7 {
      house.world.advance(seconds: 1)
      house.registry.tidy()
    }
    let short = try house.session("short")
    for second in 1...3 {
      #expect(house.registry.count == 2, "second \(second)")
      house.world.advance(seconds: 1)
      house.registry.tidy()
    }
    #expect(house.registry.count == 1)
    #expect(isThere(short.id, in: house) == "ended")
  }

  enum Use: CaseIterable {
    case read, document, command, refusedCommand, poll, put, stream
  }

  @Test("Reads, commands, polls, PUT and the end of a stream are uses", arguments: Use.allCases)
  func uses(_ use: Use) throws {
    let house = House()
    _ = try house.open("mine")
    let session = try house.registry.session("mine")
    house.world.advance(seconds: 59)
    switch use {
    case .read: _ = try session.read()
    case .document: _ = try session.document()
    case .command: try session.add("x")
    case .refusedCommand: #expect(try session.send(.retry).failure().name == "nothing-to-retry")
    case .poll: _ = session.poll(after: 5)
    case .put: _ = try house.open("mine")
    case .stream: try session.stream().close()
    }
    house.world.advance(seconds: 59)
    #expect(isThere("mine", in: house) == "there")
    house.world.advance(seconds: 1)
    #expect(isThere("mine", in: house) == "ended")
  }

  @Test("The list of sessions, and looking one up, are no uses")
  func noUses() throws {
    let house = House()
    let session = try house.session()
    house.world.advance(seconds: 59)
    #expect(house.registry.list(after: nil, limit: 10).sessions.count == 1)
    #expect(house.registry.revision(of: session.id) == 0)
    house.world.advance(seconds: 1)
    #expect(house.registry.list(after: nil, limit: 10).sessions.isEmpty)
    #expect(house.registry.revision(of: session.id) == 0, "nobody has noticed yet")
    #expect(isThere(session.id, in: house) == "ended")
  }

  @Test("An open stream, a waiting poll and a waiting command keep a session")
  func kept() throws {
    let house = House([TableDefinition.articles.with { $0.idleSeconds = 10 }])
    let session = try house.session()
    let stream = try session.stream()
    house.world.advance(seconds: 1000)
    house.registry.tidy()
    stream.close()
    house.world.advance(seconds: 9)
    let poll = session.poll(after: 0, wait: 60)
    house.world.advance(seconds: 59)
    house.registry.tidy()
    #expect(!poll.isKept)
    house.world.advance(seconds: 1)
    #expect(poll.isKept)
    house.world.advance(seconds: 9)
    let load = session.send(.load)
    house.world.advance(seconds: 20)
    house.registry.tidy()
    house.source.release(ids: ["a"])
    #expect(revisions(try load.answer().changes) == [1, 2])
    house.world.advance(seconds: 9)
    house.registry.tidy()
    #expect(house.registry.count == 1)
    house.world.advance(seconds: 1)
    house.registry.tidy()
    #expect(house.registry.count == 0)
  }

  @Test("idleSeconds follows the configuration; of a table that is gone the last one stands")
  func configured() throws {
    let house = House()
    let longer = try house.session()
    let gone = try house.open("gone")
    #expect(gone.isKept)
    house.registry.tables = TableCatalog([TableDefinition.articles.with { $0.idleSeconds = 100 }])
    house.world.advance(seconds: 99)
    house.registry.tidy()
    #expect(isThere(longer.id, in: house) == "there")
    house.registry.tables = TableCatalog([])
    house.registry.tidy()
    #expect(isThere("gone", in: house) == "there")
    house.world.advance(seconds: 1)
    #expect(isThere("gone", in: house) == "ended")
  }

  @Test("Sessions of tables with idleSeconds 0 do not end")
  func never() throws {
    let house = House()
    let session = try house.session("notes")
    house.world.advance(seconds: 1e9)
    house.registry.tidy()
    #expect(isThere(session.id, in: house) == "there")
  }

  @Test("The end of a session answers whoever waits and ends its streams")
  func waiters() throws {
    let house = House()
    let session = try house.session()
    let load = session.send(.load)
    let poll = session.poll(after: 1, wait: 60)
    let streams = try (0..<2).map { _ in try session.stream(after: 1) }
    try house.registry.end(session.id)
    #expect(try load.failure().name == "ended")
    #expect(try poll.failure().name == "ended")
    #expect(streams.map(\.sink.lines) == [["end deleted"], ["end deleted"]])
    #expect(house.world.timerCount == 0)
    house.source.release(ids: ["a"])  // comes too late, and is dropped
    for stream in streams { stream.close() }
  }

  @Test("A condition of DELETE that does not hold leaves the session")
  func condition() throws {
    let house = House()
    let session = try house.session()
    try session.add("a")
    #expect(throws: SessionFailure.self) { try house.registry.end(session.id, .revisions([0])) }
    #expect(isThere(session.id, in: house) == "there")
    try house.registry.end(session.id, .revisions([7, 1]))
    #expect(isThere(session.id, in: house) == "ended")
  }

  @Test("Half of fifty thousand sessions end in one round, and the others stay")
  func many() throws {
    let house = House()
    for number in 0..<50_000 { try house.create(number % 2 == 0 ? "articles" : "notes") }
    house.world.advance(seconds: 61)
    house.registry.tidy()
    #expect(house.registry.count == 25_000)
    #expect(house.registry.list(after: nil, limit: 1000).sessions.allSatisfy { $0.table == "notes" })
  }
}

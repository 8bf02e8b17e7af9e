import JSONText
import ListModel
import Sessions
import Testing

/// Sessions that rest in a store: after a restart, and when they were put out of memory.
@Suite("Sessions come back from the store")
struct RestoringTests {
  let store = ScriptedStore()
  let world = FakeWorld()

  /// A server on the store, as after a start.
  private func start(_ limits: SessionLimits = SessionLimits()) -> House {
    House(limits: limits, store: store, world: world)
  }

  @Test("A session is after a restart what it was, with its changes")
  func restart() throws {
    let first = start()
    let session = try first.session("articles", loaded: ["a", "b"], hasNext: true)
    try session.add("c")
    _ = session.send(.select, #"{"id":"b"}"#)
    let text = try session.text()
    let second = start()
    #expect(second.registry.count == 1 && second.registry.residentCount == 0)
    let restored = try second.find(session.id)
    #expect(try restored.text() == text)
    #expect(try revisions(#require(restored.poll(after: 0).value).get().changes) == [1, 2, 3, 4])
    let more = restored.send(.loadMore)
    second.source.release(ids: ["d"])
    #expect(try more.answer().revision == 6)
  }

  @Test("Those who ask at once share one restore")
  func sharing() throws {
    let id = try start().session("notes").id
    let second = start()
    store.holdReads()
    let found = (0..<5).map { _ in second.look(for: id) }
    store.releaseReads()
    let sessions = try found.map { try #require($0.value).get() }
    #expect(sessions.allSatisfy { $0 === sessions[0] })
    #expect(store.restoreCount == 1)
  }

  @Test("A fetch of a source that was in flight is interrupted, and can be done again")
  func interruption() throws {
    let first = start()
    let session = try first.session()
    _ = session.send(.load, key: "k")
    let second = start()
    let restored = try second.find(session.id)
    #expect(try restored.text().contains("/problems/interrupted"))
    let changes = try #require(restored.poll(after: 0).value).get().changes
    #expect(changes.map { member("cause", of: $0) } == [#""load""#, #""recover""#])
    let replay = try restored.send(.load, key: "k").answer()
    #expect(revisions(replay.changes) == [1, 2] && !replay.isAccepted)
    let retry = restored.send(.retry)
    second.source.release(ids: ["a"])
    #expect(try retry.answer().revision == 4)
    // What the first process still gets is of no use to anybody.
    first.source.release(ids: ["z"])
    #expect(try second.find(session.id).read().version.revision == 4)
  }

  @Test("What a client was to give is still awaited, within its time")
  func awaited() throws {
    let session = try start().session("notes")
    _ = session.send(.load, "{}", wait: 0)
    let second = start()
    let restored = try second.find(session.id)
    #expect(try restored.read().version.isLoading)
    let given = try restored.send(.load, #"{"rows":[{"id":"a","data":1}],"fetch":1}"#).answer()
    #expect(given.revision == 2)
    _ = restored.send(.refresh, "{}", wait: 0)
    let third = start()
    let again = try third.find(session.id)
    world.advance(seconds: 6)
    #expect(try again.text().contains("/problems/upstream-timeout"))
  }

  @Test("Keys of commands and creations survive")
  func keys() throws {
    let first = start()
    let created = try #require(first.create("notes", key: "c").value).get()
    let session = try first.find(created.id)
    try session.add("a", key: "k")
    let refused = try session.begin("a", key: "r").failure()
    let broken = session.send(.insert, "{", key: "b")
    #expect(try broken.failure().name == "body")
    let second = start()
    let again = try #require(second.create("notes", key: "c").value).get()
    #expect(again.id == created.id && again.isNew && again.answer.idempotency?.isReplay == true)
    let restored = try second.find(created.id)
    let replay = try restored.add("a", key: "k")
    #expect(replay.revision == 1 && revisions(replay.changes) == [1] && replay.idempotency?.isReplay == true)
    let refusal = try restored.begin("a", key: "r").failure()
    #expect(refusal.name == refused.name && refusal.idempotency?.isReplay == true)
    #expect(try restored.send(.insert, "{", key: "b").failure().name == "body")
    #expect(try restored.begin("other", key: "k").failure().name == "idempotencyKeyReused")
    #expect(try second.registryCount(creating: "notes", key: "c2") == 2)
  }

  @Test("A creation whose load was interrupted is answered as it would have been")
  func loadedCreation() throws {
    let first = start()
    _ = try first.create(loads: true, key: "c")
    let second = start()
    let replay = try #require(second.create(loads: true, key: "c").value).get()
    #expect(replay.isNew && revisions(replay.answer.changes) == [1, 2])
    #expect(try #require(second.create(loads: false, key: "c").value).name == "idempotencyKeyReused")
  }

  @Test("A session that has ended stays so over restarts, and its id can be used anew")
  func tombstones() throws {
    let first = start()
    let created = try #require(first.open("mine", "notes").value).get()
    try first.find("mine").add("a")
    first.registry.end("mine") { #expect($0 == nil) }
    let second = start()
    #expect(second.look(for: "mine").value?.name == "ended")
    #expect(second.look(for: "other").value?.name == "unknown")
    world.setClock(world.now - 3_600_000)
    let again = try #require(second.open("mine", "notes").value).get()
    #expect(again.isNew && again.answer.revision > created.answer.revision + 1)
  }

  @Test("What nobody uses is put out of memory, and an object that is out hands on what it is given")
  func eviction() throws {
    var limits = SessionLimits()
    limits.residentBytes = 1
    let house = start(limits)
    let session = try house.session("notes")
    try session.add("a", key: "k")
    house.registry.tidy()
    #expect(house.registry.residentCount == 0 && house.registry.count == 1)
    #expect(try session.add("b").revision == 2)
    #expect(try session.add("a", key: "k").idempotency?.isReplay == true)
    #expect(try revisions(#require(session.poll(after: 0).value).get().changes) == [1, 2])
    #expect(throws: SessionFailure.self) { try session.stream() }
    let streams = Promise<FakeSink>()
    house.registry.session(session.id) { found in
      guard case .success(let present) = found, let stream = try? present.stream(after: 2) else { return }
      streams.keep(stream.sink)
    }
    house.registry.tidy()
    #expect(house.registry.residentCount == 1)
    try session.add("c")
    #expect(try #require(streams.value).revisions == [3])
  }

  @Test("What nobody has used for a while rests, and no last use is stored more often than once a minute")
  func resting() throws {
    let house = start()
    let changed = try house.session("notes")
    try changed.add("a")
    let read = try house.session("notes")
    try read.add("a")
    world.advance(seconds: 1)
    _ = try read.read()
    house.registry.tidy()
    #expect(house.registry.residentCount == 2)
    world.advance(seconds: 12)
    house.registry.tidy()
    #expect(house.registry.residentCount == 1)
    world.advance(seconds: 60)
    house.registry.tidy()
    #expect(house.registry.residentCount == 0 && house.registry.count == 2)
    #expect(try read.add("b").revision == 2)
    #expect(try changed.add("b").revision == 2)
  }

  @Test("The pages of a failed refresh stay in memory until that is needed: then it begins again")
  func heldPages() throws {
    func fail(in house: House) throws -> Session {
      let session = try house.session(loaded: ["a"], hasNext: true)
      let more = session.send(.loadMore)
      house.source.release(ids: ["b"])
      _ = try more.answer()
      let refresh = session.send(.refresh, #"{"pages":"loaded"}"#)
      house.source.release(ids: ["c"], hasNext: true)
      house.source.release(.failure(UpstreamFailure(.unreachable, detail: "gone")))
      #expect(try refresh.answer().revision > 4)
      return session
    }
    let roomy = start()
    let kept = try fail(in: roomy)
    world.advance(seconds: 80)
    _ = try kept.read()
    world.advance(seconds: 12)
    roomy.registry.tidy()
    #expect(roomy.registry.residentCount == 1)
    var limits = SessionLimits()
    limits.residentBytes = 1
    let crowded = start(limits)
    let session = try fail(in: crowded)
    crowded.registry.tidy()
    #expect(crowded.registry.residentCount == 0)
    let retry = try crowded.find(session.id).send(.retry)
    crowded.source.release(ids: ["d"], hasNext: true)
    crowded.source.release(ids: ["e"])
    #expect(try retry.answer().snapshot?.version.itemCount == 2)
  }

  @Test("An object that is out of memory hands on as often as it is asked")
  func handsOn() throws {
    var limits = SessionLimits()
    limits.residentBytes = 1
    let house = start(limits)
    let session = try house.session("notes")
    house.registry.tidy()
    // The one that stands for it now stays, having a stream.
    let streams = Promise<FakeSink>()
    house.registry.session(session.id) { found in
      if let stream = try? found.get().stream() { streams.keep(stream.sink) }
    }
    for _ in 0..<200_000 { session.changes(after: 0, waitSeconds: 0) { _ in } }
    #expect(try session.add("a").revision == 1)
  }

  @Test("A caller, a poller, a fetch and an unfinished commit keep a session in memory")
  func users() throws {
    var limits = SessionLimits()
    limits.residentBytes = 1
    let house = start(limits)
    let fetching = try house.session()
    _ = fetching.send(.load, wait: 0)
    let polled = try house.find(try house.session("notes").id)
    let poll = polled.poll(after: 0, wait: 60)
    let committing = try house.find(try house.session("notes").id)
    store.hold()
    let insert = try committing.begin("a")
    house.registry.tidy()
    #expect(house.registry.residentCount == 3)
    store.releaseAll()
    #expect(try insert.answer().revision == 1)
    try polled.add("x")
    #expect(poll.isKept)
    house.registry.tidy()
    #expect(house.registry.residentCount == 1)
    house.source.release(ids: ["a"])
    house.registry.tidy()
    #expect(house.registry.residentCount == 0)
  }

  @Test("The list of sessions tells of those in memory and of those that rest")
  func listing() throws {
    let ids = try (0..<3).map { _ in try start().session("notes").id }
    let house = start()
    try house.find(ids[1]).add("a")
    let page = house.registry.list(after: nil, limit: 2)
    #expect(page.sessions.map(\.id) == Array(ids[0...1]) && page.sessions.map(\.revision) == [0, 1])
    let rest = house.registry.list(after: page.next, limit: 2)
    #expect(rest.sessions.map(\.id) == [ids[2]] && rest.next == nil)
  }

  @Test("Sessions that rest end when their time is over")
  func expiry() throws {
    let id = try start().session("articles").id
    let kept = try start().session("notes").id
    let house = start()
    world.advance(seconds: 59)
    house.registry.tidy()
    #expect(house.registry.count == 2)
    world.advance(seconds: 20)
    house.registry.tidy()
    #expect(house.registry.count == 1)
    #expect(house.look(for: id).value?.name == "ended")
    #expect(try house.find(kept).read().version.revision == 0)
    world.advance(seconds: 3700)
    house.registry.tidy()
    #expect(house.look(for: id).value?.name == "unknown")
  }

  @Test("Sessions of a table that is gone from the configuration end as it had it, over restarts")
  func goneTable() throws {
    let id = try start().session("articles").id
    let kept = try start().session("notes").id
    world.advance(seconds: 30)
    for _ in 1...2 { _ = House([], store: store, world: world) }
    let house = House([], store: store, world: world)
    world.advance(seconds: 29)
    house.registry.tidy()
    #expect(house.registry.count == 2)
    let last = House([], store: store, world: world)
    world.advance(seconds: 1)
    last.registry.tidy()
    #expect(last.registry.count == 1)
    #expect(last.look(for: id).value?.name == "ended")
    #expect(try last.find(kept).read().version.revision == 0)
  }

  @Test("The last use is stored at most once a minute")
  func touching() throws {
    let house = start()
    let session = try house.session("notes")
    let made = store.touched(session.id)
    for _ in 0..<5 {
      world.advance(seconds: 11)
      _ = try session.read()
      house.registry.tidy()
    }
    #expect(store.touched(session.id) == made)
    world.advance(seconds: 11)
    _ = try session.read()
    house.registry.tidy()
    #expect(store.touched(session.id) == world.now)
  }

  @Test("A clock set back ends nothing and keeps nothing for ever")
  func clock() throws {
    let house = start()
    let session = try house.session("articles")
    world.setClock(world.now - 86_400_000)
    _ = try house.find(session.id).add("a")
    let second = start()
    second.registry.tidy()
    #expect(try second.find(session.id).read().version.revision == 1)
    world.advance(seconds: 80)
    second.registry.tidy()
    #expect(second.look(for: session.id).value?.name == "ended")
  }

  @Test("limits.sessions counts those that rest")
  func limit() throws {
    var limits = SessionLimits()
    limits.sessions = 2
    for _ in 0..<2 { _ = try start(limits).session("notes") }
    #expect(try #require(start(limits).create("notes").value).name == "tooManySessions")
  }
}

extension House {
  fileprivate func registryCount(creating table: Bytes, key: String) throws -> Int {
    _ = try #require(create(table, key: key).value).get()
    return registry.count
  }
}

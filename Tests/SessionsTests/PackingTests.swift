import JSONText
import ListModel
import Sessions
import Testing

/// Sessions that nobody uses are packed, and nobody sees it.
@Suite("Packed sessions", .timeLimit(.minutes(5)))
struct PackingTests {
  private let packing = ScriptedPacking()
  private let world = FakeWorld()

  private func start(
    _ limits: SessionLimits = SessionLimits(), store: ScriptedStore? = nil,
    _ tables: [TableDefinition] = [.articles, .notes]
  ) -> House {
    House(tables, limits: limits, store: store, packing: packing, world: world)
  }

  /// Lets so much time pass that whatever nobody uses is packed, though no store has it alone.
  private func rest(_ house: House) {
    world.advance(seconds: 11)
    house.registry.tidy()
  }

  /// Both ways to keep sessions.
  private static var stores: [ScriptedStore?] { [nil, ScriptedStore()] }

  @Test("are the same to who reads, edits, follows and asks for changes")
  func same() throws {
    let house = start()
    let session = try house.session("notes")
    try session.add("a")
    try session.add("é\\u0001")
    _ = try session.send(.select, #"{"id":"a"}"#, tag: "\"mark\"").answer()
    let text = try session.text()
    let changes = try #require(session.poll(after: 0).value).get().changes
    rest(house)
    #expect(house.registry.packedCount == 1 && house.registry.residentCount == 1 && house.registry.count == 1)
    #expect(house.registry.revision(of: session.id) == 3)
    let woken = try house.find(session.id)
    #expect(house.registry.packedCount == 0 && woken !== session)
    #expect(try woken.text() == text)
    #expect(try #require(woken.poll(after: 0).value).get().changes == changes)
    #expect(try woken.stream(after: 1).sink.revisions == [2, 3])
    #expect(try woken.add("c").revision == 4)
    // The object of before hands on what it is given.
    #expect(try session.add("d").revision == 5)
    #expect(try #require(session.poll(after: 4).value).get().revision == 5)
    #expect(throws: SessionFailure.self) { try session.stream() }
  }

  @Test(
    "are packed for nothing where they were only read, and anew where anything about them is another")
  func again() throws {
    let house = start()
    let session = try house.session("notes")
    try session.add("a")
    rest(house)
    let text = try house.find(session.id).text()
    rest(house)
    #expect(house.registry.packedCount == 1 && packing.packedCount == 1 && packing.wokenCount == 1)
    let woken = try house.find(session.id)
    #expect(try woken.text() == text)
    try woken.add("b")
    rest(house)
    #expect(house.registry.packedCount == 1 && packing.packedCount == 2)
    let edited = try house.find(session.id)
    #expect(try edited.read().version.itemCount == 2)
    // What is no change for those who follow is one for what comes later.
    _ = try edited.send(.replace, #"{"rows":[{"id":"a","data":1},{"id":"b","data":1}],"hasNext":true}"#)
      .answer()
    rest(house)
    #expect(packing.packedCount == 3)
  }

  @Test("remember states, errors, tokens and what a retry would do")
  func states() throws {
    let house = start()
    let failed = try house.session(loaded: ["a"], hasNext: true)
    _ = failed.send(.loadMore)
    house.source.release(.failure(UpstreamFailure(.unreachable, detail: "gone")))
    let text = try failed.text()
    let failedRevision = try failed.read().version.revision
    rest(house)
    #expect(house.registry.packedCount == 1)
    #expect(try house.find(failed.id).text() == text)
    let retry = failed.send(.retry)
    house.source.release(ids: ["b"])
    #expect(try retry.answer().revision > failedRevision)
    #expect(try house.find(failed.id).read().version.itemCount == 2)
  }

  @Test("answer again what they have answered under a key, with and without a store", arguments: stores)
  func keys(store: ScriptedStore?) throws {
    let house = start(store: store)
    let session = try house.session("notes")
    let first = try session.add("a", key: "k")
    rest(house)
    let again = try session.add("a", key: "k")
    #expect(again.idempotency?.isReplay == true && again.revision == first.revision)
    #expect(try session.send(.delete, #"{"ids":["a"]}"#, key: "k").failure().name == "idempotencyKeyReused")
    #expect(try session.add("b", key: "l").revision == 2)
  }

  @Test("stay while the store is asked for a key, and are not asked again and again")
  func asking() throws {
    let store = ScriptedStore()
    var limits = SessionLimits()
    limits.residentBytes = 1  // none has room
    let id = try start(limits, store: store).session("notes").id
    let house = start(limits, store: store)
    let insert = Promise<Promise<Result<CommandAnswer, FailedAnswer>>>()
    house.registry.session(id) { found in
      store.holdReads()
      if let asked = try? found.get().begin("a", key: "k") { insert.keep(asked) }
    }
    world.advance(seconds: 2)
    house.registry.tidy()
    #expect(
      house.registry.residentCount == 1 && house.registry.packedCount == 0 && insert.value?.isKept == false)
    store.releaseReads()
    #expect(try #require(insert.value).answer().revision == 1)
    #expect(try house.find(id).add("a", key: "k").idempotency?.isReplay == true)
    house.registry.tidy()
    #expect(house.registry.residentCount == 0)
  }

  @Test("are woken once for all who ask at the same time, and not packed under who uses them")
  func users() throws {
    let house = start()
    let fetching = try house.session()
    _ = fetching.send(.load, wait: 0)
    let polled = try house.session("notes")
    let poll = polled.poll(after: 0, wait: 60)
    let followed = try house.session("notes")
    let stream = try followed.stream()
    rest(house)
    #expect(house.registry.packedCount == 0)
    try polled.add("a")
    #expect(poll.isKept)
    stream.close()
    house.source.release(ids: ["a"])
    rest(house)
    #expect(house.registry.packedCount == 3)
  }

  @Test("that are used while they are packed stay as they are")
  func usedMeanwhile() throws {
    let house = start()
    let session = try house.session("notes")
    try session.add("a")
    packing.hold()
    rest(house)
    world.advance(seconds: 1)
    try session.add("b")
    packing.release()
    #expect(house.registry.packedCount == 0)
    #expect(try session.read().version.itemCount == 2)
    packing.fail(true)
    rest(house)
    #expect(packing.packedCount > 0 && house.registry.packedCount == 0)
    packing.fail(false)
    rest(house)
    #expect(house.registry.packedCount == 1)
  }

  @Test("end when their time is over, with and without a store", arguments: stores)
  func expiry(store: ScriptedStore?) throws {
    let house = start(store: store)
    let id = try house.session("articles").id
    let kept = try house.session("notes").id
    rest(house)
    world.advance(seconds: 48.999)
    #expect(house.registry.count == 2)
    #expect(house.look(for: id).value?.name == nil)
    rest(house)
    world.advance(seconds: 60)
    #expect(house.look(for: id).value?.name == "ended")
    house.registry.tidy()
    #expect(
      house.registry.count == 1 && house.registry.list(after: nil, limit: 9).sessions.map(\.id) == [kept])
    world.advance(seconds: 3700)
    house.registry.tidy()
    #expect(house.look(for: id).value?.name == "unknown")
    #expect(try house.find(kept).read().version.revision == 0)
  }

  @Test("that nobody asks for end by themselves")
  func sweep() throws {
    let house = start()
    let id = try house.session("articles").id
    rest(house)
    #expect(house.registry.packedCount == 1)
    world.advance(seconds: 60)
    house.registry.tidy()
    #expect(house.registry.count == 0 && house.registry.residentCount == 0)
    #expect(house.look(for: id).value?.name == "ended")
  }

  @Test("stand in the list of sessions in their place, which is no use of them")
  func listing() throws {
    let house = start()
    let ids = try (0..<4).map { _ in try house.session("notes").id }
    try house.find(ids[1]).add("a")
    let touched = world.now
    rest(house)
    #expect(house.registry.packedCount == 4)
    try house.find(ids[2]).add("b")
    let page = house.registry.list(after: nil, limit: 3)
    #expect(page.sessions.map(\.id) == Array(ids[0...2]) && page.sessions.map(\.revision) == [0, 1, 1])
    #expect(page.sessions[1].itemCount == 1 && page.sessions[1].touched == touched)
    #expect(page.sessions[1].state == "populated" && page.sessions[0].state == "empty")
    #expect(house.registry.list(after: page.next, limit: 3).sessions.map(\.id) == [ids[3]])
    #expect(house.registry.packedCount == 3)
  }

  @Test("are opened, made anew and ended by their ids")
  func ids() throws {
    let house = start()
    let made = try #require(house.open("mine", "notes").value).get()
    rest(house)
    let opened = try #require(house.open("mine", "notes").value).get()
    #expect(!opened.isNew && opened.answer.revision == made.answer.revision)
    rest(house)
    #expect(try #require(house.open("mine", "articles").value).name == "exists")
    rest(house)
    try house.registry.end("mine")
    #expect(house.registry.count == 0)
    let anew = try #require(house.open("mine", "notes").value).get()
    #expect(anew.isNew && anew.answer.revision > made.answer.revision)
  }

  @Test("count against the limit of sessions")
  func limit() throws {
    var limits = SessionLimits()
    limits.sessions = 2
    let house = start(limits)
    for _ in 1...2 { _ = try house.session("notes") }
    rest(house)
    #expect(try #require(house.create("notes").value).name == "tooManySessions")
  }

  @Test("that cannot be unpacked are read from the store, and without one told as a fault")
  func damage() throws {
    var limits = SessionLimits()
    limits.residentBytes = 10_000  // none has room as it is
    let house = start(limits, store: ScriptedStore())
    let session = try house.session("notes")
    try session.add("a")
    world.advance(seconds: 2)
    house.registry.tidy()
    #expect(house.registry.packedCount == 1)
    packing.damage()
    #expect(try house.find(session.id).read().version.itemCount == 1)
    #expect(house.registry.count == 1)
    let alone = start()
    let lost = try alone.session("notes")
    rest(alone)
    #expect(alone.registry.packedCount == 1)
    #expect(alone.look(for: lost.id).value?.name == "store")
  }

  @Test("go into the store after some seconds, and no last use is stored more often than once a minute")
  func resting() throws {
    let store = ScriptedStore()
    var limits = SessionLimits()
    limits.residentBytes = 100_000  // none may stay as it is
    let house = start(limits, store: store)
    let changed = try house.session("notes")
    try changed.add("a")
    let read = try house.session("notes")
    world.advance(seconds: 1)
    _ = try read.read()
    world.advance(seconds: 2)
    house.registry.tidy()
    #expect(house.registry.packedCount == 2 && house.registry.residentCount == 2)
    rest(house)
    #expect(house.registry.residentCount == 1)
    world.advance(seconds: 60)
    house.registry.tidy()
    #expect(house.registry.residentCount == 0 && house.registry.count == 2)
    #expect(try read.add("b").revision == 1)
    #expect(try changed.add("b").revision == 2)
  }

  @Test("make room as others do")
  func pressure() throws {
    let store = ScriptedStore()
    var limits = SessionLimits()
    limits.residentBytes = 20_000
    let house = start(limits, store: store)
    let sessions = try (0..<60).map { _ in try house.session("notes") }
    world.advance(seconds: 2)
    house.registry.tidy()
    #expect(house.registry.packedCount > 0 && house.registry.residentCount < 60)
    for session in sessions { #expect(try session.add("a").revision == 1) }
  }

  @Test("that are woken while the server goes down keep nobody waiting")
  func draining() throws {
    let house = start()
    let session = try house.session("notes")
    rest(house)
    house.registry.drain()
    #expect(try house.find(session.id).poll(after: 0, wait: 60).isKept)
  }

  @Test("leave the others little room, also where all are used again and again")
  func room() throws {
    var limits = SessionLimits()
    limits.residentBytes = 64 * 40_000  // about ten of the smallest
    let house = start(limits)
    let ids = try (0..<300).map { _ in try house.session("notes").id }
    world.advance(seconds: 1)
    house.registry.tidy()
    for _ in 0..<20 {
      for id in ids {
        _ = try house.find(id).read()
        world.advance(seconds: 0.001)
        #expect(house.registry.packedCount > 250)
      }
    }
    // To read them does not pack anything anew.
    #expect(packing.packedCount <= 300 && packing.wokenCount > 5000)
  }

  @Test("are those used longest ago, and no more than is needed")
  func order() throws {
    var limits = SessionLimits()
    limits.residentBytes = 128 * 20_000  // about six of the smallest
    let house = start(limits)
    var ids: [Bytes] = []
    for _ in 0..<12 {
      ids.append(try house.session("notes").id)
      world.advance(seconds: 0.5)
    }
    house.registry.tidy()
    let packed = house.registry.packedCount
    #expect(packed > 2 && packed < 10)
    for (index, id) in ids.enumerated() {
      #expect((house.registry.find(id) == nil) == (index < packed), "\(index) of \(packed)")
    }
  }
}

import JSONText
import ListModel
import Sessions
import Testing

/// Durable, then told: what a store does not have yet, nobody sees.
@Suite("What is decided is told when the store has it")
struct DurableTests {
  let store = ScriptedStore()
  let house: House

  init() { house = House(store: store) }

  @Test("A change is answered, read, streamed and polled once it is stored")
  func held() throws {
    let session = try house.session("notes")
    let stream = try session.stream(after: 0).sink
    let poll = session.poll(after: 0, wait: 10)
    store.hold()
    let insert = session.send(.insert, #"{"rows":[{"id":"a","data":1}]}"#)
    #expect(!insert.isKept && !poll.isKept && stream.revisions == [])
    #expect(try session.read().version.revision == 0)
    #expect(try session.text().contains(#""itemCount":0"#))
    store.release()
    #expect(try insert.answer().revision == 1)
    #expect(try revisions(#require(poll.value).get().changes) == [1])
    #expect(stream.revisions == [1])
    #expect(try session.text().contains(#""itemCount":1"#))
  }

  @Test("What comes while the store writes goes into one submission behind it")
  func groups() throws {
    let session = try house.session("notes")
    store.hold()
    let promises = try (1...4).map { number in try session.begin("\(number)") }
    #expect(store.heldCount == 1)
    store.release()
    #expect(promises.map(\.isKept) == [true, false, false, false])
    #expect(store.heldCount == 1)
    store.release()
    #expect(try promises.map { try $0.answer().revision } == [1, 2, 3, 4])
    #expect(store.log.suffix(3).map(\.count) == [1, 1, 3])
  }

  @Test("A refusal, a mismatch and a command without effect wait for what they were decided on")
  func refusals() throws {
    let session = try house.session("notes")
    store.hold()
    let first = try session.begin("a")
    let again = try session.begin("a")
    let stale = session.send(.insert, #"{"rows":[{"id":"b","data":1}]}"#, ifMatch: .revisions([0]))
    let nothing = session.send(.update, #"{"rows":[{"id":"a","data":{}}]}"#)
    #expect(![first, again, stale, nothing].contains { $0.isKept })
    store.release()
    #expect(try first.answer().revision == 1)
    #expect(try again.failure().name == "duplicate-id")
    #expect(try stale.failure().name == "revisionMismatch")
    #expect(try nothing.answer().changes.isEmpty)
    #expect(store.heldCount == 0)
  }

  @Test("A failure is told to all who were decided on it, and the list is as it was")
  func failure() throws {
    let session = try house.session("notes")
    try session.add("kept")
    let before = try session.text()
    store.hold()
    let promises = [
      try session.begin("a"), try session.begin("b"), try session.begin("a"),
      session.send(.delete, #"{"ids":["kept"]}"#),
    ]
    store.fail()
    for promise in promises { #expect(try promise.failure().name == "store") }
    #expect(store.heldCount == 0)
    #expect(try session.text() == before)
    let next = session.send(.insert, #"{"rows":[{"id":"a","data":1}]}"#, ifMatch: .revisions([1]))
    store.release()
    #expect(try next.answer().revision == 2)
    #expect(try session.text().contains(#""itemCount":2"#))
  }

  @Test("A fetch is sent once its start is stored")
  func effects() throws {
    let session = try house.session()
    store.hold()
    let load = session.send(.load)
    #expect(house.source.requests.isEmpty)
    store.release()
    #expect(house.source.heldCount == 1)
    house.source.release(ids: ["a"])
    #expect(!load.isKept)
    #expect(try session.read().version.isLoading)
    store.release()
    #expect(try revisions(load.answer().changes) == [1, 2])
  }

  @Test("A fetch whose start cannot be stored is not sent")
  func startFails() throws {
    let session = try house.session()
    store.hold()
    let load = session.send(.load)
    store.fail()
    #expect(try load.failure().name == "store")
    #expect(house.source.requests.isEmpty)
    #expect(try !session.read().version.isLoading)
    #expect(house.world.timerCount == 0)
  }

  @Test("A page that cannot be stored is kept, and stored when writing works again")
  func pageIsKept() throws {
    let session = try house.session()
    let load = session.send(.load, key: "k")
    store.fail(with: StoreFailure(.unavailable, detail: "full"))
    #expect(!house.registry.isWritable)
    house.source.release(ids: ["a", "b"])
    let failed = try load.failure()
    guard case .store(_, hasStarted: true) = failed.failure else { throw Unexpected("\(failed)") }
    #expect(try session.read().version.isLoading)
    house.world.advance(seconds: 2)
    #expect(try session.read().version.isLoading)
    #expect(try session.send(.load, key: "k").failure().name == "idempotencyInProgress")
    store.fail(with: nil)
    house.world.advance(seconds: 1)
    #expect(try session.read().version.itemCount == 2)
    let replay = try session.send(.load, key: "k").answer()
    #expect(revisions(replay.changes) == [1, 2] && replay.idempotency?.isReplay == true)
    #expect(house.source.requests.count == 1)
  }

  @Test(
    "A refresh that comes to nothing gives way to the fetch that it had overtaken", arguments: [false, true])
  func revival(pageComesFirst: Bool) throws {
    let session = try house.session("articles", loaded: ["a"], hasNext: true)
    let more = session.send(.loadMore)
    store.hold()
    let refresh = session.send(.refresh, #"{"immediately":true}"#)
    if pageComesFirst { house.source.release(ids: ["b"]) }
    store.fail()
    #expect(try refresh.failure().name == "store")
    if !pageComesFirst { house.source.release(ids: ["b"]) }
    house.world.advance(seconds: 1)
    store.releaseAll()
    #expect(try revisions(more.answer().changes) == [3, 4])
    #expect(try session.read().version.itemCount == 2)
  }

  @Test(
    "An outcome that nobody knows is looked up before anything else is decided", arguments: [false, true])
  func unknown(isDone: Bool) throws {
    let session = try house.session("notes")
    let stream = try session.stream(after: 0).sink
    store.hold()
    store.holdReads()
    let first = try session.begin("a", key: "k")
    store.fail(.unknown, isDone: isDone)
    #expect(try first.failure().name == "store")
    let second = try session.begin("b")
    #expect(store.heldCount == 0)
    store.releaseReads()
    store.releaseAll()
    #expect(try second.answer().revision == (isDone ? 2 : 1))
    #expect(stream.revisions == (isDone ? [1, 2] : [1]))
    let again = try session.begin("a", key: "k").answer()
    #expect((again.idempotency?.isReplay == true) == isDone)
    #expect(again.revision == (isDone ? 1 : 2))
  }

  @Test("A fetch whose start was stored although nobody knew is sent")
  func unknownStart() throws {
    let session = try house.session()
    store.hold()
    let load = session.send(.load)
    store.fail(.unknown, isDone: true)
    #expect(try load.failure().name == "store")
    house.world.advance(seconds: 1)
    #expect(house.source.heldCount == 1)
    store.releaseAll()
    house.source.release(ids: ["a"])
    #expect(try session.read().version.itemCount == 1)
  }

  @Test("A session ends when its end is stored")
  func ending() throws {
    let session = try house.session("notes")
    store.hold()
    let ended = Promise<SessionFailure?>()
    house.registry.end(session.id) { ended.keep($0) }
    let insert = try session.begin("a")
    #expect(!ended.isKept && !insert.isKept)
    #expect(try session.read().version.revision == 0)
    store.fail()
    #expect(try #require(ended.value) != nil)
    #expect(try insert.failure().name == "store")
    house.registry.end(session.id) { #expect($0 == nil) }
    store.release()
    #expect(throws: SessionFailure.self) { try session.read() }
    #expect(house.registry.count == 0)
  }

  @Test("Who comes behind an end that is not stored yet is answered with it")
  func behindAnEnd() throws {
    let session = try house.open("mine", "notes").value.map { try $0.get().id }.map(house.find)
    let mine = try #require(session)
    store.hold()
    let ended = Promise<SessionFailure?>()
    let again = Promise<SessionFailure?>()
    house.registry.end("mine") { ended.keep($0) }
    let inserts = [try mine.begin("a"), try mine.begin("b", key: "k")]
    house.registry.end("mine") { again.keep($0) }
    let anew = try house.open("mine", "notes")
    #expect(!ended.isKept && !again.isKept && !anew.isKept && !inserts.contains { $0.isKept })
    store.releaseAll()
    #expect(try #require(ended.value) == nil)
    for insert in inserts { #expect(try insert.failure().name == "ended") }
    #expect(try #require(again.value).map { "\($0)" } == "ended")
    #expect(try #require(anew.value).get().isNew)
    #expect(try house.find("mine").add("c", key: "k").idempotency?.isReplay == false)
  }

  @Test(
    "A page that comes behind an end is dropped, and kept where the end comes to nothing",
    arguments: [true, false])
  func pageBehindAnEnd(fails: Bool) throws {
    let session = try house.session("articles")
    let load = session.send(.load)
    store.hold()
    let insert = try session.begin("a")
    let ended = Promise<SessionFailure?>()
    house.registry.end(session.id) { ended.keep($0) }
    house.source.release(ids: ["b"])
    store.release()
    #expect(try insert.answer().revision == 2)
    guard fails else {
      store.releaseAll()
      #expect(try #require(ended.value) == nil)
      #expect(try load.failure().name == "ended")
      #expect(house.look(for: session.id).value?.name == "ended")
      return
    }
    store.fail()
    #expect(try #require(ended.value).map { "\($0)".hasPrefix("store") } == true)
    store.releaseAll()
    house.world.advance(seconds: 2)
    #expect(try load.answer().revision == 3)
    #expect(try house.find(session.id).read().version.itemCount == 2)
  }

  @Test("Whose time is over ends once, for everyone who asks meanwhile", arguments: [true, false])
  func expiring(fails: Bool) throws {
    _ = try #require(house.open("mine", "articles").value).get()
    house.world.advance(seconds: 61)
    store.hold()
    let (first, second) = (house.look(for: "mine"), house.look(for: "mine"))
    let opened = try house.open("mine", "articles")
    let list = house.registry.list(after: nil, limit: 9)
    #expect(!first.isKept && !second.isKept && !opened.isKept && list.sessions.isEmpty)
    if fails {
      store.fail()
      #expect(first.value?.name == "store" && second.value?.name == "store")
      #expect(opened.value?.name == "store")
      store.releaseAll()
    } else {
      store.releaseAll()
      #expect(first.value?.name == "ended" && second.value?.name == "ended")
      #expect(try #require(opened.value).get().isNew)
      #expect(try house.find("mine").read().version.revision > 0)
    }
  }

  @Test("A session is there when it is stored, and not at all where it cannot be")
  func creating() throws {
    store.hold()
    let first = try house.open("mine", "notes")
    let other = try house.open("mine", "notes")
    #expect(!first.isKept && !other.isKept)
    store.fail()
    #expect(try first.failure().name == "store")
    #expect(try other.failure().name == "store")
    #expect(house.registry.count == 0)
    let third = try house.open("mine", "notes")
    let fourth = try house.open("mine", "notes")
    store.releaseAll()
    #expect(try #require(third.value).get().isNew)
    #expect(try !#require(fourth.value).get().isNew)
    #expect(house.registry.count == 1)
  }

  @Test("Making and loading is one submission")
  func makingAndLoading() throws {
    store.hold()
    let created = try house.create(loads: true)
    #expect(store.heldCount == 1)
    store.releaseAll()
    #expect(house.source.heldCount == 1)
    house.source.release(ids: ["a"])
    #expect(try #require(created.value).get().answer.changes.count == 2)
  }

  @Test("A list that alters where nobody sees it is saved", arguments: [#"{"rows":[{"id":"a","data":{}}]}"#])
  func silentChange(body: String) throws {
    let session = try house.session("notes")
    try session.add("a")
    let before = store.log.count
    #expect(try session.send(.replace, body).answer().changes.isEmpty)
    #expect(store.log.count == before + 1)
    #expect(try session.send(.replace, body).answer().changes.isEmpty)
    #expect(store.log.count == before + 1)
  }

  @Test("Snapshots and trimming keep what is stored within bounds")
  func upkeep() throws {
    var limits = SessionLimits()
    limits.keptChanges = 100
    let house = House(limits: limits, store: store)
    let session = try house.session("notes")
    let data = String(repeating: "x", count: 1000)
    for number in 0..<1000 {
      _ = try session.send(.replace, #"{"rows":[{"id":"\#(number)","data":"\#(data)"}]}"#).answer()
    }
    let snapshot = try #require(store.snapshotRevision(session.id))
    #expect(snapshot > 900)
    #expect(store.changeCount(session.id) < 400)
    #expect(try revisions(#require(session.poll(after: 900).value).get().changes).count == 100)
  }
}

extension Session {
  /// Begins to add an item with this id.
  func begin(_ id: String, key: String? = nil) throws -> Promise<Result<CommandAnswer, FailedAnswer>> {
    send(.insert, #"{"rows":[{"id":"\#(id)","data":{}}]}"#, key: key)
  }
}

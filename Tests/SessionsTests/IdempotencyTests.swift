import JSONText
import ListModel
import Sessions
import Testing

/// Protocol §7, Headers of every command.
@Suite(.timeLimit(.minutes(5)))
struct IdempotencyTests {
  private static let day = 86_400.0

  @Test("The same command under the same key is done once, and answered the same")
  func replay() throws {
    let house = House()
    let session = try house.session("notes")
    let body = #"{"rows":[{"data":1},{"data":2}]}"#
    let first = try session.send(.insert, body, key: "k").answer()
    try session.add("later")
    let again = try session.send(.insert, body, key: "k").answer()
    #expect(
      again.changes == first.changes && again.revision == 1 && again.ids == first.ids && again.ids?.count == 2
    )
    #expect(again.snapshot?.version.revision == 2 && again.snapshot?.version.itemCount == 3)
    #expect(first.idempotency?.isReplay == false && again.idempotency?.isReplay == true)
    #expect(first.idempotency?.expires == again.idempotency?.expires)
    #expect(first.idempotency?.expires == house.world.now / 1000 + 86_400)
  }

  @Test("A key of another body is refused, and the refusal is not stored under it")
  func reused() throws {
    let session = try House().session("notes")
    try session.add("a", key: "k")
    let other = try session.send(.insert, #"{"rows":[]}"#, key: "k").failure()
    #expect(other.name == "idempotencyKeyReused" && other.revision == 1 && other.idempotency == nil)
    #expect(try session.add("a", key: "k").idempotency?.isReplay == true)
  }

  @Test("Refusals are stored: the same answer although the list would take it now")
  func refusals() throws {
    let session = try House().session("notes")
    let refused = try session.send(.delete, #"{"ids":["a"]}"#, key: "k").failure()
    #expect(refused.name == "unknown-row" && refused.revision == 0 && refused.idempotency?.isReplay == false)
    try session.add("a")
    let again = try session.send(.delete, #"{"ids":["a"]}"#, key: "k").failure()
    #expect(again.name == "unknown-row" && again.revision == 0 && again.idempotency?.isReplay == true)

    #expect(try session.send(.move, "[]", key: "body").failure().name == "invalid-body")
    #expect(try session.send(.move, "[]", key: "body").failure().idempotency?.isReplay == true)
    #expect(
      try session.send(.load, ifMatch: .revisions([7]), key: "match").failure().name == "revisionMismatch")
    let mismatch = try session.send(.load, ifMatch: .revisions([1]), key: "match").failure()
    #expect(mismatch.name == "revisionMismatch" && mismatch.idempotency?.isReplay == true)
  }

  @Test("Session, then key, then If-Match, then body")
  func order() throws {
    let house = House()
    let session = try house.session("notes")
    try session.add("a", key: "k")
    let wrong = CommandRequest.Condition.revisions([99])
    #expect(
      try session.send(.insert, "[]", ifMatch: wrong, key: "k").failure().name == "idempotencyKeyReused")
    #expect(try session.send(.insert, "[]", ifMatch: wrong).failure().name == "revisionMismatch")
    #expect(try session.send(.insert, "[]", ifMatch: .any).failure().name == "invalid-body")
    let body = #"{"rows":[{"id":"a","data":{}}]}"#
    #expect(try session.send(.insert, body, ifMatch: wrong, key: "k").answer().idempotency?.isReplay == true)
    try house.registry.end(session.id)
    #expect(try session.send(.insert, "[]", ifMatch: wrong, key: "k").failure().name == "ended")
  }

  @Test("While the first request waits it is in progress; afterwards a replay gives both changes")
  func inProgress() throws {
    let house = House()
    let session = try house.session()
    let first = session.send(.load, key: "k")
    let second = try session.send(.load, key: "k").failure()
    #expect(second.name == "idempotencyInProgress" && second.revision == 1 && second.idempotency == nil)
    house.source.release(ids: ["a"])
    let again = try session.send(.load, key: "k").answer()
    #expect(try again.changes == first.answer().changes && revisions(again.changes) == [1, 2])
    #expect(!again.isAccepted && house.source.requests.count == 1)
  }

  @Test("A first answer of 202 stays one")
  func accepted() throws {
    let house = House()
    let session = try house.session()
    session.send(.load, key: "k", wait: 0)
    house.source.release(ids: ["a"])
    let again = try session.send(.load, key: "k", wait: 0).answer()
    #expect(again.isAccepted && again.revision == 1 && revisions(again.changes) == [1])
    #expect(again.snapshot?.version.revision == 2)
  }

  @Test("Changes that are not kept any more make a reset of the replay")
  func forgotten() throws {
    var limits = SessionLimits()
    limits.keptChanges = 3
    let session = try House(limits: limits).session("notes")
    try session.add("a", key: "k")
    for id in ["b", "c"] { try session.add(id) }
    #expect(try session.add("a", key: "k").changes.count == 1)
    try session.add("d")
    let again = try session.add("a", key: "k")
    #expect(again.isReset && again.changes.isEmpty && again.revision == 1 && again.ids == ["a"])
  }

  @Test("With since a replay holds what the first answer held")
  func since() throws {
    let session = try House().session("notes")
    for id in ["a", "b", "c"] { try session.add(id) }
    let body = #"{"rows":[{"id":"d","data":1}]}"#
    let first = try session.send(.insert, body, since: 1, key: "k").answer()
    #expect(revisions(first.changes) == [2, 3, 4])
    try session.add("e")
    #expect(try session.send(.insert, body, since: 1, key: "k").answer().changes == first.changes)
  }

  @Test("A key stands until the moment that its answer names, and not longer")
  func expiry() throws {
    let house = House()
    let session = try house.session("notes")
    house.world.advance(seconds: 0.5)
    let expires = try #require(try session.add("a", key: "k").idempotency?.expires)
    #expect(Double(expires) >= Double(house.world.now) / 1000 + Self.day, "24 hours at least")
    house.world.advance(seconds: Self.day)
    #expect(try session.add("a", key: "k").idempotency?.isReplay == true)
    house.world.advance(seconds: 0.499)
    #expect(try session.add("a", key: "k").idempotency?.isReplay == true)
    house.world.advance(seconds: 0.001)
    let body = #"{"rows":[{"id":"a","data":{}}]}"#
    #expect(try session.send(.insert, body, key: "k").failure().name == "duplicate-id", "it is done again")
  }

  @Test("Keys of commands are the session's own")
  func scope() throws {
    let house = House()
    try house.session("notes").add("a", key: "k")
    #expect(try house.session("notes").add("a", key: "k").idempotency?.isReplay == false)
  }

  // MARK: Creates

  @Test("A create under a key is done once for each owner")
  func create() throws {
    let house = House()
    let first = try #require(try house.create(key: "k", owner: "A").value).get()
    try house.registry.session(first.id).add("x")
    let again = try #require(try house.create(key: "k", owner: "A").value).get()
    #expect(again.id == first.id && again.isNew && again.answer.revision == 0)
    #expect(again.answer.snapshot?.version.revision == 1 && again.answer.idempotency?.isReplay == true)
    #expect(try house.create("notes", key: "k", owner: "A").failure().name == "idempotencyKeyReused")
    let other = try #require(try house.create(key: "k", owner: "B").value).get()
    #expect(other.id != first.id && other.answer.idempotency?.isReplay == false)
    #expect(house.registry.count == 2)
  }

  @Test("A create that loads is in progress until its page is there")
  func creating() throws {
    let house = House()
    let first = try house.create(loads: true, key: "k")
    #expect(try house.create(loads: true, key: "k").failure().name == "idempotencyInProgress")
    house.source.release(ids: ["a"])
    let again = try #require(try house.create(loads: true, key: "k").value).get()
    #expect(try again.answer.changes == #require(first.value).get().answer.changes)
    #expect(revisions(again.answer.changes) == [1, 2] && house.registry.count == 1)
  }

  @Test("Refused creates are stored, those of a draining server are not")
  func refusedCreates() throws {
    var limits = SessionLimits()
    limits.sessions = 1
    let house = House(limits: limits)
    let only = try house.session()
    #expect(try house.create(key: "k").failure().name == "tooManySessions")
    try house.registry.end(only.id)
    #expect(try house.create(key: "k").failure().idempotency?.isReplay == true)
    house.registry.drain()
    #expect(try house.create(key: "d").failure().idempotency == nil)
    #expect(try house.create(key: "d").failure().idempotency == nil)
  }

  @Test("Replaying a create whose session has ended gives the first answer without a list")
  func ended() throws {
    let house = House()
    let plain = try #require(try house.create(key: "plain").value).get()
    let promise = try house.create(loads: true, key: "loaded")
    house.source.release(ids: ["a"])
    let loaded = try #require(promise.value).get()
    for id in [plain.id, loaded.id] { try house.registry.end(id) }

    let first = try #require(try house.create(key: "plain").value).get()
    #expect(first.id == plain.id && first.isNew && first.answer.revision == 0 && !first.answer.isReset)
    #expect(first.answer.snapshot == nil && first.answer.idempotency?.isReplay == true)
    let second = try #require(try house.create(loads: true, key: "loaded").value).get()
    #expect(second.id == loaded.id && second.answer.revision == 2)
    #expect(second.answer.isReset && second.answer.changes.isEmpty && second.answer.snapshot == nil)
    #expect(house.registry.count == 0)
  }

  @Test("PUT takes a key as POST does")
  func put() throws {
    let house = House()
    let first = try #require(try house.open("mine", key: "k").value).get()
    #expect(first.isNew && first.answer.idempotency?.isReplay == false)
    let again = try #require(try house.open("mine", key: "k").value).get()
    #expect(
      again.isNew && again.answer.idempotency?.isReplay == true
        && again.answer.revision == first.answer.revision)
    #expect(try house.open("mine", "notes", key: "k").failure().name == "idempotencyKeyReused")
    let opened = try #require(try house.open("mine", key: "l").value).get()
    #expect(!opened.isNew && opened.answer.idempotency?.isReplay == false)
    #expect(try #require(try house.open("mine", key: "l").value).get().isNew == false)
    #expect(try house.open("mine", "notes", key: "m").failure().idempotency?.isReplay == false)
    #expect(try house.open("mine", "notes", key: "m").failure().idempotency?.isReplay == true)
  }
}

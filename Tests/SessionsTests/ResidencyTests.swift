import JSONText
import ListModel
import Sessions
import Synchronization
import Testing
import TestSupport

/// Sessions that go out of memory and come back under those who use them.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct ResidencyTests {
  @Test("Put out again and again, every list is what a plain one would be", arguments: 1...2)
  func restored(seed: UInt64) throws {
    let store = ScriptedStore()
    try walk(House(limits: .of(bytes: 12_000), store: store), seed: seed)
    #expect(store.restoreCount > 150, "seed \(seed)")
  }

  @Test("Packed again and again, every list is what a plain one would be", arguments: 1...2)
  func packed(seed: UInt64) throws {
    let packing = ScriptedPacking()
    try walk(House(limits: .of(bytes: 12_000), packing: packing), seed: seed)
    #expect(packing.wokenCount > 150, "seed \(seed)")
  }

  @Test("Packed, then put out, every list is what a plain one would be", arguments: 1...2)
  func packedAndRestored(seed: UInt64) throws {
    let (store, packing) = (ScriptedStore(), ScriptedPacking())
    try walk(House(limits: .of(bytes: 30_000), store: store, packing: packing), seed: seed)
    #expect(store.restoreCount > 50 && packing.wokenCount > 50, "seed \(seed)")
  }

  private func walk(_ house: House, seed: UInt64) throws {
    try onThreads(3) { number in
      do {
        try Self.use(house, seed: seed &* 77 &+ UInt64(number))
      } catch {
        Issue.record("seed \(seed), thread \(number): \(error)")
      }
    }
  }

  /// Twenty sessions of one thread's own, used at random beside a plain list each.
  private static func use(_ house: House, seed: UInt64) throws {
    var random = Seeded(seed)
    var lists: [[Int]] = []
    var objects: [Session] = []
    for _ in 0..<20 {
      objects.append(try house.session("notes"))
      lists.append([])
    }
    for step in 1...250 {
      // Puts out whatever lies above the limit, the others' sessions too.
      if step % 3 == 0 {
        house.world.advance(seconds: 0.001)
        house.registry.tidy()
      }
      let place = random.below(20)
      // The object of long ago hands on what it is given; one that was looked up is the present one.
      if random.below(2) == 0 { objects[place] = try house.present(objects[place].id) }
      let session = objects[place]
      let count = lists[place].count
      switch random.below(6) {
      case 0 where count > 0:
        let index = random.below(count)
        lists[place].remove(at: index)
        _ = try session.send(.delete, #"{"indexes":[\#(index)]}"#).answer()
      case 1 where count > 1:
        let (from, to) = (random.below(count), random.below(count))
        let item = lists[place].remove(at: from)
        lists[place].insert(item, at: to)
        _ = try session.send(.move, #"{"id":"\#(item)","to":\#(to)}"#).answer()
      case 2:
        let known = try session.poll(after: 0).value?.get()
        guard let known, known.revision >= 0 else { throw Unexpected("no changes") }
      case 3:
        let stream = try house.streamOfPresent(session.id)
        lists[place].append(step)
        let answer = try session.send(.insert, #"{"rows":[{"id":"\#(step)","data":{}}]}"#).answer()
        guard stream.sink.revisions.last == answer.revision else {
          throw Unexpected("the stream is at \(stream.sink.revisions), the list at \(answer.revision)")
        }
        stream.close()
      default:
        let index = random.below(count + 1)
        lists[place].insert(step, at: index)
        _ = try session.send(.insert, #"{"rows":[{"id":"\#(step)","data":{}}],"at":\#(index)}"#).answer()
      }
      let document = try JSONValue(parsing: Bytes(house.present(session.id).text()))
      let ids = (document.member("rows")?.elements ?? []).compactMap { $0.member("id")?.string?.string }
      guard ids == lists[place].map(String.init) else {
        throw Unexpected("step \(step): \(ids) instead of \(lists[place])")
      }
    }
  }
}

extension SessionLimits {
  /// Memory for these bytes of sessions; sixty would take 200,000, or packed 40,000.
  fileprivate static func of(bytes: Int) -> SessionLimits {
    var limits = SessionLimits()
    limits.residentBytes = bytes
    return limits
  }
}

extension House {
  /// The object that stands for a session now; one that goes out of memory meanwhile is looked up again.
  fileprivate func present(_ id: Bytes) throws -> Session {
    let promise = Promise<Result<Session, SessionFailure>>()
    registry.session(id) { promise.keep($0) }
    return try promise.wait().get()
  }

  /// Subscribes as soon as the session is there: a moment later it may be out again.
  fileprivate func streamOfPresent(_ id: Bytes) throws -> (sink: FakeSink, close: @Sendable () -> Void) {
    for _ in 1...100 {
      let promise = Promise<(sink: FakeSink, close: @Sendable () -> Void)?>()
      registry.session(id) { found in promise.keep(try? found.get().stream(after: nil)) }
      if let stream = try promise.wait() { return stream }
    }
    throw Unexpected("no stream")
  }
}

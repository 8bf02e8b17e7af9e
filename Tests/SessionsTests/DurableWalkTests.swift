import JSONText
import ListModel
import Sessions
import Testing
import TestSupport

/// Random commands on a store that holds, fails and loses: what was told is in the store, and comes back from it.
@Suite("On a store that fails at random")
struct DurableWalkTests {
  @Test(
    "nothing is told that is not stored, and a restart gives what was told",
    arguments: 0..<60 as Range<UInt64>)
  func walk(seed: UInt64) throws {
    var random = Seeded(seed)
    let store = ScriptedStore()
    let house = House(store: store)
    let session = try house.session(seed.isMultiple(of: 2) ? "articles" : "notes")
    let stream = try session.stream(after: 0).sink
    var promises: [Promise<Result<CommandAnswer, FailedAnswer>>] = []
    for step in 0..<120 {
      let context: Comment = "seed \(seed), step \(step)"
      switch random.below(12) {
      case 0: store.hold()
      case 1: store.releaseAll()
      case 2 where store.heldCount > 0: store.release()
      case 3 where store.heldCount > 0: store.fail()
      case 4 where store.heldCount > 0: store.fail(.unknown, isDone: random.below(2) == 0)
      case 5: house.world.advance(seconds: 1.5)
      case 6 where house.source.heldCount > 0:
        house.source.release(
          ids: (0..<random.below(3)).map { _ in "\(random.below(9))" }, hasNext: random.below(2) == 0
        )
      case 7:
        promises.append(
          session.send(
            [.load, .refresh, .loadMore, .retry][random.below(4)], key: "f\(step)", wait: 5))
      case 8: promises.append(session.send(.delete, #"{"indexes":[0]}"#))
      case 9: promises.append(session.send(.select, #"{"index":0}"#))
      default:
        promises.append(
          session.send(
            .insert, #"{"rows":[{"id":"\#(random.below(9))","data":\#(step)}],"at":0}"#, key: "i\(step)"))
      }
      let shown = try session.read().version.revision
      let stored = try #require(store.revision(of: session.id))
      #expect(shown <= stored, context)
      for case .success(let answer) in promises.compactMap(\.value) {
        #expect(answer.revision <= stored, context)
        #expect(!answer.isReset && revisions(answer.changes).allSatisfy { $0 <= answer.revision }, context)
      }
      let told = stream.revisions
      #expect(told == Array(1..<(told.count + 1)), context)
      #expect(told.count == shown, context)
    }
    store.releaseAll()
    house.world.advance(seconds: 3)
    while house.source.heldCount > 0 { house.source.release(ids: ["z"]) }
    house.world.advance(seconds: 40)
    #expect(!promises.contains { !$0.isKept }, "seed \(seed): someone was not answered")
    guard try !session.read().version.isLoading else {
      #expect(session.table == "notes", "seed \(seed): a fetch hangs")
      return
    }
    let restored = try House(store: store, world: house.world).find(session.id)
    #expect(try restored.text() == session.text(), "seed \(seed)")
    let changes = try #require(restored.poll(after: 0).value).get().changes
    #expect(try changes == #require(session.poll(after: 0).value).get().changes, "seed \(seed)")
  }
}

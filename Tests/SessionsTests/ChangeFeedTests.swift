import JSONText
import ListModel
import Sessions
import Testing

/// Protocol §8: changes after a revision, what is kept of them, and polls that wait.
@Suite(.timeLimit(.minutes(5)))
struct ChangeFeedTests {
  private func house(keptChanges: Int = 1000, keptBytes: Int = 8 << 20) -> House {
    var limits = SessionLimits()
    limits.keptChanges = keptChanges
    limits.keptBytes = keptBytes
    limits.rowBytes = 10 << 20
    return House(limits: limits)
  }

  @Test("Exactly keptChanges changes are kept", arguments: [1, 2, 5, 40, 200])
  func keptChanges(count: Int) throws {
    let session = try house(keptChanges: count).session("notes")
    for number in 1...(3 * count + 7) {
      try session.add("\(number)")
      let oldest = max(0, number - count)
      let page = try #require(session.poll(after: oldest).value).get()
      #expect(revisions(page.changes) == Array((oldest + 1)...number) && page.reset == nil)
      guard oldest > 0 else { continue }
      let gap = try #require(session.poll(after: oldest - 1).value).get()
      #expect(gap.reset?.version.revision == number && gap.changes.isEmpty && gap.revision == number)
    }
  }

  @Test("Or the newest within keptBytes, one at least")
  func keptBytes() throws {
    // Every insert but the first, which also turns the placeholder over, makes a change of one size.
    let measured = try house().session("notes")
    try measured.add("1")
    let size = try #require(try measured.add("2").changes.first).count
    let session = try house(keptBytes: 3 * size).session("notes")
    for number in 1...8 { try session.add("\(number)") }
    #expect(revisions(try #require(session.poll(after: 5).value).get().changes) == [6, 7, 8])
    #expect(try #require(session.poll(after: 4).value).get().reset != nil)

    let tight = try house(keptBytes: 3 * size - 1).session("notes")
    for number in 1...8 { try tight.add("\(number)") }
    #expect(revisions(try #require(tight.poll(after: 6).value).get().changes) == [7, 8])
    #expect(try #require(tight.poll(after: 5).value).get().reset != nil)

    let least = try house(keptBytes: 1).session("notes")
    for number in 1...3 {
      let answer = try least.add("\(number)")
      #expect(revisions(answer.changes) == [number] && !answer.isReset)
    }
    #expect(try #require(least.poll(after: 1).value).get().reset != nil)
  }

  @Test("A revision above the present, or of an earlier life, is a reset")
  func otherRevisions() throws {
    let house = house()
    _ = try house.open("mine")
    let session = try house.registry.session("mine")
    let start = house.world.now
    try session.add("a")
    #expect(try #require(session.poll(after: start + 2).value).get().reset?.version.revision == start + 1)
    #expect(try #require(session.poll(after: 9_007_199_254_740_991).value).get().reset != nil)
    #expect(try #require(session.poll(after: start - 1).value).get().reset != nil)
    #expect(try #require(session.poll(after: 0).value).get().reset != nil)
    #expect(revisions(try #require(session.poll(after: start).value).get().changes) == [start + 1])
    #expect(try #require(session.poll(after: start + 1).value).get().changes.isEmpty)
  }

  @Test("A poll waits for the next change, whoever makes it, and gets that")
  func waits() throws {
    let house = house()
    let session = try house.session()
    let polls = (0..<3).map { _ in session.poll(after: 0, wait: 60) }
    session.send(.load)
    for poll in polls { #expect(revisions(try #require(poll.value).get().changes) == [1]) }
    let next = session.poll(after: 1, wait: 60)
    house.source.release(ids: ["a"])
    #expect(revisions(try #require(next.value).get().changes) == [2])
    #expect(house.world.timerCount == 0)
  }

  @Test("A poll that hears nothing is answered with nothing when its time is over")
  func hearsNothing() throws {
    let house = house()
    let session = try house.session("notes")
    let poll = session.poll(after: 0, wait: 7)
    #expect(try session.send(.retry).failure().name == "nothing-to-retry")
    #expect(try session.send(.select, #"{"id":null}"#).answer().changes.isEmpty)
    house.world.advance(seconds: 6.999)
    #expect(!poll.isKept)
    house.world.advance(seconds: 0.001)
    let page = try #require(poll.value).get()
    #expect(page.changes.isEmpty && page.revision == 0 && page.reset == nil && !page.hasMore)
    #expect(session.poll(after: 0, wait: 0).isKept)
    #expect(session.poll(after: 1, wait: 60).isKept, "a reset does not wait")
  }

  @Test("A poll whose client leaves is answered at once and holds no place and no timer")
  func leaves() throws {
    let house = house()
    let session = try house.session("notes")
    let timers = house.world.timerCount
    let stopping = Promise<@Sendable () -> Void>()
    let poll = Promise<Result<ChangePage, FailedAnswer>>()
    session.changes(after: 0, waitSeconds: 60, whileWaiting: { stopping.keep($0) }) { poll.keep($0) }
    let stop = try #require(stopping.value)
    #expect(!poll.isKept && house.world.timerCount == timers + 1)
    stop()
    #expect(try #require(poll.value).get().changes.isEmpty)
    #expect(house.world.timerCount == timers)
    stop()
    let other = Promise<@Sendable () -> Void>()
    session.changes(after: 0, waitSeconds: 0, whileWaiting: { other.keep($0) }) { _ in }
    #expect(!other.isKept, "who does not wait cannot leave")
  }

  @Test("An answer stops after 8 MiB, and its revision is that of the last change in it")
  func more() throws {
    let session = try house(keptBytes: 1 << 30).session("notes")
    let text = String(repeating: "x", count: 3 << 20)
    for number in 1...4 {
      _ = try session.send(.insert, #"{"rows":[{"id":"\#(number)","data":"\#(text)"}]}"#).answer()
    }
    let first = try #require(session.poll(after: 0).value).get()
    #expect(revisions(first.changes) == [1, 2] && first.hasMore && first.revision == 2)
    let rest = try #require(session.poll(after: 2).value).get()
    #expect(revisions(rest.changes) == [3, 4] && !rest.hasMore && rest.revision == 4)

    let huge = String(repeating: "x", count: 9 << 20)
    _ = try session.send(.insert, #"{"rows":[{"id":"5","data":"\#(huge)"}]}"#).answer()
    try session.add("6")
    let single = try #require(session.poll(after: 4).value).get()
    #expect(revisions(single.changes) == [5] && single.hasMore && single.revision == 5, "one at least")
  }

  // MARK: since on commands, If-Match

  @Test("since on a command gives everything after it, its own change included; at a gap a reset")
  func sinceOnCommands() throws {
    let session = try house(keptChanges: 3).session("notes")
    for id in ["a", "b", "c"] { try session.add(id) }
    let all = try session.send(.delete, #"{"ids":["a"]}"#, since: 1).answer()
    #expect(revisions(all.changes) == [2, 3, 4] && !all.isReset)
    let none = try session.send(.delete, #"{"ids":[]}"#, since: 4).answer()
    #expect(none.changes.isEmpty && !none.isReset)
    for since in [0, 5, 900] {
      let reset = try session.send(.delete, #"{"ids":[]}"#, since: since).answer()
      #expect(reset.isReset && reset.changes.isEmpty && reset.revision == 4 && reset.snapshot != nil)
    }
  }

  @Test("since on a fetch is answered with everything up to the moment of the answer")
  func sinceOnFetches() throws {
    let house = house()
    let session = try house.session()
    let load = session.send(.load, since: 0)
    try session.add("b")
    house.source.release(ids: ["a"])
    #expect(revisions(try load.answer().changes) == [1, 2, 3])
  }

  @Test("If-Match lets a command run at the revisions that it names, and at no other")
  func ifMatch() throws {
    let session = try house().session("notes")
    try session.add("a")
    let refused = try session.send(.delete, #"{"all":true}"#, ifMatch: .revisions([0, 2])).failure()
    #expect(refused.name == "revisionMismatch" && refused.revision == 1)
    #expect(try session.send(.delete, #"{"all":true}"#, ifMatch: .revisions([])).failure().revision == 1)
    #expect(try session.send(.delete, #"{"all":true}"#, ifMatch: .revisions([9, 1])).answer().revision == 2)
    #expect(try session.send(.delete, #"{"all":true}"#, ifMatch: .any).answer().changes.isEmpty)
  }

  // MARK: Documents

  @Test("The full document is that of the present revision, however often it was read before")
  func document() throws {
    let house = house()
    let session = try house.session()
    func check(_ place: Comment) throws {
      for _ in 0..<4 {
        let (snapshot, text) = try session.document()
        #expect(String(decoding: text, as: UTF8.self) == (try session.text()), place)
        #expect(snapshot.version.revision == (try session.read().version.revision), place)
      }
    }
    try check("new")
    try session.add("a")
    try check("inserted")
    session.send(.load)
    try check("loading")
    house.source.release(ids: ["b"], hasNext: true)
    try check("loaded")
    session.send(.select, #"{"id":"a"}"#)
    try check("selected")
    session.send(.transition, #"{"to":"error"}"#)
    try check("moved")
    house.world.advance(seconds: 20)
    house.registry.tidy()
    try check("rested")
  }
}

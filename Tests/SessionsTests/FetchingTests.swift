import Foundation
import JSONText
import ListModel
import Sessions
import Synchronization
import Testing

/// Protocol §7, Fetches: who waits, who is answered when, and what becomes of pages.
@Suite(.timeLimit(.minutes(5)))
struct FetchingTests {
  // MARK: Waiting

  @Test("A caller waits for the end and gets both changes")
  func waits() throws {
    let house = House()
    let session = try house.session()
    let load = session.send(.load, tag: "mine")
    #expect(!load.isKept && house.world.timerCount == 1)
    house.source.release(ids: ["a"])
    let answer = try load.answer()
    #expect(!answer.isAccepted && answer.revision == 2 && revisions(answer.changes) == [1, 2])
    #expect(answer.changes.map { member("tag", of: $0) } == [#""mine""#, #""mine""#])
    #expect(answer.snapshot?.version.itemCount == 1)
    #expect(house.world.timerCount == 0)
  }

  @Test("After 30 seconds, or as many as are wanted, the start is what there is", arguments: [30.0, 5.0])
  func waitsNoLonger(seconds: Double) throws {
    let house = House()
    let session = try house.session()
    let load = seconds == 30 ? session.send(.load) : session.send(.load, wait: seconds)
    house.world.advance(seconds: seconds - 0.001)
    #expect(!load.isKept)
    house.world.advance(seconds: 0.001)
    let answer = try load.answer()
    #expect(answer.isAccepted && answer.revision == 1 && revisions(answer.changes) == [1])
    house.source.release(ids: ["a"])
    #expect(try session.read().version.itemCount == 1, "the fetch goes on")
  }

  @Test("Without waiting the answer comes at once; on a loaded list it is no change")
  func async() throws {
    let house = House()
    let session = try house.session()
    let answer = try session.send(.load, wait: 0).answer()
    #expect(answer.isAccepted && revisions(answer.changes) == [1])
    house.source.release(ids: ["a"])
    let again = try session.send(.load, wait: 0).answer()
    #expect(!again.isAccepted && again.changes.isEmpty && again.revision == 2)
    #expect(house.source.requests.count == 1)
  }

  @Test("A source that answers within the call does not make the hasty caller wait for it")
  func synchronousSource() throws {
    let house = House()
    house.source.answer { _ in .success(.of(["a"])) }
    let session = try house.session()
    let hasty = try session.send(.load, wait: 0).answer()
    #expect(hasty.isAccepted && hasty.revision == 1)
    let patient = try session.send(.refresh).answer()
    #expect(!patient.isAccepted && revisions(patient.changes) == [3, 4])
    #expect(house.world.timerCount == 0)
  }

  @Test("A thousand pages from a source that answers within the call need no deep stack")
  func manyPages() throws {
    let house = House()
    let pages = 1000
    house.source.answer { request in
      .success(.of(["\(request.place.read)"], after: request.place, hasNext: request.place.read + 1 < pages))
    }
    let session = try house.session()
    session.send(.load)
    for _ in 1..<pages { session.send(.loadMore) }
    let refresh = Promise<Promise<Result<CommandAnswer, FailedAnswer>>>()
    let thread = Thread { refresh.keep(session.send(.refresh, #"{"pages":"loaded"}"#)) }
    thread.stackSize = 256 << 10
    thread.start()
    #expect(try !refresh.wait().answer().isAccepted)
    #expect(house.source.requests.count == 2 * pages)
    #expect(try session.read().version.itemCount == pages)
  }

  @Test("Who joins gets the same two changes, one upstream request being made")
  func joins() throws {
    let house = House()
    let session = try house.session()
    let first = session.send(.load)
    try session.add("meanwhile")
    let second = session.send(.load, tag: "no change of mine")
    let hasty = try session.send(.load, wait: 0).answer()
    #expect(hasty.isAccepted && revisions(hasty.changes) == [1] && hasty.revision == 2)
    house.source.release(ids: ["a"])
    #expect(revisions(try first.answer().changes) == [1, 3])
    #expect(try second.answer().changes == first.answer().changes)
    #expect(house.source.requests.count == 1)
  }

  @Test("Who is overtaken gets the start, and only when nothing is in flight any more")
  func overtaken() throws {
    let house = House()
    let session = try house.session()
    let load = session.send(.load)
    let refresh = session.send(.refresh)
    #expect(!load.isKept && !refresh.isKept)
    house.source.release(ids: ["stale"])
    #expect(!load.isKept && !refresh.isKept)
    #expect(try session.read().version.itemCount == 0, "a stale page is dropped")
    house.source.release(ids: ["fresh"])
    #expect(revisions(try load.answer().changes) == [1])
    let last = try refresh.answer()
    #expect(revisions(last.changes) == [2, 3] && !last.isAccepted)
    #expect(try session.text().contains("fresh"))
  }

  @Test("A replace overtakes: the waiting caller gets the start at once, the page is dropped")
  func replaced() throws {
    let house = House()
    let session = try house.session()
    let load = session.send(.load)
    session.send(.replace, #"{"rows":[{"id":"r","data":1}]}"#)
    let answer = try load.answer()
    #expect(!answer.isAccepted && revisions(answer.changes) == [1] && answer.revision == 2)
    house.source.release(ids: ["late"])
    #expect(try session.read().version.revision == 2)
    #expect(house.world.timerCount == 0)
  }

  @Test("On drain whoever waits is answered 202, and nobody waits any more")
  func drain() throws {
    let house = House()
    let session = try house.session()
    let load = session.send(.load)
    let poll = session.poll(after: 1, wait: 60)
    let stream = try session.stream(after: 1)
    house.registry.drain()
    #expect(try load.answer().isAccepted)
    #expect(revisions(try load.answer().changes) == [1])
    #expect(try #require(poll.value).get().changes.isEmpty)
    #expect(stream.sink.lines == ["end draining"])
    #expect(try session.send(.load).answer().isAccepted)
    #expect(session.poll(after: 1, wait: 60).isKept)
    #expect(throws: SessionFailure.self) { try session.stream() }
    #expect(house.world.timerCount == 0)
    house.source.release(ids: ["a"])
    #expect(try session.read().version.itemCount == 1, "a fetch that ends in time counts")
  }

  // MARK: Failing

  @Test("A failure is a state of the list: the command was done, and retry does it again")
  func fails() throws {
    let house = House()
    let session = try house.session()
    let load = session.send(.load)
    house.source.release(.failure(UpstreamFailure(.status, detail: "no", upstreamStatus: 500)))
    let answer = try load.answer()
    #expect(!answer.isAccepted && revisions(answer.changes) == [1, 2])
    #expect(try session.text().contains(#""error":{"type":"/problems/upstream-status""#))
    let retry = session.send(.retry)
    house.source.release(ids: ["a"])
    #expect(try retry.answer().changes.map { member("cause", of: $0) } == [#""retry""#, #""retry""#])
  }

  @Test("A table that is gone from the configuration fails the fetch, and the session goes on")
  func tableGone() throws {
    let house = House()
    let session = try house.session(loaded: ["a"], hasNext: true)
    house.registry.tables = TableCatalog([])
    let more = try session.send(.loadMore).answer()
    #expect(!more.isAccepted && revisions(more.changes) == [3, 4])
    #expect(try session.text().contains("upstream-error"))
    try session.add("b")
    #expect(try session.read().version.itemCount == 2)
  }

  @Test("A new configuration: sessions keep their look; page size, cap and limits follow")
  func newTables() throws {
    let house = House()
    let session = try house.session(loaded: ["a"], hasNext: true)
    house.registry.tables = TableCatalog([
      TableDefinition.articles.with {
        $0.pageSize = 50
        $0.maxItems = 7
        $0.look = TableLook(cell: .name("NewCell"))
      }
    ])
    session.send(.loadMore)
    let request = try #require(house.source.requests.last)
    #expect(request.table.pageSize == 50 && request.table.maxItems == 7)
    if case .name(let cell) = request.look.cell { #expect(cell == "Cell") } else { Issue.record("a rule") }
    house.source.release(ids: ["b"])
    try session.add("c")
    #expect(try !session.text().contains("NewCell"))
    try house.session().add("d")
    #expect(house.registry.list(after: nil, limit: 9).sessions.count == 2)
  }

  @Test("Sources are asked for no more than itemsPerSession", arguments: [nil, 3, 30])
  func cap(maxItems: Int?) throws {
    var limits = SessionLimits()
    limits.itemsPerSession = 10
    let house = House([TableDefinition.articles.with { $0.maxItems = maxItems }], limits: limits)
    try house.session().send(.load)
    #expect(house.source.requests.first?.table.maxItems == min(maxItems ?? 10, 10))
  }

  @Test("Pages are asked for with the session's parameters, as a refresh has set them")
  func params() throws {
    let house = House()
    let session = try house.session()
    session.send(.load)
    session.send(.refresh, #"{"params":{"topic":"a\u0000b"}}"#)
    #expect(house.source.requests.map { $0.params.map(\.value) } == [["swift"], ["a\0b"]])
  }

  // MARK: Rows from clients

  @Test("What a client is to give is awaited as long as the source allows, and each fetch for itself")
  func timeLimit() throws {
    let house = House()
    let session = try house.session("notes")
    #expect(try session.send(.load).answer().isAccepted)
    house.world.advance(seconds: 4)
    session.send(.refresh)
    house.world.advance(seconds: 4)
    #expect(try session.read().version.isLoading)
    #expect(house.world.timerCount == 1)
    house.world.advance(seconds: 1)
    #expect(try session.text().contains("upstream-timeout"))
    let last = try #require(session.poll(after: 2).value).get()
    #expect(last.changes.map { member("cause", of: $0) } == [#""refresh""#])
  }

  @Test("A time limit is given up with its fetch: no timer stays, however often rows come in time")
  func noTimerStays() throws {
    let house = House()
    let session = try house.session("notes")
    for round in 0..<50 {
      session.send(.refresh)
      #expect(house.world.timerCount == 1)
      switch round % 4 {
      case 0: session.send(.refresh, #"{"rows":[]}"#)
      case 1: session.send(.fail)
      case 2: session.send(.replace, #"{"rows":[]}"#)
      default: continue
      }
      #expect(house.world.timerCount == 0, "round \(round)")
    }
    session.send(.load)
    try house.registry.end(session.id)
    #expect(house.world.timerCount == 0)
  }

  @Test("The end that a client gives has its own cause and tag; that of a source has the start's")
  func tags() throws {
    let house = House()
    let notes = try house.session("notes")
    notes.send(.load, tag: "starter")
    notes.send(.load, #"{"rows":[{"id":"a","data":1}]}"#, tag: "giver")
    let changes = try #require(notes.poll(after: 0).value).get().changes
    #expect(changes.map { member("tag", of: $0) } == [#""starter""#, #""giver""#])

    let session = try house.session()
    session.send(.load, tag: "first")
    session.send(.refresh)
    house.source.release(ids: [])
    house.source.release(ids: [])
    let others = try #require(session.poll(after: 0).value).get().changes
    #expect(others.map { member("tag", of: $0) } == [#""first""#, nil, nil])
  }
}

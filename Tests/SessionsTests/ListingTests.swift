import JSONText
import ListModel
import Sessions
import Testing
import TestSupport

/// Protocol §5: the list of sessions.
@Suite(.timeLimit(.minutes(5)))
struct ListingTests {
  @Test("A session is listed as it is")
  func summary() throws {
    let house = House()
    _ = try house.open("mine")
    let start = house.world.now
    house.world.advance(seconds: 2)
    try house.registry.session("mine").add("a")
    house.world.advance(seconds: 3)
    let (sessions, next) = house.registry.list(after: nil, limit: 1)
    let mine = try #require(sessions.first)
    #expect(sessions.count == 1 && next == nil)
    #expect(mine.id == "mine" && mine.table == "articles" && mine.state == "populated" && mine.itemCount == 1)
    #expect(mine.revision == start + 1 && mine.created == start && mine.touched == start + 2000)
  }

  @Test("Page after page shows each session once, whatever the size of a page", arguments: [1, 2, 3, 7, 100])
  func pages(limit: Int) throws {
    let house = House()
    let ids = try (0..<7).map { _ in try house.session("notes").id }
    var seen: [Bytes] = []
    var cursor: Int?
    var pages = 0
    repeat {
      let page = house.registry.list(after: cursor, limit: limit)
      #expect(page.sessions.count <= limit && !page.sessions.isEmpty)
      seen += page.sessions.map(\.id)
      cursor = page.next
      pages += 1
    } while cursor != nil
    #expect(seen == ids)
    #expect(pages == (7 + limit - 1) / limit)
  }

  @Test("Sessions that come and go while pages are read disturb nobody")
  func comingAndGoing() throws {
    var random = SystemRandomNumberGenerator()
    let seed = random.next() as UInt64
    var generator = Seeded(seed)
    let house = House()
    var staying: [Bytes] = []
    var passing: [Bytes] = []
    for number in 0..<300 {
      let id = try house.session("notes").id
      if number % 3 == 0 { staying.append(id) } else { passing.append(id) }
    }
    var seen: [Bytes] = []
    var cursor: Int?
    repeat {
      let page = house.registry.list(after: cursor, limit: Int.random(in: 1...20, using: &generator))
      seen += page.sessions.map(\.id)
      cursor = page.next
      for _ in 0..<12 where !passing.isEmpty {
        try house.registry.end(passing.remove(at: Int.random(in: 0..<passing.count, using: &generator)))
      }
      if Bool.random(using: &generator) { passing.append(try house.session("notes").id) }
    } while cursor != nil
    #expect(Set(seen).count == seen.count, "seed \(seed)")
    #expect(seen.filter(Set(staying).contains) == staying, "seed \(seed)")
  }

  @Test("Expired sessions are not listed, and the page is filled by those behind them")
  func expired() throws {
    let house = House()
    for _ in 0..<5 { try house.create("articles") }
    let last = try house.session("notes").id
    house.world.advance(seconds: 60)
    let page = house.registry.list(after: nil, limit: 1)
    #expect(page.sessions.map(\.id) == [last] && page.next == nil)
  }

  @Test("A cursor behind the end gives an empty page", arguments: [3, 1000, 9_007_199_254_740_991, Int.max])
  func behindTheEnd(cursor: Int) throws {
    let house = House()
    for _ in 0..<3 { try house.create() }
    let page = house.registry.list(after: cursor, limit: 10)
    #expect(page.sessions.isEmpty && page.next == nil)
  }
}

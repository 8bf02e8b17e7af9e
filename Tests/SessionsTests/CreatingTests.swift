import JSONText
import ListModel
import Sessions
import Synchronization
import Testing

/// Protocol §5: sessions made by POST and PUT.
@Suite(.timeLimit(.minutes(5)))
struct CreatingTests {
  @Test("POST makes a session at revision 0 with the table's parameters and an id of 22 safe characters")
  func create() throws {
    let house = House()
    let opened = try #require(try house.create().value).get()
    #expect(opened.isNew && !opened.answer.isAccepted)
    #expect(opened.answer.revision == 0 && opened.answer.changes.isEmpty)
    #expect(opened.id.count == 22)
    #expect(opened.id.string.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-_".contains($0)) })
    #expect(
      try house.registry.session(opened.id).text().contains(#""params":{"topic":"swift"},"revision":0"#))
    #expect(try #require(try house.create().value).get().id != opened.id)
  }

  @Test("A wrong table or parameter is refused, and makes nothing")
  func refusals() throws {
    let house = House()
    #expect(try house.create("nope").failure().name == "unknownTable")
    #expect(try house.create(params: #"{"other":"x"}"#).failure().name == "invalid-body")
    #expect(try house.create(params: #"{"topic":"123456789"}"#).failure().name == "invalid-body")
    #expect(try house.open("a", params: #"{"topic":7}"#).failure().name == "invalid-body")
    #expect(house.registry.count == 0)
  }

  @Test("load:true answers when the first page is there, and at once where the caller does not wait")
  func loads() throws {
    let house = House()
    let waiting = try house.create(loads: true)
    #expect(!waiting.isKept)
    house.source.release(ids: ["a", "b"], hasNext: true)
    let opened = try #require(waiting.value).get()
    #expect(opened.isNew && !opened.answer.isAccepted)
    #expect(revisions(opened.answer.changes) == [1, 2])
    #expect(opened.answer.changes.map { member("cause", of: $0) } == [#""load""#, #""load""#])

    let hasty = try #require(try house.create(loads: true, wait: 0).value).get()
    #expect(hasty.isNew && hasty.answer.isAccepted)
    #expect(revisions(hasty.answer.changes) == [1])

    let client = try #require(try house.create("notes", loads: true).value).get()
    #expect(client.isNew && client.answer.isAccepted && revisions(client.answer.changes) == [1])
  }

  @Test("PUT opens a session that has outlived its table, by the table's name and the session's parameters")
  func leftover() throws {
    let house = House()
    let made = try #require(try house.open("mine", params: #"{"topic":"a"}"#).value).get()
    house.registry.tables = TableCatalog([])
    for params in [#"{"topic":"a"}"#, nil] {
      let opened = try #require(try house.open("mine", params: params).value).get()
      #expect(!opened.isNew && opened.answer.revision == made.answer.revision)
    }
    #expect(try house.open("mine", params: #"{"topic":"b"}"#).failure().name == "exists")
    #expect(try house.open("mine", params: #"{"other":"a"}"#).failure().name == "invalid-body")
    #expect(try house.open("other").failure().name == "unknownTable")
  }

  @Test("PUT makes a session at the time in milliseconds, and then opens it")
  func put() throws {
    let house = House()
    let made = try #require(try house.open("mine", params: #"{"topic":"a"}"#).value).get()
    #expect(made.isNew && made.answer.revision == house.world.now)
    try house.registry.session("mine").add("x")
    let opened = try #require(try house.open("mine", params: #"{"topic":"a"}"#, loads: true).value).get()
    #expect(!opened.isNew && opened.answer.revision == house.world.now + 1 && opened.answer.changes.isEmpty)
    #expect(house.source.requests.isEmpty, "what is there is given as it is")

    let other = try house.open("mine", params: #"{"topic":"b"}"#).failure()
    #expect(other.name == "exists" && other.revision == house.world.now + 1)
    #expect(try house.open("mine").failure().name == "exists", "left out means the default, which differs")
    #expect(try house.open("mine", "notes").failure().name == "exists")
  }

  @Test("PUT makes an ended id anew, above its earlier life even where the clock was set back")
  func anew() throws {
    let house = House()
    let start = house.world.now
    _ = try house.open("mine")
    for number in 1...3 { try house.registry.session("mine").add("\(number)") }
    try house.registry.end("mine")
    #expect(throws: SessionFailure.self) { try house.registry.session("mine") }
    let second = try #require(try house.open("mine").value).get()
    #expect(
      second.isNew && second.answer.revision == start + 4 && second.answer.snapshot?.version.itemCount == 0)

    try house.registry.end("mine")
    house.world.setClock(start - 3_600_000)
    #expect(try #require(try house.open("mine").value).get().answer.revision == start + 5)
    try house.registry.end("mine")
    house.world.setClock(start + 10_000)
    #expect(try #require(try house.open("mine").value).get().answer.revision == start + 10_000)
  }

  @Test("Of many PUTs of one id at once, one makes it and the others open it")
  func manyPuts() throws {
    let house = House()
    for round in 0..<200 {
      let made = Atomic<Int>(0)
      let opened = Atomic<Int>(0)
      try onThreads(4) { _ in
        house.registry.open(
          Bytes("id\(round)"),
          CreationRequest(body: .success(.init(table: "notes", params: nil, loads: false)))
        ) {
          if case .success(let session) = $0 {
            if session.isNew { made.add(1, ordering: .relaxed) } else { opened.add(1, ordering: .relaxed) }
          }
        }
      }
      #expect(made.load(ordering: .relaxed) == 1 && opened.load(ordering: .relaxed) == 3)
    }
  }

  @Test("limits.sessions bounds them; ended and expired ones make room")
  func limit() throws {
    var limits = SessionLimits()
    limits.sessions = 2
    let house = House(limits: limits)
    let first = try house.session()
    _ = try house.session()
    #expect(try house.create().failure().name == "tooManySessions")
    #expect(try house.open("a").failure().name == "tooManySessions")
    try house.registry.end(first.id)
    _ = try house.session()
    house.world.advance(seconds: 60)
    #expect(try house.create().value?.get().isNew == true)
  }

  @Test("While the server drains, sessions are opened but none is made")
  func draining() throws {
    let house = House()
    _ = try house.open("mine")
    house.registry.drain()
    #expect(try house.create().failure().name == "draining")
    #expect(try house.open("other").failure().name == "draining")
    #expect(try house.open("mine").value?.get().isNew == false)
  }
}

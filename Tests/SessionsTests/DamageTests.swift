import Foundation
import JSONText
import ListModel
import Sessions
import TestSupport
import Testing

/// Sessions of which a store has what no list has written.
@Suite("A damaged session")
struct DamageTests {
  let store = ScriptedStore()
  let world = FakeWorld()

  private func start() -> House { House(store: store, world: world) }

  /// A session `mine` with three rows of which each has come by a change, the middle one selected.
  private func make() throws -> StoredState {
    let house = start()
    _ = try #require(house.open("mine", "notes").value).get()
    let session = try house.find("mine")
    for id in ["a", "b", "c"] { try session.add(id) }
    _ = try session.send(.select, #"{"id":"b"}"#, tag: "mark").answer()
    let version = try session.read().version
    return StoredState(
      revision: version.revision, state: version.state, itemCount: version.itemCount, touched: world.now)
  }

  struct Damage: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable (inout StoredSession) -> Void

    init(_ name: String, _ make: @escaping @Sendable (inout StoredSession) -> Void) {
      testDescription = name
      self.make = make
    }

    /// Puts one text in the place of another in a change.
    static func text(_ change: Int, _ old: String, _ new: String) -> Damage {
      Damage("change \(change): \(old) is \(new)") { stored in
        let text = stored.changes[change].text.string
        if text.contains(old) {
          stored.changes[change].text = Bytes(text.replacingOccurrences(of: old, with: new))
        }
      }
    }

    static func delta(_ new: String) -> Damage {
      Damage("delta \(new)") { $0.changes[2].delta = Bytes(new) }
    }
  }

  static let damages: [Damage] =
    [
      (0, #""itemCount":1"#, #""itemCount":77"#), (1, #""rowCount":3"#, #""rowCount":4"#),
      (2, #""itemCount":3,"rowCount":4"#, #""itemCount":4,"rowCount":5"#),
      (0, #""state":"populated""#, #""state":"zzz""#), (1, #""loading":null"#, #""loading":"banana""#),
      (1, #""loading":null"#, #""loading":"load""#), (2, #""error":null"#, #""error":5"#),
      (2, #""error":null"#, #""error":{"type":"/problems/x"}"#), (3, #","hasNext":false"#, ""),
      (1, #""hasNext":false"#, #""hasNext":0"#), (3, #""selected":"b""#, #""selected":"nope""#),
      (3, #""selected":"b""#, #""selected":null,"more":1"#), (3, #""tag":"mark""#, #""tag":"a b""#),
      (3, #""tag":"mark""#, #""tag":"""#), (3, #""tag":"mark""#, #""tag":4"#),
      (0, #""cause":"insert""#, #""cause":"magic""#), (1, #""to":1"#, #""to":2"#),
      (1, #""to":1"#, #""to":9223372036854775807"#),
      (1, #""to":1"#, #""to":-1"#), (1, #""op":"insert""#, #""op":"upsert""#),
      (1, #""id":"b""#, #""id":"a""#),
      (1, #""id":"b""#, #""id":7"#), (1, #""data":{}"#, #""data":{},"more":1"#),
      (1, #""data":{}"#, #""data":{"x"}"#),
      (1, #""data":{}"#, "\"data\":\"\u{0}\""), (1, #""data":{}"#, #""data":{"a":1,"a":2}"#),
      (1, #""data":{}"#, #""data":"\ud800""#), (2, #""ops":["#, #""ops":[7,"#), (0, "{", "["),
    ].map(Damage.text) + [
      .delta(""), .delta("{}"), .delta("7"), .delta(#"{"generation":-1}"#),
      .delta(#"{"generation":9223372036854775807}"#),
      .delta(#"{"generation":0,"more":1}"#), .delta(#"{"generation":0,"loadedPages":9007199254740992}"#),
      .delta(#"{"generation":0,"place":{"read":-1,"pages":0}}"#),
      .delta(
        #"{"generation":0,"failed":{"kind":"load","place":{"read":0,"pages":0},"emptyPages":0,"pagesAtMost":1}}"#
      ),
      Damage("a byte that is no UTF-8") { stored in
        var text = stored.changes[0].text.array
        text[text.count - 20] = 0xFF
        stored.changes[0].text = Bytes(text)
      },
      Damage("a change is missing") { $0.changes.remove(at: 1) },
      Damage("a change comes twice") { $0.changes.insert($0.changes[1], at: 1) },
      Damage("a change under another revision") { $0.changes[0].text = $0.changes[1].text },
      Damage("no list") { $0.snapshot = "{" },
      Damage("another list") {
        $0.snapshot = Bytes($0.snapshot.string.replacingOccurrences(of: "{}", with: #"{"a":1}"#))
      },
      Damage("more in the list") { $0.snapshot = Bytes($0.snapshot.string.dropLast() + #","x":1}"#) },
      Damage("a list of another revision") { $0.snapshotRevision += 1 },
      Damage("the greatest revision") { $0.state.revision = .max },
      Damage("a revision below all") { $0.state.revision = .min },
      Damage("the greatest first revision") { $0.head.firstRevision = .max },
      Damage("the greatest time") { $0.head.created = .max },
      Damage("a time before all") { $0.state.touched = .min },
      Damage("the greatest sequence") { $0.head.sequence = .max },
      Damage("another number of items") { $0.state.itemCount += 1 },
      Damage("another state") { $0.state.state = "empty" },
      Damage("no table") { $0.head.table = "" },
      Damage("a table that is no text") { $0.head.table = Bytes([0xFF]) },
      Damage("all revisions at the end") { stored in
        let shift = Int.max - stored.state.revision
        stored.state.revision += shift
        for index in stored.changes.indices { stored.changes[index].revision += shift }
      },
    ]

  @Test("is a problem and not an answer, can be ended, and hinders no other", arguments: damages)
  func damaged(_ damage: Damage) throws {
    let before = try make()
    let other = try start().session("notes")
    try other.add("x")
    store.damage("mine", damage.make)
    let house = start()
    let failure = try #require(house.look(for: "mine").value)
    guard case .failure(.store(let reason, false)) = failure, case .damaged = reason.code else {
      Issue.record("it was \(failure.name)")
      return
    }
    #expect(try #require(house.open("mine", "notes").value).name == "store")
    #expect(try house.find(other.id).add("y").revision == 2)
    #expect(house.registry.list(after: nil, limit: 10).sessions.contains { $0.id == other.id })
    let ended = Promise<String?>()
    house.registry.end("mine", .revisions([1])) { ended.keep($0.map { "\($0)" }) }
    #expect(ended.value == "revisionMismatch")
    let endedNow = Promise<Bool>()
    house.registry.end("mine") { endedNow.keep($0 == nil) }
    #expect(endedNow.value == true && house.registry.count == 1)
    #expect(house.look(for: "mine").value?.name == "ended")
    #expect(start().look(for: "mine").value?.name == "ended")
    let again = try #require(house.open("mine", "notes").value).get()
    #expect(again.isNew && again.answer.revision > before.revision - 4)
    #expect(try house.find("mine").add("a").revision == again.answer.revision + 1)
  }

  @Test("is found among the changes before its last saved list too", arguments: damages.prefix(28))
  func olderChanges(_ damage: Damage) throws {
    _ = try make()
    // The list is saved as it is after all changes, which stay for those who ask for them.
    store.damage("mine") { stored in
      guard var list = try? ListState(saved: stored.snapshot, rules: ListRules(look: TableLook())) else {
        return
      }
      for change in stored.changes {
        do { try list.replay(change.text, delta: change.delta) } catch { Issue.record(error) }
      }
      stored.snapshot = list.saved()
      stored.snapshotRevision = list.revision
    }
    #expect(
      try revisions(#require(start().find("mine").poll(after: world.now).value).get().changes).count == 4)
    let texts = Promise<([Bytes], [Bytes])>()
    store.damage("mine") { stored in
      let before = stored.changes.map(\.text)
      damage.make(&stored)
      texts.keep((before, stored.changes.map(\.text)))
    }
    let (before, after) = try #require(texts.value)
    #expect(before != after)
    // Which row it was cannot be told any more, nor where it went among the others, nor what was in flight.
    let untold = [#"is "id":"a""#, #"is "to":2"#, #"is "loading":"load""#]
    guard !untold.contains(where: { damage.testDescription.hasSuffix($0) }) else { return }
    #expect(start().look(for: "mine").value?.name == "store")
  }

  @Test("A record that is damaged lets no command be done twice")
  func records() throws {
    let first = start()
    let created = try #require(first.create("notes", key: "c").value).get()
    try first.find(created.id).add("a", key: "k")
    for answer: Bytes in [
      "", "{", "{}", "7", #"{"accepted":false,"revision":9223372036854775807,"changes":[]}"#,
    ] {
      store.damageRecords { $0.answer = answer }
      let house = start()
      let session = try house.find(created.id)
      #expect(try session.begin("a", key: "k").failure().name == "store", "\(answer)")
      #expect(try #require(house.create("notes", key: "c").value).name == "store", "\(answer)")
      #expect(try session.read().version.revision == 1)
    }
  }

  @Test("Reading a session of 1,000 items and 1,000 changes back takes some milliseconds")
  func cost() throws {
    let house = start()
    _ = try #require(house.open("mine", "notes").value).get()
    let session = try house.find("mine")
    let rows = (0..<1000).map { #"{"id":"i\#($0)","data":{"title":"Row \#($0)","read":false}}"# }
    _ = try session.send(.insert, #"{"rows":[\#(rows.joined(separator: ","))]}"#).answer()
    for number in 1..<1000 {
      _ = try session.send(.update, #"{"rows":[{"id":"i\#(number)","merge":{"read":true}}]}"#).answer()
    }
    let times = try (0..<9).map { _ -> Duration in
      let house = start()
      return try ContinuousClock().measure { _ = try house.find("mine") }
    }
    let best = try #require(times.min())
    print("reading back 1,000 items and 1,000 changes: \(times.sorted())")
    // About 5 on a quiet machine; a check that grows with the square of anything takes seconds.
    #expect(best < .milliseconds(60), "\(times)")
  }
}

import Foundation
import JSONText
import ListModel
import Sessions
import SourceContract
import Synchronization
import Testing
import Upstream

/// Two clients of one session do what they like while pages are held, come late, fail, or never matter any more.
///
/// Every answer, each client's own copy and a plain model have to agree, step by step. A failure names its seed.
@Suite(.timeLimit(.minutes(2)))
struct RaceTests {
  @Test("Any interleaving leaves everyone with the same list", arguments: 0..<10)
  func interleavings(block: Int) throws {
    for seed in (block * 50)..<(block * 50 + 50) {
      var race = try Race(seed: UInt64(seed))
      try race.run(steps: 40)
    }
  }
}

/// One race.
private struct Race {
  private let seed: UInt64
  private var random: Seeded
  private let source = HeldSource()
  private let registry: SessionRegistry
  private let session: Session
  private var model = ListModelOfOne()
  private let clients = [Follower(), Follower()]
  private var trail: [String] = []

  init(seed: UInt64) throws {
    self.seed = seed
    random = Seeded(seed: seed)
    let source = source
    let table = TableDefinition(
      name: "t", title: "T", source: .http(HTTPDefinition(url: Template("http://h"))), pageSize: 3,
      look: TableLook())
    let clock = Counter()
    let encoding = FeedEncoding(
      change: { change, _ in change.text.array }, snapshot: { _ in Array("snapshot".utf8) },
      end: { Array("end \($0.rawValue)".utf8) })
    registry = SessionRegistry(
      tables: TableCatalog([table]), sources: { _ in source }, encoding: encoding, observer: Nobody(),
      world: World(
        now: {
          clock.add(); return clock.count
        }, schedule: { _, _ in {} },
        random: { (UInt64(clock.count), seed) }))
    let made = Box<Bytes>()
    registry.create(CreationRequest(body: .success(.init(table: "t", params: nil, loads: false)))) {
      made.value = try? $0.get().id
    }
    session = try registry.session(#require(made.value))
    for client in clients { try session.subscribe(after: 0, .ops) { _ in client } }
  }

  mutating func run(steps: Int) throws {
    for _ in 0..<steps {
      let client = Int.random(in: 0..<2, using: &random)
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<12: command(client, .load, nil) { $0.load() }
      case 12..<20: command(client, .refresh, nil) { $0.refresh(immediately: false) }
      case 20..<25: command(client, .refresh, #"{"immediately":true}"#) { $0.refresh(immediately: true) }
      case 25..<42: command(client, .loadMore, nil) { $0.loadMore() }
      case 42..<56: insert(client)
      case 56..<68: delete(client)
      case 68..<72: model.upstream.change(&random)
      case 72..<99: release()
      default:
        if Int.random(in: 0..<3, using: &random) == 0 {
          end()
          return
        }
      }
      try check()
    }
    while !source.held.isEmpty {
      release()
      try check()
    }
  }

  private mutating func command(
    _ client: Int, _ name: CommandName, _ body: String?, _ expected: (inout ListModelOfOne) -> Bool
  ) {
    trail.append("\(client): \(name.rawValue) \(body ?? "")")
    let isTaken = expected(&model)
    let refused = Box<Bool>()
    let json = body.map { JSONValue(trusted: Bytes($0)) }
    session.perform(name, .success(json), CommandRequest(waitSeconds: 0)) { result in
      if case .failure = result { refused.value = true }
    }
    #expect(refused.value == (isTaken ? nil : true), "\(story)")
  }

  private mutating func insert(_ client: Int) {
    var id = "c\(trail.count)"
    if Int.random(in: 0..<4, using: &random) == 0 { id = "u\(Int.random(in: 0..<14, using: &random))" }
    let index = Int.random(in: 0...model.items.count, using: &random)
    let row = Entry(id: id, name: "client \(trail.count)")
    command(client, .insert, #"{"rows":[{"id":"\#(id)","data":{"name":"\#(row.name)"}}],"at":\#(index)}"#) {
      $0.insert(row, at: index)
    }
  }

  private mutating func delete(_ client: Int) {
    guard let entry = model.items.randomElement(using: &random) else { return }
    command(client, .delete, #"{"ids":["\#(entry.id)"]}"#) { $0.delete(entry.id) }
  }

  /// Lets one of the held pages come, the newest or a stale one, or fail.
  private mutating func release() {
    guard let index = source.held.indices.randomElement(using: &random) else { return }
    let held = source.take(index)
    let generation = held.request.line?.generation ?? 0
    let fails = Int.random(in: 0..<5, using: &random) == 0
    trail.append("page of \(generation)\(fails ? " fails" : "")")
    if fails {
      model.fail(generation)
      held.completion(.failure(UpstreamFailure(.timeout, detail: "late")))
    } else {
      let page = model.upstream.page(at: held.request.place)
      model.arrive(generation, page.entries, hasNext: page.page.hasNext)
      held.completion(.success(page.page))
    }
  }

  /// The session is deleted: clients are told, and pages that still come change nothing.
  private mutating func end() {
    trail.append("delete session")
    let story = story
    registry.end(session.id) { failure in if let failure { Issue.record("\(failure) \(story)") } }
    let before = clients.map(\.log.count)
    while !source.held.isEmpty { source.take(0).completion(.success(model.upstream.page(at: .top).page)) }
    for (client, count) in zip(clients, before) {
      #expect(client.log.count == count, "\(story)")
      #expect(client.log.last == "end deleted", "\(story)")
    }
  }

  private func check() throws {
    let text = try session.document().text
    let document = try #require(JSONSerialization.jsonObject(with: Data(text)) as? [String: Any])
    let rows = try #require(document["rows"] as? [[String: Any]])
    let items = rows.dropLast().map {
      Entry(id: $0["id"] as? String ?? "", name: ($0["data"] as? [String: Any])?["name"] as? String ?? "")
    }
    try #require(items == model.items, "\(story)")
    #expect(document["hasNext"] as? Bool == model.hasNext, "\(story)")
    #expect(document["loading"] as? String == model.fetch?.kind, "\(story)")
    #expect((document["error"] is NSNull) == !model.hasFailed, "\(story)")
    for client in clients {
      try client.catchUp()
      #expect(client.revision == document["revision"] as? Int, "\(story)")
      #expect(client.rows.map(\.id) == rows.map { $0["id"] as? String ?? "placeholder" }, "\(story)")
      #expect(client.rows.dropLast().map(\.name) == items.map(\.name), "\(story)")
    }
  }

  private var story: String { "seed \(seed): \(trail.joined(separator: "; "))" }
}

private struct Entry: Equatable {
  var id: String
  var name: String
}

/// The upstream: a list that changes when nobody looks.
private struct Upstream {
  var entries = (0..<10).map { Entry(id: "u\($0)", name: "first \($0)") }
  private var changes = 0

  mutating func change(_ random: inout Seeded) {
    changes += 1
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      if let index = entries.indices.randomElement(using: &random) {
        entries[index].name = "changed \(changes)"
      }
    case 1:
      if entries.count > 3, let index = entries.indices.randomElement(using: &random) {
        entries.remove(at: index)
      }
    default: entries.shuffle(using: &random)
    }
  }

  /// Three at a time.
  func page(at place: Place) -> (page: Page, entries: [Entry]) {
    let taken = Array(entries.dropFirst(place.read).prefix(3))
    var storage = ItemStorage()
    for entry in taken {
      storage.add(
        id: Bytes(entry.id), cell: "Cell", data: JSONValue(trusted: Bytes(#"{"name":"\#(entry.name)"}"#)))
    }
    let next = Place(read: place.read + taken.count, pages: place.pages + 1)
    return (
      Page(items: storage.items(), hasNext: next.read < entries.count && !taken.isEmpty, next: next), taken
    )
  }
}

/// What protocol §7 says of one list, in plain arrays.
private struct ListModelOfOne {
  struct Fetch {
    var kind: String
    var generation: Int
    var inserted: Set<String> = []
    var deleted: Set<String> = []
  }

  var upstream = Upstream()
  var items: [Entry] = []
  var hasNext = false
  var hasFailed = false
  var fetch: Fetch?
  private var isLoaded = false
  private var generation = 0

  private mutating func start(_ kind: String) {
    generation += 1
    hasFailed = false
    fetch = Fetch(kind: kind, generation: generation)
  }

  mutating func load() -> Bool {
    if let fetch, fetch.kind != "load-more" { return true }
    if isLoaded { return true }
    if fetch != nil { return false }
    start("load")
    return true
  }

  mutating func refresh(immediately: Bool) -> Bool {
    if immediately {
      items = []
      hasNext = false
      isLoaded = false
    }
    start("refresh")
    return true
  }

  mutating func loadMore() -> Bool {
    if let fetch { return fetch.kind == "load-more" }
    if hasNext { start("load-more") }
    return true
  }

  mutating func insert(_ entry: Entry, at index: Int) -> Bool {
    guard !items.contains(where: { $0.id == entry.id }) else { return false }
    items.insert(entry, at: index)
    fetch?.inserted.insert(entry.id)
    fetch?.deleted.remove(entry.id)
    return true
  }

  mutating func delete(_ id: String) -> Bool {
    items.removeAll { $0.id == id }
    fetch?.inserted.remove(id)
    fetch?.deleted.insert(id)
    return true
  }

  mutating func fail(_ generation: Int) {
    guard fetch?.generation == generation else { return }
    fetch = nil
    hasFailed = true
  }

  mutating func arrive(_ generation: Int, _ page: [Entry], hasNext more: Bool) {
    guard let fetch, fetch.generation == generation else { return }
    self.fetch = nil
    hasNext = more
    if fetch.kind != "load-more" { isLoaded = true }
    if fetch.kind == "refresh" {
      var new = page.filter { !fetch.deleted.contains($0.id) && !fetch.inserted.contains($0.id) }
      for (index, entry) in items.enumerated() where fetch.inserted.contains(entry.id) {
        new.insert(entry, at: min(index, new.count))
      }
      items = new
      return
    }
    for entry in page where !fetch.deleted.contains(entry.id) {
      if let index = items.firstIndex(where: { $0.id == entry.id }) {
        if !fetch.inserted.contains(entry.id) { items[index] = entry }
      } else {
        items.append(entry)
      }
    }
  }
}

/// A source whose pages come when the race says so.
private final class HeldSource: PageSource {
  struct Held: Sendable {
    let request: PageRequest
    let completion: @Sendable (Result<Page, UpstreamFailure>) -> Void
  }

  private let all = Mutex<[Held]>([])

  var held: [Held] { all.withLock { $0 } }

  func read(_ request: PageRequest, completion: @escaping @Sendable (Result<Page, UpstreamFailure>) -> Void) {
    all.withLock { $0.append(Held(request: request, completion: completion)) }
  }

  func take(_ index: Int) -> Held { all.withLock { $0.remove(at: index) } }
}

/// A client that has nothing but the ops of the feed (protocol §4).
private final class Follower: FeedSink {
  struct Row {
    var id: String
    var name: String
  }

  private struct State {
    var frames: [String] = []
    var next = 0
    var rows = [Row(id: "placeholder", name: "")]
    var revision = 0
  }

  private let state = Mutex(State())

  var log: [String] { state.withLock { $0.frames } }
  var rows: [Row] { state.withLock { $0.rows } }
  var revision: Int { state.withLock { $0.revision } }

  func send(change frame: [UInt8]) { add(frame) }
  func begin(with frames: [UInt8]) { if !frames.isEmpty { add(frames) } }
  func finish(_ frame: [UInt8]) { add(frame) }

  private func add(_ frame: [UInt8]) {
    state.withLock { $0.frames.append(String(decoding: frame, as: UTF8.self)) }
  }

  func catchUp() throws {
    try state.withLock { state in
      while state.next < state.frames.count {
        let data = Data(state.frames[state.next].utf8)
        state.next += 1
        let change = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(change["revision"] as? Int == state.revision + 1)
        state.revision += 1
        Self.apply(change["ops"] as? [[String: Any]] ?? [], to: &state.rows)
      }
    }
  }

  private static func apply(_ ops: [[String: Any]], to rows: inout [Row]) {
    func number(_ op: [String: Any], _ key: String) -> Int { op[key] as? Int ?? -1 }
    func row(_ op: [String: Any]) -> Row {
      let row = op["row"] as? [String: Any] ?? [:]
      return Row(
        id: row["id"] as? String ?? "placeholder",
        name: (row["data"] as? [String: Any])?["name"] as? String ?? "")
    }
    let moves = ops.filter { $0["op"] as? String == "move" }
    let moved = moves.map { (to: number($0, "to"), row: rows[number($0, "from")]) }
    let inserted = ops.filter { $0["op"] as? String == "insert" }.map { (to: number($0, "to"), row: row($0)) }
    let out = ops.filter { ["delete", "move"].contains($0["op"] as? String) }.map { number($0, "from") }
    for index in out.sorted(by: >) { rows.remove(at: index) }
    for place in (moved + inserted).sorted(by: { $0.to < $1.to }) { rows.insert(place.row, at: place.to) }
    for op in ops where op["op"] as? String == "update" { rows[number(op, "to")] = row(op) }
  }
}

private struct Nobody: SessionObserver {
  func pageRead(table: Bytes, milliseconds: Int, leftOut: Int, failure: UpstreamFailure.Code?) {}
}

/// A value that a callback leaves behind.
private final class Box<Value: Sendable>: Sendable {
  private let stored = Mutex<Value?>(nil)

  var value: Value? {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}

/// SplitMix64: the same numbers for the same seed, everywhere.
private struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed &* 0x9E37_79B9 &+ 1 }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }
}

import Foundation
import JSONText
import ListModel
import Sessions
import SourceContract
import Synchronization
import Testing
import TestSupport

/// Two clients of one session do what they like while pages are held, come late, fail, or never matter any more.
///
/// Every answer, each client's own copy and a plain model have to agree, step by step. A failure names its seed.
@Suite(.timeLimit(.minutes(5)))
struct RaceTests {
  @Test("Any interleaving leaves everyone with the same list", arguments: 0..<10)
  func interleavings(block: Int) throws {
    var seen: Set<String> = []
    for seed in (block * 50)..<(block * 50 + 50) {
      var race = try Race(seed: UInt64(seed))
      try race.run(steps: 60)
      seen.formUnion(race.seen)
    }
    #expect(Race.rarities.subtracting(seen) == [], "the races do not meet these")
  }
}

/// One race.
private struct Race {
  private let seed: UInt64
  private var random: Seeded
  private let source = HeldSource()
  private let registry: SessionRegistry
  private let session: Session
  private var model = RaceModel()
  private let clients = [Follower(), Follower()]
  private var trail: [String] = []
  /// Empty pages that are still to come.
  private var emptyPages = 0
  /// What has happened that is rare.
  private(set) var seen: Set<String> = []

  /// What fifty races have to meet.
  static let rarities: Set<String> = [
    "a retry", "a joined retry", "a further page", "a tenth empty page", "a page that repeats", "items again",
    "a stale page", "an end",
  ]

  init(seed: UInt64) throws {
    self.seed = seed
    random = Seeded(seed)
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
      case 0..<8: command(client, .load, nil) { $0.load() }
      case 8..<24: refresh(client)
      case 24..<38: command(client, .loadMore, nil) { $0.loadMore() }
      case 38..<48: retry(client)
      case 48..<58: insert(client)
      case 58..<67: delete(client)
      case 67..<71: model.upstream.change(&random)
      case 71..<99: release()
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
    _ client: Int, _ name: CommandName, _ body: String?, _ expected: (inout RaceModel) -> Bool
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

  private mutating func refresh(_ client: Int) {
    let immediately = Int.random(in: 0..<4, using: &random) == 0
    let extents: [(String, RaceModel.Extent)] = [
      ("", .first), (#","pages":"loaded""#, .loaded), (#","pages":"loaded""#, .loaded),
      (#","through":"u7""#, .through("u7")),
    ]
    let (member, extent) = extents[Int.random(in: 0..<4, using: &random)]
    command(client, .refresh, #"{"immediately":\#(immediately)\#(member)}"#) {
      $0.refresh(immediately: immediately, extent)
    }
  }

  private mutating func retry(_ client: Int) {
    if model.fetch?.isRetry == true { seen.insert("a joined retry") }
    command(client, .retry, nil) { $0.retry() }
    if model.fetch?.isRetry == true { seen.insert("a retry") }
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
    let isStale = model.fetch?.generation != generation
    if isStale { seen.insert("a stale page") }
    if emptyPages == 0, Int.random(in: 0..<5, using: &random) == 0 {
      trail.append("page of \(generation) fails")
      model.fail(generation)
      held.completion(.failure(UpstreamFailure(.timeout, detail: "late")))
      return
    }
    let manner = manner()
    trail.append("page of \(generation), \(manner)")
    let page = model.upstream.page(at: held.request.place, manner)
    model.arrive(generation, page)
    held.completion(.success(page.page))
    if !isStale { note(page) }
  }

  private mutating func manner() -> RaceUpstream.Manner {
    if emptyPages > 0 {
      emptyPages -= 1
      return .empty
    }
    switch Int.random(in: 0..<24, using: &random) {
    case 0...1: emptyPages = 12
    case 2...3: return .repeating
    case 4...7: return .fromTop
    case 8...9: break
    default: return .plain
    }
    return .empty
  }

  private mutating func note(_ page: RacePage) {
    if page.repeats { seen.insert("a page that repeats") }
    if !page.again.isEmpty { seen.insert("items again") }
    if model.fetch != nil, !page.entries.isEmpty { seen.insert("a further page") }
    if model.fetch == nil, page.entries.isEmpty, page.hasNext { seen.insert("a tenth empty page") }
  }

  /// The session is deleted: clients are told, and pages that still come change nothing.
  private mutating func end() {
    trail.append("delete session")
    seen.insert("an end")
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
    #expect(document["loading"] as? String == model.fetch?.reading.kind, "\(story)")
    #expect((document["error"] as? [String: Any])?["type"] as? String == model.error, "\(story)")
    for client in clients {
      try client.catchUp()
      #expect(client.revision == document["revision"] as? Int, "\(story)")
      #expect(client.rows.map(\.id) == rows.map { $0["id"] as? String ?? "placeholder" }, "\(story)")
      #expect(client.rows.dropLast().map(\.name) == items.map(\.name), "\(story)")
    }
  }

  private var story: String { "seed \(seed): \(trail.joined(separator: "; "))" }
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

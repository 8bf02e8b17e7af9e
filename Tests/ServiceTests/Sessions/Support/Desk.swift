import HTTP1
import JSONText
import ListModel
import Service
import Sessions
import Synchronization
import Testing

/// A service without sockets, in a world where time passes when the test says so.
final class Desk: Sendable {
  private struct State {
    var now = 1_700_000_000_000
    var timers: [(number: Int, due: Int, job: @Sendable () -> Void)] = []
    var scheduled = 0
    var random: UInt64 = 0
    var held: [@Sendable (Result<Page, UpstreamFailure>) -> Void] = []
  }

  /// Pages that come when the test releases them.
  private struct HeldSource: PageSource {
    let hold: @Sendable (@escaping @Sendable (Result<Page, UpstreamFailure>) -> Void) -> Void
    func read(_ request: PageRequest, completion: @escaping @Sendable (Result<Page, UpstreamFailure>) -> Void)
    {
      hold(completion)
    }
  }

  private struct Unobserved: SessionObserver {
    func pageRead(table: Bytes, milliseconds: Int, leftOut: Int, failure: UpstreamFailure.Code?) {}
  }

  private let state: SharedState
  let registry: SessionRegistry
  let service: Service

  /// A lock that closures can hold on to.
  private final class SharedState: Sendable {
    let mutex = Mutex(State())
  }

  init(
    _ tables: [TableDefinition] = [.notes, .articles], limits: SessionLimits = SessionLimits(),
    rules: AccessRules = AccessRules()
  ) {
    let state = SharedState()
    let source = HeldSource { completion in state.mutex.withLock { $0.held.append(completion) } }
    let now: @Sendable () -> Int = { state.mutex.withLock { $0.now } }
    self.state = state
    registry = SessionRegistry(
      tables: TableCatalog(tables),
      sources: { table in
        if case .client = table.source { nil } else { source }
      }, limits: limits, encoding: .serverSentEvents, observer: Unobserved(),
      world: World(
        now: now,
        schedule: { seconds, job in
          let number = state.mutex.withLock { state in
            state.scheduled += 1
            state.timers.append((state.scheduled, state.now + Int(seconds * 1000), job))
            return state.scheduled
          }
          return { state.mutex.withLock { $0.timers.removeAll { $0.number == number } } }
        },
        random: {
          state.mutex.withLock { state in
            state.random += 1
            return (state.random, 0)
          }
        }))
    service = Service(
      Service.Parts(
        registry: registry, rules: rules, metrics: Metrics(), log: Log(.text) { _ in }, now: now,
        facts: {
          ProcessFacts(
            started: 0, residentBytes: nil, sessions: 0, residentSessions: 0, packedSessions: 0,
            connections: 0)
        }))
  }

  // MARK: The world

  /// How many timers run.
  var timerCount: Int { state.mutex.withLock { $0.timers.count } }

  /// Lets time pass and fires what comes due.
  func advance(seconds: Int) {
    let goal = state.mutex.withLock { $0.now } + seconds * 1000
    while let timer = state.mutex.withLock({ state -> (@Sendable () -> Void)? in
      guard let index = state.timers.indices.min(by: { state.timers[$0].due < state.timers[$1].due }),
        state.timers[index].due <= goal
      else { return nil }
      let timer = state.timers.remove(at: index)
      state.now = max(state.now, timer.due)
      return timer.job
    }) { timer() }
    state.mutex.withLock { $0.now = goal }
  }

  /// Answers the read that waits longest with items of these ids.
  func release(ids: [String], hasNext: Bool = false) {
    var storage = ItemStorage()
    for id in ids { storage.add(id: Bytes(id), cell: "Cell", data: JSONValue(trusted: "{}")) }
    let page = Page(items: storage.items(), hasNext: hasNext, next: Place(read: ids.count, pages: 1))
    release(.success(page))
  }

  func release(_ result: Result<Page, UpstreamFailure>) {
    state.mutex.withLock { $0.held.removeFirst() }(result)
  }

  // MARK: Requests

  /// Sends a request; the answer may come later.
  func send(
    _ method: Method, _ target: String, _ body: String? = nil, _ fields: [(name: String, value: String)] = []
  ) -> RecordingExchange {
    let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    var fields = fields
    if body != nil, !fields.contains(where: { $0.name == "Content-Type" }) {
      fields.append(("Content-Type", "application/json"))
    }
    let request = Request(
      method: method, path: Array(parts[0].utf8), query: parts.count > 1 ? Array(parts[1].utf8) : nil,
      authority: Array("localhost".utf8), fields: HeaderFields(fields), body: Array((body ?? "").utf8))
    let exchange = RecordingExchange()
    service.handle(request, exchange)
    return exchange
  }

  /// Sends a request that is answered at once.
  @discardableResult
  func ask(
    _ method: Method, _ target: String, _ body: String? = nil, _ fields: [(name: String, value: String)] = [],
    at location: SourceLocation = #_sourceLocation
  ) throws -> Response {
    try #require(send(method, target, body, fields).response, "no answer yet", sourceLocation: location)
  }

  /// A new session of `notes` under an id, at revision `R`; gives its path.
  func notes(_ ids: [String] = []) throws -> String {
    try ask(.put, "/v1/sessions/n", #"{"table":"notes"}"#)
    if !ids.isEmpty {
      let rows = ids.map { #"{"id":"\#($0)","data":{}}"# }.joined(separator: ",")
      try ask(.post, "/v1/sessions/n/insert", #"{"rows":[\#(rows)]}"#)
    }
    return "/v1/sessions/n"
  }

  /// The first revision of a session made by PUT before time has passed.
  static let R = 1_700_000_000_000
}

extension Response {
  /// A member of the body, as it stands there.
  func member(_ path: String) -> String? {
    JSONPointer(Bytes(path)).flatMap { JSONValue(trusted: Bytes(text)).value(at: $0)?.text.string }
  }

  /// The revisions of the changes in the body.
  var revisions: [Int] {
    var revisions: [Int] = []
    JSONValue(trusted: Bytes(text)).member("changes")?.forEachElement { _, change in
      if let revision = change.member("revision")?.integer { revisions.append(revision) }
    }
    return revisions
  }
}

extension TableDefinition {
  /// A table whose rows clients give, with a state of its own and a cell that requires a title.
  static let notes = TableDefinition(
    name: "notes", title: "Notes", source: .client(timeoutSeconds: nil), pageSize: 20,
    look: TableLook(
      cells: ["Strict": CellDefinition(required: [("title", .string)])],
      states: [
        "maintenance": StateDefinition(showsItems: true, rows: [StatusRowTemplate(cell: "NoticeCell")])
      ],
      initialState: "empty", transitions: ["maintenance": ["populated"]]))

  /// A table that is read from the desk's source; its sessions end after a minute.
  static let articles = TableDefinition(
    name: "articles", title: "Articles",
    source: .file(FileDefinition(path: "/secret", items: JSONPointer(), id: JSONPointer(tokens: ["id"]))),
    params: [ParameterDefinition(name: "topic", defaultValue: "swift", maxLength: 8)], pageSize: 2,
    idleSeconds: 60,
    look: TableLook())
}

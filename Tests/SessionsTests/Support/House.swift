import JSONText
import ListModel
import Sessions
import Testing

/// A registry with a fake world and a scripted source, and short ways to use it.
final class House: Sendable {
  let world: FakeWorld
  let source = ScriptedSource()
  let registry: SessionRegistry

  /// - Parameters:
  ///   - store: where sessions are kept; nil: in memory alone.
  ///   - packing: how those that nobody uses are made small; nil: they are not.
  init(
    _ tables: [TableDefinition] = [.articles, .notes], limits: SessionLimits = SessionLimits(),
    store: ScriptedStore? = nil, packing: ScriptedPacking? = nil, world: FakeWorld = FakeWorld()
  ) {
    self.world = world
    let source = source
    registry = SessionRegistry(
      tables: TableCatalog(tables),
      sources: { table in
        if case .client = table.source { nil } else { source }
      }, limits: limits, encoding: .noted, observer: Unobserved(), world: world.world,
      store: store.map { ($0, .noted) }, packing: packing?.packing)
  }

  // MARK: Sessions

  @discardableResult
  func create(
    _ table: Bytes = "articles", params: String? = nil, loads: Bool = false, key: String? = nil,
    owner: Bytes = .empty, wait: Double = 30
  ) throws -> Promise<Result<OpenedSession, FailedAnswer>> {
    let promise = Promise<Result<OpenedSession, FailedAnswer>>()
    registry.create(try request(table, params, loads, key, owner, wait)) { promise.keep($0) }
    return promise
  }

  func open(
    _ id: Bytes, _ table: Bytes = "articles", params: String? = nil, loads: Bool = false, key: String? = nil
  ) throws -> Promise<Result<OpenedSession, FailedAnswer>> {
    let promise = Promise<Result<OpenedSession, FailedAnswer>>()
    registry.open(id, try request(table, params, loads, key, .empty, 30)) { promise.keep($0) }
    return promise
  }

  /// Asks for a session.
  func look(for id: Bytes) -> Promise<Result<Session, SessionFailure>> {
    let promise = Promise<Result<Session, SessionFailure>>()
    registry.session(id) { promise.keep($0) }
    return promise
  }

  /// A session that comes within the call.
  func find(_ id: Bytes) throws -> Session { try #require(look(for: id).value).get() }

  /// A new session.
  func session(_ table: Bytes = "articles") throws -> Session {
    try find(try #require(create(table).value).get().id)
  }

  /// A new session with a loaded page of these ids.
  func session(_ table: Bytes = "articles", loaded ids: [String], hasNext: Bool = false) throws -> Session {
    let promise = try create(table, loads: true)
    source.release(ids: ids, hasNext: hasNext)
    return try find(try #require(promise.value).get().id)
  }

  private func request(
    _ table: Bytes, _ params: String?, _ loads: Bool, _ key: String?, _ owner: Bytes, _ wait: Double
  ) throws -> CreationRequest {
    let body = CreationRequest.Body(
      table: table, params: try params.map { try JSONValue(parsing: Bytes($0)) }, loads: loads)
    let fingerprint = Bytes("\(table) \(params ?? "") \(loads)")
    return CreationRequest(
      body: .success(body),
      idempotency: key.map { (CommandRequest.Idempotency(key: Bytes($0), fingerprint: fingerprint), owner) },
      waitSeconds: wait)
  }
}

extension Session {
  /// Does a command.
  @discardableResult
  func send(
    _ name: CommandName, _ body: String = "{}", tag: Bytes? = nil, since: Int? = nil,
    ifMatch: CommandRequest.Condition? = nil, key: String? = nil, wait: Double = 30
  ) -> Promise<Result<CommandAnswer, FailedAnswer>> {
    let promise = Promise<Result<CommandAnswer, FailedAnswer>>()
    let request = CommandRequest(
      tag: tag, since: since, condition: ifMatch,
      idempotency: key.map {
        CommandRequest.Idempotency(key: Bytes($0), fingerprint: Bytes("\(name.rawValue) \(body)"))
      }, waitSeconds: wait)
    let json: Result<JSONValue?, SessionFailure>
    do throws(JSONError) {
      json = .success(try JSONValue(parsing: Bytes(body)))
    } catch {
      json = .failure(.body(error))
    }
    perform(name, json, request) { promise.keep($0) }
    return promise
  }

  /// Adds an item with this id.
  @discardableResult
  func add(_ id: String, key: String? = nil) throws -> CommandAnswer {
    try #require(send(.insert, #"{"rows":[{"id":"\#(id)","data":{}}]}"#, key: key).value).get()
  }

  /// Asks for changes.
  func poll(after since: Int, wait: Int = 0) -> Promise<Result<ChangePage, FailedAnswer>> {
    let promise = Promise<Result<ChangePage, FailedAnswer>>()
    changes(after: since, waitSeconds: wait) { promise.keep($0) }
    return promise
  }

  /// Opens a stream.
  func stream(
    after since: Int? = nil, _ format: FeedEncoding.Format = .ops
  ) throws(SessionFailure) -> (sink: FakeSink, close: @Sendable () -> Void) {
    let sink = FakeSink()
    let closing = Promise<@Sendable () -> Void>()
    try subscribe(after: since, format) { ended in
      closing.keep(ended)
      return sink
    }
    return (sink, { closing.value?() })
  }

  /// The present list as text.
  func text() throws -> String {
    String(decoding: try read().document(), as: UTF8.self)
  }
}

extension Promise {
  /// The answer to a command that was done.
  func answer() throws -> CommandAnswer where Value == Result<CommandAnswer, FailedAnswer> {
    try #require(value, "no answer yet").get()
  }

  /// Why the request was not done.
  func failure<T>() throws -> FailedAnswer where Value == Result<T, FailedAnswer> {
    guard case .failure(let failure) = try #require(value, "no answer yet") else {
      throw Unexpected("it was done")
    }
    return failure
  }
}

struct Unexpected: Error {
  let what: String
  init(_ what: String) { self.what = what }
}

/// The revisions of changes.
func revisions(_ changes: [Bytes]) -> [Int] {
  changes.compactMap { JSONValue(trusted: $0).member("revision")?.integer }
}

/// A member of a change.
func member(_ name: Bytes, of change: Bytes) -> String? {
  JSONValue(trusted: change).member(name)?.text.string
}

extension FailedAnswer {
  /// The failure's case, and the code of a refusal.
  var name: String {
    if case .refused(let refusal) = failure { return refusal.code.rawValue }
    return String("\(failure)".prefix { $0 != "(" })
  }
}

struct Unobserved: SessionObserver {
  func pageRead(table: Bytes, milliseconds: Int, leftOut: Int, failure: UpstreamFailure.Code?) {}
}

extension TableDefinition {
  private static let file = SourceDefinition.file(
    FileDefinition(path: "/dev/null", items: JSONPointer(), id: JSONPointer(tokens: ["id"])))

  /// A table that is read from the scripted source; sessions end after a minute.
  static let articles = TableDefinition(
    name: "articles", title: "Articles", source: file,
    params: [ParameterDefinition(name: "topic", defaultValue: "swift", maxLength: 8)], pageSize: 2,
    idleSeconds: 60,
    look: TableLook())

  /// A table whose rows clients give, within five seconds; sessions do not end.
  static let notes = TableDefinition(
    name: "notes", title: "Notes", source: .client(timeoutSeconds: 5), look: TableLook(initialState: "empty"))

  func with(_ change: (inout TableDefinition) -> Void) -> TableDefinition {
    var table = self
    change(&table)
    return table
  }
}

extension SessionRegistry {
  /// Ends a session, which is known to end or not within the call: there is no store.
  func end(_ id: Bytes, _ condition: CommandRequest.Condition? = nil) throws {
    let promise = Promise<SessionFailure?>()
    end(id, condition) { promise.keep($0) }
    if let failure = try #require(promise.value) { throw failure }
  }

  /// A page of the list of sessions, which comes within the call: there is no store.
  func list(after cursor: Int?, limit: Int) -> (sessions: [SessionSummary], next: Int?) {
    let promise = Promise<Result<SessionPage, SessionFailure>>()
    list(after: cursor, limit: limit) { promise.keep($0) }
    guard case .success(let page) = promise.value else { return ([], nil) }
    return (page.sessions, page.next)
  }
}

extension Result {
  /// The name of the failure; nil where there is none.
  var name: String? {
    switch self {
    case .success: nil
    case .failure(let failed as FailedAnswer): failed.name
    case .failure(let failure): String("\(failure)".prefix { $0 != "(" })
    }
  }
}

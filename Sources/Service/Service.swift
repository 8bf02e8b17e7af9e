import Glibc
import HTTP1
import JSONText
import ListModel
import Sessions
import Synchronization

/// The service behind the sockets: a request value in, an answer out through its exchange.
///
/// It knows HTTP, problems and representations; what a list does is decided in `Sessions` and `ListModel`.
public final class Service: RequestHandler {
  /// What a service is made of.
  public struct Parts: Sendable {
    /// The sessions.
    public var registry: SessionRegistry
    /// Who may ask.
    public var rules: AccessRules
    /// What is counted.
    public var metrics: Metrics
    /// Where answered requests are written down.
    public var log: Log
    /// The time in milliseconds since 1970.
    public var now: @Sendable () -> Int
    /// What only the process can tell.
    public var facts: @Sendable () -> ProcessFacts
    /// `limits.streamBufferBytes`: how far a stream's reader may fall behind.
    public var streamBufferBytes: Int

    /// These parts.
    public init(
      registry: SessionRegistry, rules: AccessRules, metrics: Metrics, log: Log,
      now: @escaping @Sendable () -> Int,
      facts: @escaping @Sendable () -> ProcessFacts, streamBufferBytes: Int = 1_048_576
    ) {
      self.streamBufferBytes = streamBufferBytes
      self.facts = facts
      self.registry = registry
      self.rules = rules
      self.metrics = metrics
      self.log = log
      self.now = now
    }
  }

  let registry: SessionRegistry
  let metrics: Metrics
  let log: Log
  let now: @Sendable () -> Int
  private let facts: @Sendable () -> ProcessFacts
  let streamLimits: StreamLimits
  private let gate: Gate
  private let pages = Pages()
  private let draining = Atomic<Bool>(false)

  /// A service of these parts.
  public init(_ parts: Parts) {
    registry = parts.registry
    metrics = parts.metrics
    log = parts.log
    now = parts.now
    facts = parts.facts
    streamLimits = StreamLimits(changeFeed: parts.streamBufferBytes)
    gate = Gate(rules: parts.rules)
  }

  /// Answers whoever waits, refuses new sessions and says so in `/readyz`.
  public func drain() {
    draining.store(true, ordering: .relaxed)
    registry.drain()
  }

  // MARK: RequestHandler

  /// Answers a request, now or when what it waits for has come.
  public func handle(_ request: Request, _ exchange: any Exchange) {
    let start = monotonicNanoseconds()
    switch gate.admit(request) {
    case .answered(let response, let kind):
      let call = Call(self, request, exchange, route: nil, kind: kind, crossOrigin: .none, start: start)
      call.respond(response)
    case .admitted(let admission):
      let call = Call(
        self, request, exchange, route: admission.route, kind: admission.route.kind,
        crossOrigin: admission.crossOrigin, start: start)
      do throws(Problem) {
        try answer(call, admission)
      } catch {
        call.respond(error)
      }
    }
  }

  /// The answer to bytes that are no request.
  public func response(to failure: RequestFailure) -> Response {
    let response = Problem(failure).response()
    log.request(
      RequestLine(
        time: now(), method: nil, path: [], status: response.status, bytes: response.body.count,
        nanoseconds: 0))
    return response
  }

  // MARK: Routes

  private func answer(_ call: Call, _ admission: Admission) throws(Problem) {
    switch admission.route {
    case .index: call.respond(try BrowserClient.page(for: call.request))
    case .library: call.respond(try BrowserClient.library(for: call.request))
    case .client(let version, let file):
      call.respond(try BrowserClient.file(file, of: version, for: call.request))
    case .openAPI: call.respond(pages.openAPI.response(to: call.request))
    case .problem(let slug): call.respond(try pages.problem(slug).response(to: call.request))
    case .healthz: call.respond(.json(Array("{\"status\":\"ok\"}".utf8)))
    case .readyz:
      if draining.load(ordering: .relaxed) { throw Problem(.draining) }
      guard registry.isWritable else {
        throw Problem(.storeUnavailable, detail: "what is decided cannot be stored now; reading goes on")
      }
      call.respond(.json(Array("{\"status\":\"ready\"}".utf8)))
    case .metrics: call.respond(metrics.response(facts()))
    case .tables: try tables(call)
    case .table(let name): try table(name, call)
    case .sessions where call.request.method == .post: try create(call, admission.principal)
    case .sessions: try list(call)
    case .session(let id) where call.request.method == .put: try open(id, call, admission.principal)
    case .session(let id) where call.request.method == .delete: try end(id, call)
    case .session(let id), .row(let id, _), .item(let id, _), .changes(let id), .command(let id, _):
      if let found = registry.find(id) { return try answer(call, admission.route, found) }
      // It rests in the store, or is nowhere.
      registry.session(id) { found in
        call.attempt { () throws(Problem) in try self.answer(call, admission.route, found) }
      }
    }
  }

  /// Answers what is asked about a session.
  private func answer(
    _ call: Call, _ route: Route, _ found: Result<Session, SessionFailure>
  ) throws(Problem) {
    switch route {
    case .session: try read(found, call)
    case .row(_, let index): try row(index, of: found, call)
    case .item(_, let item): try self.item(item, of: found, call)
    case .changes: try changes(of: found, call)
    case .command(_, let name): try command(name, on: found, call)
    default: throw Problem(.unknownPath)
    }
  }

  private func tables(_ call: Call) throws(Problem) {
    _ = try call.request.representation()
    var text: [UInt8] = []
    text.append(literal: "{\"tables\":[")
    let catalog = registry.tables
    for (index, name) in catalog.names.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      if let table = catalog.definition(name) { text += table.document }
    }
    text.append(literal: "]}")
    call.respond(.json(text))
  }

  private func table(_ name: Bytes, _ call: Call) throws(Problem) {
    _ = try call.request.representation()
    guard let table = registry.tables.definition(name) else {
      throw Problem(.unknownTable, detail: "GET /v1/tables names the tables that are here")
    }
    call.respond(.json(table.document))
  }
}

/// Nanoseconds of a clock that nobody sets.
func monotonicNanoseconds() -> Int {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return time.tv_sec &* 1_000_000_000 &+ time.tv_nsec
}

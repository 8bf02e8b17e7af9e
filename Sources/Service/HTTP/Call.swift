import HTTP1
import JSONText

/// A request on its way to its answer: answering it counts it and writes its line to the log.
final class Call: Sendable {
  let request: Request
  let route: Route?
  private let service: Service
  private let exchange: any Exchange
  private let kind: RouteKind?
  private let crossOrigin: CrossOriginFields
  private let start: Int

  init(
    _ service: Service, _ request: Request, _ exchange: any Exchange, route: Route?, kind: RouteKind?,
    crossOrigin: CrossOriginFields, start: Int
  ) {
    self.service = service
    self.request = request
    self.exchange = exchange
    self.route = route
    self.kind = kind
    self.crossOrigin = crossOrigin
    self.start = start
  }

  /// Answers.
  ///
  /// To be called once.
  func respond(_ response: Response) {
    var response = response
    crossOrigin.add(to: &response)
    exchange.respond(response)
    note(response)
  }

  /// Answers with the head of a stream that stays open.
  ///
  /// To be called once.
  func openStream(
    _ head: Response, limits: StreamLimits, onClose: @escaping @Sendable (StreamEnd) -> Void
  ) -> any ResponseStream {
    var head = head
    crossOrigin.add(to: &head)
    let stream = exchange.openStream(head, limits: limits, onClose: onClose)
    note(head)
    return stream
  }

  /// Has `job` run, once, if the client ends before the answer (`Exchange.whenClientEnds`).
  func whenClientEnds(_ job: @escaping @Sendable () -> Void) { exchange.whenClientEnds(job) }

  /// Runs what answers, or says why it cannot.
  func attempt(_ answer: () throws(Problem) -> Void) {
    do throws(Problem) {
      try answer()
    } catch {
      respond(error)
    }
  }

  private func note(_ response: Response) {
    let nanoseconds = monotonicNanoseconds() - start
    service.metrics.countRequest(request.method, kind, status: response.status, nanoseconds: nanoseconds)
    service.log.request(
      RequestLine(
        time: service.now(), method: request.method, path: request.path, route: kind, session: route?.session,
        status: response.status, bytes: request.method == .head ? 0 : response.body.count,
        nanoseconds: nanoseconds))
  }

  /// Answers with a problem.
  func respond(_ problem: Problem) {
    respond(about(problem).response(to: request))
  }

  /// The problem with the revision of the session that the request is about (protocol §9), where that is there.
  func about(_ problem: Problem) -> Problem {
    guard problem.revision == nil, let id = route?.session else { return problem }
    var problem = problem
    problem.revision = service.registry.revision(of: id)
    return problem
  }
}

extension Response {
  /// 200 with a JSON document.
  static func json(_ text: [UInt8], status: Int = 200) -> Response {
    var response = Response(status: status, body: .bytes(text))
    response.fieldLines.reserveCapacity(160)  // type, tag and what else goes with most answers
    response.fieldLines.append(literal: "Content-Type: application/json\r\n")
    return response
  }

  /// Adds a session's tag: its revision, and what else tells the representation from others of that revision.
  mutating func add(revision: Int, _ format: Query.Format = .ops) {
    fieldLines.append(literal: "ETag: \"")
    fieldLines.append(decimal: revision)
    fieldLines.append(literal: format == .jsonPatch ? "-json-patch\"\r\n" : "\"\r\n")
  }
}

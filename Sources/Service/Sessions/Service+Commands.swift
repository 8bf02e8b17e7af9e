import HTTP1
import JSONText
import ListModel
import Sessions

// Commands on sessions, and their changes.
extension Service {
  /// `POST /v1/sessions/{id}/{command}`.
  func command(
    _ name: CommandName, on found: Result<Session, SessionFailure>, _ call: Call
  ) throws(Problem) {
    let (form, fault) = AnswerForm.read(call.request)
    let session = try self.found { () throws(SessionFailure) in try found.get() }
    let request = CommandRequest(
      tag: form.tag, since: form.since, condition: try condition(call.request),
      idempotency: try call.request.idempotency(), waitSeconds: form.waitSeconds,
      wantsSnapshot: !form.isMinimal)
    session.perform(name, fault.map { .failure(.body($0)) } ?? body(call.request), request) {
      [metrics] result in
      metrics.countCommand(name, Metrics.CommandOutcome(result))
      switch result {
      case .success(let answer):
        call.respond(answer, form, status: answer.isAccepted ? 202 : 200)
      case .failure(let failed):
        call.respond(failed)
      }
    }
  }

  private func body(_ request: Request) -> Result<JSONValue?, SessionFailure> {
    do throws(Problem) {
      return .success(try request.json())
    } catch {
      return .failure(.body(error))
    }
  }

  func condition(_ request: Request) throws(Problem) -> CommandRequest.Condition? {
    switch try RevisionCondition(request.fields) {
    case .none: nil
    case .any: .any
    case .oneOf(let revisions): .revisions(revisions)
    }
  }
}

/// How a client wants the answer to a command: its query and its preferences.
struct AnswerForm: Sendable {
  let offset: Int
  let limit: Int?
  let format: Query.Format
  let tag: Bytes?
  let since: Int?
  let isMinimal: Bool
  let waitSeconds: Double

  /// The form that a request asks for, or the plain one and what is wrong with the request: it is told behind the
  /// conditions that come first (protocol §7), like a faulty body.
  static func read(_ request: Request) -> (AnswerForm, fault: Problem?) {
    do throws(Problem) {
      return (try AnswerForm(request), nil)
    } catch {
      return (AnswerForm(), error)
    }
  }

  private init() {
    offset = 0
    limit = nil
    format = .ops
    tag = nil
    since = nil
    isMinimal = true
    waitSeconds = 0
  }

  /// The longest that a caller is kept waiting, whatever it prefers.
  static let longestWait = 3600

  init(_ request: Request) throws(Problem) {
    _ = try request.representation()
    let query = try Query(request.query)
    offset = try query.offset()
    limit = try query.limit()
    format = try query.format()
    tag = try query.tag()
    since = try query.since()
    let preferences = Preferences(request.fields)
    isMinimal = preferences.returns == .minimal
    if let wait = preferences.wait {
      waitSeconds = Double(min(wait, Self.longestWait))
    } else {
      waitSeconds = preferences.respondsAsync ? 0 : CommandRequest.defaultWaitSeconds
    }
  }
}

extension Request {
  /// The body as JSON; nil where there is none.
  func json() throws(Problem) -> JSONValue? {
    guard !body.isEmpty else { return nil }
    try checkContentType()
    do throws(JSONError) {
      return try JSONValue(parsing: Bytes(body))
    } catch {
      throw Problem(.malformedJSON, detail: "at byte \(error.offset): \(error.message)")
    }
  }

  /// `Idempotency-Key` with what it stands for: path, query and body.
  func idempotency() throws(Problem) -> CommandRequest.Idempotency? {
    guard let key = try fields.idempotencyKey() else { return nil }
    var text = path
    text.append(0)
    if let query {
      text.append(UInt8(ascii: "?"))
      text += query
    }
    text.append(0)
    text += body
    return CommandRequest.Idempotency(key: key, fingerprint: Bytes(SHA256.digest(text)))
  }
}

extension Metrics.CommandOutcome {
  init(_ result: Result<CommandAnswer, FailedAnswer>) {
    switch result {
    case .failure: self = .refused
    case .success(let answer):
      if answer.idempotency?.isReplay == true {
        self = .replayed
      } else if answer.isAccepted {
        self = .pending
      } else {
        self = answer.changes.isEmpty && !answer.isReset ? .unchanged : .changed
      }
    }
  }
}

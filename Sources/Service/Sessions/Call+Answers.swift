import HTTP1
import JSONText
import ListModel
import Sessions

// How what sessions say becomes responses.
extension Call {
  /// Whether the client already has this revision (`If-None-Match`).
  func hasTag(_ revision: Int) -> Bool {
    guard request.fields.first("if-none-match") != nil else { return false }
    var tag: [UInt8] = [UInt8(ascii: "\"")]
    tag.append(decimal: revision)
    tag.append(UInt8(ascii: "\""))
    return request.fields.ifNoneMatchHolds(tag)
  }

  func respondNotModified(_ revision: Int) {
    var response = Response(status: 304)
    response.add(revision: revision)
    response.fieldLines.append(literal: "Cache-Control: no-cache\r\n")
    respond(response)
  }

  /// Answers with a document about a session at a revision.
  func respond(session text: [UInt8], _ revision: Int) {
    var response = Response.json(text)
    response.add(revision: revision)
    response.fieldLines.append(literal: "Cache-Control: no-cache\r\n")
    respond(response)
  }

  /// Answers a command: `{"revision":…,"changes":[…],"snapshot":{…}}` (protocol §7).
  func respond(_ answer: CommandAnswer, _ form: AnswerForm, status: Int, location: Bytes? = nil) {
    var text = TextBuffer(capacity: 256 + answer.changes.reduce(0) { $0 + $1.count + 1 })
    text.append(literal: "{\"revision\":")
    text.append(decimal: answer.revision)
    if answer.isReset { text.append(literal: ",\"reset\":true") }
    append(answer.changes, form.format, to: &text)
    if let ids = answer.ids {
      text.append(literal: ",\"ids\":[")
      for (index, id) in ids.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        text.append(jsonString: id)
      }
      text.append(UInt8(ascii: "]"))
    }
    if let snapshot = answer.snapshot, answer.isReset || !form.isMinimal {
      text.append(literal: ",\"snapshot\":")
      if answer.isReset {
        snapshot.append(to: &text)
      } else {
        snapshot.append(offset: form.offset, limit: form.limit, to: &text)
      }
    }
    text.append(UInt8(ascii: "}"))
    var response = Response.json(text.array(), status: status)
    response.add(revision: answer.revision, form.format)
    if let location {
      response.fieldLines.append(literal: "Location: /v1/sessions/")
      response.fieldLines.append(location)
      response.fieldLines.append(literal: "\r\n")
    }
    response.add(answer.idempotency)
    respond(response)
  }

  /// Answers the making or opening of a session.
  func respond(opened result: Result<OpenedSession, FailedAnswer>, _ form: AnswerForm) {
    switch result {
    case .success(let opened):
      respond(
        opened.answer, form, status: opened.isNew ? 201 : 200, location: opened.isNew ? opened.id : nil)
    case .failure(let failed):
      respond(failed)
    }
  }

  /// Answers with a page of changes (protocol §8).
  func respond(_ page: ChangePage, _ format: Query.Format) {
    var text = TextBuffer(capacity: 256 + page.changes.reduce(0) { $0 + $1.count + 1 })
    text.append(literal: "{\"revision\":")
    text.append(decimal: page.revision)
    if page.reset != nil { text.append(literal: ",\"reset\":true") }
    append(page.changes, format, to: &text)
    if page.hasMore { text.append(literal: ",\"more\":true") }
    if let snapshot = page.reset {
      text.append(literal: ",\"snapshot\":")
      snapshot.append(to: &text)
    }
    text.append(UInt8(ascii: "}"))
    var response = Response.json(text.array())
    response.add(revision: page.revision, format)
    response.fieldLines.append(literal: "Cache-Control: no-store\r\n")
    respond(response)
  }

  func respond(_ failed: FailedAnswer) {
    var response = about(Problem(failed.failure, revision: failed.revision)).response(to: request)
    response.add(failed.idempotency)
    respond(response)
  }

  private func append(_ changes: [Bytes], _ format: Query.Format, to text: inout TextBuffer) {
    text.append(literal: ",\"changes\":[")
    for (index, change) in changes.enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text.append(format == .jsonPatch ? Change.patched(change) : change)
    }
    text.append(UInt8(ascii: "]"))
  }
}

extension Response {
  fileprivate mutating func add(_ note: IdempotencyNote?) {
    guard let note else { return }
    fieldLines.append(literal: "Idempotency-Expires: ")
    fieldLines += imfFixdate(secondsSince1970: note.expires)
    fieldLines.append(literal: "\r\n")
    if note.isReplay { fieldLines.append(literal: "Idempotent-Replayed: true\r\n") }
  }
}

extension Problem {
  /// A session's failure as clients read it.
  init(_ failure: SessionFailure, revision: Int?) {
    switch failure {
    case .unknown:
      self.init(.unknownSession, detail: "no session has this id; POST /v1/sessions makes one")
    case .ended:
      self.init(.sessionEnded, detail: "the session has been ended, or was not used for too long")
    case .unknownTable:
      self.init(
        .unknownTable, detail: "GET /v1/tables names the tables that are here",
        pointer: JSONPointer(tokens: ["table"]))
    case .exists:
      self.init(
        .sessionExists, detail: "the id is in use with another table or other params", revision: revision)
    case .revisionMismatch:
      self.init(
        .revisionMismatch, detail: "If-Match names another revision than the present one", revision: revision)
    case .refused(let refusal):
      self.init(refusal, revision: revision)
    case .body(let error):
      if var problem = error as? Problem {
        problem.revision = revision
        self = problem
      } else {
        self.init(.internal, detail: "\(error)", revision: revision)
      }
    case .idempotencyKeyReused:
      self.init(
        .idempotencyKeyReused, detail: "the key stands for another path, query or body", revision: revision)
    case .idempotencyInProgress:
      self.init(
        .idempotencyInProgress, detail: "the request with this key has no answer yet", revision: revision)
    case .tooManySessions:
      self.init(.tooManySessions, detail: "limits.sessions is reached; end sessions that nobody needs")
    case .tooManySubscribers:
      self.init(.tooManySubscribers, detail: "limits.subscribersPerSession is reached", revision: revision)
    case .draining:
      self.init(.draining)
    case .store(let failure, let hasStarted):
      let detail =
        if hasStarted {
          "the fetch was started; what has come of it could not be stored yet: \(failure.detail)"
        } else if failure.code == .unknown {
          "the outcome is unknown; the same Idempotency-Key tells: \(failure.detail)"
        } else {
          "it was not done: \(failure.detail)"
        }
      self.init(.storeUnavailable, detail: detail, revision: revision)
    case .resting:
      self.init(.storeUnavailable, detail: "the session was put out of memory just now; try again")
    }
  }

  private init(_ refusal: Refusal, revision: Int?) {
    let type: ProblemType =
      switch refusal.code {
      case .invalidBody: .invalidBody
      case .invalidRow: .invalidRow
      case .indexOutOfRange: .indexOutOfRange
      case .limitExceeded: .limitExceeded
      case .duplicateID: .duplicateID
      case .busy: .busy
      case .nothingToRetry: .nothingToRetry
      case .nothingAwaited: .nothingAwaited
      case .notSelectable: .notSelectable
      case .placeholderRow: .placeholderRow
      case .transitionNotAllowed: .transitionNotAllowed
      case .unknownRow: .unknownRow
      }
    self.init(type, detail: refusal.detail, pointer: refusal.pointer, revision: revision)
  }
}

import JSONText
import ListModel

extension SessionCore {
  /// What an answer was, so that it can be given again.
  enum Kept: Sendable {
    case answer(isAccepted: Bool, revision: Int, changes: [Int], since: Int?, ids: [Bytes]?)
    case failure(SessionFailure, revision: Int)
    /// Nobody was answered yet: the fetch was started, or joined at `after`; `own` is the change that started it.
    case awaiting(after: Int, own: [Int], since: Int?)
  }
}

extension SessionCore.Kept {
  /// What is kept of the answer to a creation.
  init(_ answer: CommandAnswer) {
    self = .answer(
      isAccepted: answer.isAccepted, revision: answer.revision, changes: answer.own, since: nil,
      ids: answer.ids)
  }

  // MARK: As text

  /// As a store keeps it.
  func text(_ coding: StoreCoding?) -> Bytes {
    var writer = JSONWriter()
    writer.beginObject()
    append(to: &writer, coding)
    writer.endObject()
    return writer.text
  }

  func append(to writer: inout JSONWriter, _ coding: StoreCoding?) {
    switch self {
    case .answer(let isAccepted, let revision, let changes, let since, let ids):
      writer.key("accepted")
      writer.bool(isAccepted)
      writer.key("revision")
      writer.integer(revision)
      writer.append(changes: changes, since: since)
      if let ids {
        writer.key("ids")
        writer.beginArray()
        for id in ids { writer.string(escaping: id) }
        writer.endArray()
      }
    case .awaiting(let after, let own, let since):
      writer.key("after")
      writer.integer(after)
      writer.append(changes: own, since: since)
    case .failure(let failure, let revision):
      writer.key("revision")
      writer.integer(revision)
      failure.append(to: &writer, coding)
    }
  }

  /// Reads what `text` has written; nil where it is something else.
  init?(_ text: JSONValue, _ coding: StoreCoding?) {
    if let failure = SessionFailure(text, coding) {
      self = .failure(failure, revision: text.member(named: "revision")?.keptNumber ?? 0)
      return
    }
    let changes = text.member(named: "changes")?.elements.compactMap(\.keptNumber) ?? []
    let since = text.member(named: "since")?.integer
    if let after = text.member(named: "after")?.keptNumber {
      self = .awaiting(after: after, own: changes, since: since)
      return
    }
    guard let isAccepted = text.member(named: "accepted")?.bool,
      let revision = text.member(named: "revision")?.keptNumber
    else { return nil }
    self = .answer(
      isAccepted: isAccepted, revision: revision, changes: changes, since: since,
      ids: text.member(named: "ids")?.elements.compactMap(\.string))
  }
}

extension JSONWriter {
  fileprivate mutating func append(changes: [Int], since: Int?) {
    key("changes")
    beginArray()
    for change in changes { integer(change) }
    endArray()
    if let since {
      key("since")
      integer(since)
    }
  }
}

extension SessionFailure {
  /// Failures without anything to say beside their name, of those that are kept.
  private static let plain: [(name: StaticString, failure: SessionFailure)] = [
    ("unknown", .unknown), ("ended", .ended), ("unknownTable", .unknownTable), ("exists", .exists),
    ("revisionMismatch", .revisionMismatch), ("tooManySessions", .tooManySessions),
    ("tooManySubscribers", .tooManySubscribers),
  ]

  private var plainName: StaticString {
    switch self {
    case .ended: "ended"
    case .unknownTable: "unknownTable"
    case .exists: "exists"
    case .revisionMismatch: "revisionMismatch"
    case .tooManySessions: "tooManySessions"
    case .tooManySubscribers: "tooManySubscribers"
    default: "unknown"
    }
  }

  func append(to writer: inout JSONWriter, _ coding: StoreCoding?) {
    switch self {
    case .refused(let refusal):
      writer.key("refused")
      writer.string(escaping: Bytes(refusal.code.rawValue))
      writer.key("detail")
      writer.string(escaping: Bytes(refusal.detail))
      if let pointer = refusal.pointer {
        writer.key("pointer")
        writer.string(escaping: pointer.text)
      }
    case .body(let error):
      writer.key("body")
      writer.raw(coding?.failure(error) ?? "{}")
    default:
      writer.key("failure")
      writer.string(plainName)
    }
  }

  /// Reads what `append` has written; nil where it is no failure.
  init?(_ text: JSONValue, _ coding: StoreCoding?) {
    if let code = text.member(named: "refused")?.string {
      self = .refused(
        Refusal(
          Refusal.Code(rawValue: code.string) ?? .invalidBody,
          at: text.member(named: "pointer")?.string.flatMap(JSONPointer.init),
          text.member(named: "detail")?.string?.string ?? ""))
    } else if let body = text.member(named: "body") {
      guard let error = coding?.readFailure(body.text) else { return nil }
      self = .body(error)
    } else if let name = text.member(named: "failure")?.string {
      guard let plain = Self.plain.first(where: { name.equals($0.name) }) else { return nil }
      self = plain.failure
    } else {
      return nil
    }
  }
}

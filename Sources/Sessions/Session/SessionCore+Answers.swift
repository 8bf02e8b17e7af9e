import JSONText
import ListModel

// What commands are answered with, and what is kept of it under an `Idempotency-Key` (protocol §7).
extension SessionCore {
  /// What an answer tells beside its own changes.
  struct Form: Sendable {
    let since: Int?
    let wantsSnapshot: Bool

    init(_ request: CommandRequest) {
      since = request.since
      wantsSnapshot = request.wantsSnapshot
    }
  }

  /// A key under which the answer is kept.
  struct KeptKey {
    let key: Bytes
    let expires: Int
  }

  /// What an answer was, so that it can be given again.
  enum Kept: Sendable {
    case answer(isAccepted: Bool, revision: Int, changes: [Int], since: Int?, ids: [Bytes]?)
    case failure(SessionFailure, revision: Int)
  }

  func failure(_ failure: SessionFailure) -> Result<CommandAnswer, FailedAnswer> {
    .failure(FailedAnswer(failure, revision: list.revision))
  }

  mutating func keep(
    _ result: Result<CommandAnswer, FailedAnswer>, _ kept: KeptKey?
  ) -> Result<CommandAnswer, FailedAnswer> {
    guard let kept, case .failure(var failed) = result else { return result }
    records.complete(kept.key, .failure(failed.failure, revision: list.revision))
    failed.idempotency = IdempotencyNote(isReplay: false, expires: kept.expires)
    return .failure(failed)
  }

  mutating func answer(
    isAccepted: Bool, changes: [Int], _ form: Form, ids: [Bytes]?, kept: KeptKey?
  ) -> Result<CommandAnswer, FailedAnswer> {
    if let kept {
      // Ids cut loose from the storage of the rows that came with them, which is not to live as long as the record.
      records.complete(
        kept.key,
        .answer(
          isAccepted: isAccepted, revision: list.revision, changes: changes, since: form.since,
          ids: ids?.map { $0.compacted() }))
    }
    var answer = CommandAnswer(
      isAccepted: isAccepted, revision: list.revision, changes: [], own: changes, isReset: false, ids: ids,
      snapshot: nil, idempotency: kept.map { IdempotencyNote(isReplay: false, expires: $0.expires) })
    fill(&answer, changes, since: form.since, upTo: list.revision)
    if form.wantsSnapshot || answer.isReset { answer.snapshot = snapshot() }
    return .success(answer)
  }

  /// An answer again: what was promised of it, with the present list.
  mutating func replay(
    _ kept: Kept, expires: Int, wantsSnapshot: Bool
  ) -> Result<CommandAnswer, FailedAnswer> {
    let note = IdempotencyNote(isReplay: true, expires: expires)
    switch kept {
    case .failure(let failure, let revision):
      return .failure(FailedAnswer(failure, revision: revision, idempotency: note))
    case .answer(let isAccepted, let revision, let changes, let since, let ids):
      var answer = CommandAnswer(
        isAccepted: isAccepted, revision: revision, changes: [], own: changes, isReset: false, ids: ids,
        snapshot: nil, idempotency: note)
      fill(&answer, changes, since: since, upTo: revision)
      if wantsSnapshot || answer.isReset { answer.snapshot = snapshot() }
      return .success(answer)
    }
  }

  /// An answer again when the session has ended: there is no present list, and the changes are not kept.
  static func replayOfEnded(_ kept: Kept, expires: Int) -> Result<CommandAnswer, FailedAnswer> {
    let note = IdempotencyNote(isReplay: true, expires: expires)
    switch kept {
    case .failure(let failure, let revision):
      return .failure(FailedAnswer(failure, revision: revision, idempotency: note))
    case .answer(let isAccepted, let revision, let changes, _, let ids):
      return .success(
        CommandAnswer(
          isAccepted: isAccepted, revision: revision, changes: [], own: changes, isReset: !changes.isEmpty,
          ids: ids,
          snapshot: nil, idempotency: note))
    }
  }

  /// Gives an answer its changes: those of the revisions, or all after `since`; where they are not kept, a reset.
  private func fill(_ answer: inout CommandAnswer, _ revisions: [Int], since: Int?, upTo last: Int) {
    if let since {
      guard let changes = log.changes(after: since, present: last) else {
        answer.isReset = true
        return
      }
      answer.changes = changes.prefix { $0.revision <= last }.map(\.text)
      return
    }
    for revision in revisions {
      guard let change = log.change(revision) else {
        answer.changes = []
        answer.isReset = true
        return
      }
      answer.changes.append(change.text)
    }
  }
}

extension SessionCore.Kept {
  /// What is kept of the answer to a creation.
  init(_ answer: CommandAnswer) {
    self = .answer(
      isAccepted: answer.isAccepted, revision: answer.revision, changes: answer.own, since: nil,
      ids: answer.ids)
  }
}

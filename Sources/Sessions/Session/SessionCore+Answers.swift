import JSONText
import ListModel

// What commands are answered with, and what is kept of it under an `Idempotency-Key` (protocol §7).
extension SessionCore {
  func failure(_ failure: SessionFailure) -> Result<CommandAnswer, FailedAnswer> {
    .failure(FailedAnswer(failure, revision: revision))
  }

  mutating func keep(
    _ result: Result<CommandAnswer, FailedAnswer>, _ kept: KeptKey?
  ) -> Result<CommandAnswer, FailedAnswer> {
    guard let kept, case .failure(var failed) = result else { return result }
    records.complete(kept.key, .failure(failed.failure, revision: revision))
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
          isAccepted: isAccepted, revision: revision, changes: changes, since: form.since,
          ids: ids?.map { $0.compacted() }))
    }
    let told = texts(of: changes, since: form.since, upTo: revision)
    return .success(
      CommandAnswer(
        isAccepted: isAccepted, revision: revision, changes: told, own: changes, ids: ids,
        snapshot: form.wantsSnapshot || told == nil ? snapshot() : nil,
        idempotency: kept.map { IdempotencyNote(isReplay: false, expires: $0.expires) }))
  }

  /// An answer again: what was promised of it, with the present list.
  mutating func replay(
    _ kept: Kept, expires: Int, wantsSnapshot: Bool, isClient: Bool
  ) -> Result<CommandAnswer, FailedAnswer> {
    let note = IdempotencyNote(isReplay: true, expires: expires)
    switch kept {
    case .awaiting(let after, let own, let since):
      guard let settled = settled(after: after, own: own, since: since, isClient: isClient) else {
        return failure(.idempotencyInProgress)
      }
      return replay(settled, expires: expires, wantsSnapshot: wantsSnapshot, isClient: isClient)
    case .failure(let failure, let revision):
      return .failure(FailedAnswer(failure, revision: revision, idempotency: note))
    case .answer(let isAccepted, let revision, let changes, let since, let ids):
      let told = texts(of: changes, since: since, upTo: revision)
      return .success(
        CommandAnswer(
          isAccepted: isAccepted, revision: revision, changes: told, own: changes, ids: ids,
          snapshot: wantsSnapshot || told == nil ? snapshot() : nil, idempotency: note))
    }
  }

  /// What someone would have been answered who had waited for a fetch's end: read off the changes, for whoever knew is
  /// gone with an earlier process, or was told that the end could not be stored; nil while it is in flight.
  ///
  /// - Parameters:
  ///   - after: the revision at which they began to wait.
  ///   - own: the change that started the fetch.
  private func settled(after: Int, own: [Int], since: Int?, isClient: Bool) -> Kept? {
    var isOvertaken = false
    for change in log.changes(after: after, present: revision) ?? [] {
      let loading = JSONValue(trusted: change.text).member(named: "loading")
      let isFetching = loading.map { $0.kind != .null } ?? false
      switch change.cause {
      case .load, .refresh, .loadMore, .retry, .recover, .fail:
        if isFetching { isOvertaken = true }
      default:
        if !isFetching { isOvertaken = true }
      }
      if !isFetching {
        return .answer(
          isAccepted: false, revision: change.revision, changes: isOvertaken ? own : own + [change.revision],
          since: since, ids: nil)
      }
    }
    let isInFlight = list.fetchInFlight != nil
    if isInFlight, !isClient { return nil }
    return .answer(isAccepted: isInFlight, revision: revision, changes: own, since: since, ids: nil)
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
          isAccepted: isAccepted, revision: revision, changes: changes.isEmpty ? [] : nil, own: changes,
          ids: ids, snapshot: nil, idempotency: note))
    case .awaiting: return .failure(FailedAnswer(.ended, idempotency: note))
    }
  }

  /// The changes that an answer tells: those of the revisions, or all after `since`; nil where they are not kept.
  private func texts(of revisions: [Int], since: Int?, upTo last: Int) -> [Bytes]? {
    if let since {
      return log.changes(after: since, present: last)?.prefix { $0.revision <= last }.map(\.text)
    }
    var changes: [Bytes] = []
    changes.reserveCapacity(revisions.count)
    for revision in revisions {
      guard let change = log.change(revision) else { return nil }
      changes.append(change.text)
    }
    return changes
  }
}

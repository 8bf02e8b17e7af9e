import JSONText
import ListModel

/// The `Idempotency-Key` of a creation, while that is being done.
struct CreationKey: Sendable {
  let key: Bytes
  let fingerprint: Bytes
  /// Whose it is: keys of creations are scoped to the caller's token.
  let owner: Bytes
  /// Seconds since 1970.
  let expires: Int

  /// What is said about it.
  var note: IdempotencyNote { IdempotencyNote(isReplay: false, expires: expires) }

  /// Its scope in a store; no session has such an id.
  var scope: Bytes { Self.scope(of: owner) }

  static func scope(of owner: Bytes) -> Bytes { Bytes("*".utf8 + owner.array) }
}

// Creations under an `Idempotency-Key`: done once, answered again.
extension SessionRegistry {
  /// Does a creation, or answers again what it came to under the same key.
  func once(
    _ request: CreationRequest, _ reply: @escaping CreationReply,
    _ create: @escaping @Sendable (CreationKey?, @escaping CreationReply) -> Void
  ) {
    guard let (idempotency, owner) = request.idempotency else { return create(nil, reply) }
    let now = house.world.now()
    let (finding, expires) = state.withLock { state -> (IdempotencyRecords<Creation>.Finding, Int) in
      let finding = state.creations[owner, default: IdempotencyRecords()]
        .find(idempotency.key, fingerprint: idempotency.fingerprint, now: now)
      guard case .new = finding else { return (finding, 0) }
      let expires = state.creations[owner, default: IdempotencyRecords()]
        .begin(idempotency.key, fingerprint: idempotency.fingerprint, now: now)
      return (finding, expires)
    }
    switch finding {
    case .inProgress: reply(.failure(FailedAnswer(.idempotencyInProgress)))
    case .reused: reply(.failure(FailedAnswer(.idempotencyKeyReused)))
    case .answered(let creation, let expires): replay(creation, expires: expires, reply)
    case .new:
      let key = CreationKey(
        key: idempotency.key, fingerprint: idempotency.fingerprint, owner: owner, expires: expires)
      guard let keeping = house.keeping else {
        return create(key) { [self] result in
          complete(key, Creation(result))
          reply(result)
        }
      }
      once(key, keeping, now: now, reply, create)
    }
  }

  private func complete(_ key: CreationKey, _ creation: Creation?) {
    state.withLock { state in
      if let creation {
        state.creations[key.owner]?.complete(key.key, creation)
      } else {
        state.creations[key.owner]?.cancel(key.key)
      }
    }
  }

  // MARK: With a store

  /// The same where the store may know of the key; memory holds it only as long as the creation is being done.
  private func once(
    _ key: CreationKey, _ keeping: Keeping, now: Int, _ reply: @escaping CreationReply,
    _ create: @escaping @Sendable (CreationKey?, @escaping CreationReply) -> Void
  ) {
    keeping.store.record(scope: key.scope, key: key.key, now: now) { [self] result in
      switch result {
      case .failure(let failure):
        complete(key, nil)
        reply(.failure(FailedAnswer(.store(failure, hasStarted: false))))
      case .success(let record?):
        complete(key, nil)
        guard record.fingerprint == key.fingerprint else {
          return reply(.failure(FailedAnswer(.idempotencyKeyReused)))
        }
        guard let text = record.text, let creation = Creation(text, keeping.coding) else {
          return reply(.failure(FailedAnswer(.store(.damagedRecord, hasStarted: false))))
        }
        replay(creation, expires: record.expires / 1000, reply)
      case .success(nil):
        create(key) { [self] result in keep(result, key, keeping, reply) }
      }
    }
  }

  /// Keeps what a creation came to before anyone is told, where its record does not stand already.
  private func keep(
    _ result: Result<OpenedSession, FailedAnswer>, _ key: CreationKey, _ keeping: Keeping,
    _ reply: @escaping CreationReply
  ) {
    guard let creation = Creation(result), !creation.isKeptAtBirth else {
      complete(key, nil)
      return reply(result)
    }
    keeping.store.commit([record(key, creation, keeping)]) { [self] failure in
      complete(key, nil)
      guard let failure else { return reply(result) }
      var hasStarted = false
      if case .success = result { hasStarted = true }
      reply(.failure(FailedAnswer(.store(failure, hasStarted: hasStarted))))
    }
  }

  private func record(_ key: CreationKey, _ creation: Creation, _ keeping: Keeping) -> StoreWrite {
    .record(
      scope: key.scope, key: key.key,
      StoredRecord(
        fingerprint: key.fingerprint, answer: creation.text(keeping.coding), expires: key.expires * 1000))
  }

  /// What is kept with a new session: its answer, or that its first load is awaited.
  func record(_ key: CreationKey, ofNew id: Bytes, _ revision: Int, loads: Bool) -> StoreWrite? {
    guard let keeping = house.keeping else { return nil }
    let kept: SessionCore.Kept =
      loads
      ? .awaiting(after: revision + 1, own: [revision + 1], since: nil)
      : .answer(isAccepted: false, revision: revision, changes: [], since: nil, ids: nil)
    return record(key, .session(id, isNew: true, kept), keeping)
  }

  // MARK: Again

  private func replay(_ creation: Creation, expires: Int, _ reply: @escaping CreationReply) {
    switch creation {
    case .failure(var failed):
      failed.idempotency = IdempotencyNote(isReplay: true, expires: expires)
      reply(.failure(failed))
    case .session(let id, let isNew, let kept):
      session(id) { found in
        // The present list, where the session still lives; else there is none, and its changes are gone with it.
        let answer: Result<CommandAnswer, FailedAnswer>
        switch found {
        case .success(let session):
          answer =
            session.replay(kept, expires: expires) ?? SessionCore.replayOfEnded(kept, expires: expires)
        case .failure(.ended), .failure(.unknown):
          answer = SessionCore.replayOfEnded(kept, expires: expires)
        case .failure(let failure): answer = .failure(FailedAnswer(failure))
        }
        reply(answer.map { OpenedSession(id: id, isNew: isNew, answer: $0) })
      }
    }
  }
}

extension SessionRegistry.Creation {
  /// What is kept of an answer; nil where it is none below 500.
  init?(_ result: Result<OpenedSession, FailedAnswer>) {
    switch result {
    case .success(let opened):
      self = .session(opened.id, isNew: opened.isNew, SessionCore.Kept(opened.answer))
    case .failure(let failed):
      guard failed.failure.isKept else { return nil }
      self = .failure(failed)
    }
  }

  /// Whether the record that was written with the session says it all.
  var isKeptAtBirth: Bool {
    if case .session(_, true, .answer(false, _, let changes, _, _)) = self { return changes.isEmpty }
    return false
  }

  // MARK: As text

  /// As a store keeps it.
  func text(_ coding: StoreCoding) -> Bytes {
    var writer = JSONWriter()
    writer.beginObject()
    switch self {
    case .session(let id, let isNew, let kept):
      writer.key("session")
      writer.string(escaping: id)
      writer.key("isNew")
      writer.bool(isNew)
      kept.append(to: &writer, coding)
    case .failure(let failed):
      if let revision = failed.revision {
        writer.key("revision")
        writer.integer(revision)
      }
      failed.failure.append(to: &writer, coding)
    }
    writer.endObject()
    return writer.text
  }

  /// Reads what `text` has written; nil where it is something else.
  init?(_ text: JSONValue, _ coding: StoreCoding) {
    if let failure = SessionFailure(text, coding) {
      self = .failure(FailedAnswer(failure, revision: text.member(named: "revision")?.keptNumber))
      return
    }
    guard let id = text.member(named: "session")?.string, let isNew = text.member(named: "isNew")?.bool,
      let kept = SessionCore.Kept(text, coding)
    else { return nil }
    self = .session(id, isNew: isNew, kept)
  }
}

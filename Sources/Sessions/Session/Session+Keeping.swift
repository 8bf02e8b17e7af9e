import JSONText
import ListModel
import Synchronization

// A session and its store: how it is made durable, read back, and put out of memory.
extension Session {
  /// A new session, of which the store knows nothing before its first submission.
  ///
  /// - Parameter made: called when it is durable, or can not be made so. Nobody may see it before.
  static func new(
    id: Bytes, _ definition: TableDefinition, rules: ListRules, revision: Int, params: Bytes, sequence: Int,
    house: SessionHouse, record: StoreWrite?, _ made: @escaping @Sendable (Session, SessionFailure?) -> Void
  ) -> Session {
    let now = house.world.now()
    var origin = Origin(
      id: id, table: definition.name, sequence: sequence, created: now, touched: now,
      list: ListState(rules: rules, revision: revision, params: params))
    guard let keeping = house.keeping else { return Session(origin, house: house) }
    let text = origin.list.saved()
    origin.durability = Durability(
      coding: keeping.coding, list: origin.list,
      ledger: Durability.Ledger(
        snapshotRevision: revision, snapshotBytes: text.count, trimmed: revision, touched: now))
    let session = Session(origin, house: house)
    let head = StoredHead(
      session: id, sequence: sequence, table: definition.name, look: keeping.coding.look(rules.look),
      created: now, firstRevision: revision)
    session.core.withLock { core in
      var birth = Decision()
      birth.isBirth = true
      birth.made = { made(session, $0) }
      core.stage(birth, [.create(head, core.summary, snapshot: text)] + (record.map { [$0] } ?? []))
    }
    return session
  }

  /// A session as the store has it.
  static func restored(
    _ stored: StoredSession, house: SessionHouse, _ keeping: Keeping
  ) throws(DamagedText) -> Session {
    guard let rules = house.rules(look: stored.head.look, ofTable: stored.head.table) else {
      throw DamagedText(what: "the look")
    }
    let restored = try stored.restored(rules)
    let (list, changes) = (restored.list, restored.changes)
    // A clock that was ahead once must not keep a session for ever.
    let touched = min(stored.state.touched, house.world.now())
    let session = Session(
      Origin(
        id: stored.head.session, table: stored.head.table, sequence: stored.head.sequence,
        created: stored.head.created, touched: touched, list: list, changes: changes,
        durability: Durability(
          coding: keeping.coding, list: list,
          ledger: Durability.Ledger(
            snapshotRevision: stored.snapshotRevision, snapshotBytes: stored.snapshot.count,
            deltaBytes: restored.deltaBytes, trimmed: (changes.first?.revision ?? list.revision + 1) - 1,
            touched: stored.state.touched))),
      house: house)
    session.core.withLock { $0.hasAllRecords = false }
    return session
  }

  /// Goes on with what was in flight when the session was last in memory: what a source was to give is interrupted,
  /// what a client was to give is awaited again.
  func goOn(_ ready: @escaping @Sendable () -> Void) {
    let now = house.world.now()
    let context = house.context(of: slot.entry)
    let actions = core.withLock { core -> [SessionAction] in
      guard let fetch = core.list.fetchInFlight else { return [.call(ready)] }
      if context.isClient {
        let pursuit = core.list.pursuit(in: context).map { core.action(for: $0) }
        return (pursuit.map { [$0] } ?? []) + [.call(ready)]
      }
      return core.finish(
        generation: fetch.generation, with: .interruption, in: context, now: now, made: { _ in ready() })
    }
    carryOut(actions)
  }

  // MARK: Keys

  /// Asks the store what it knows of a key, and goes on; until then the session stays.
  func learn(_ key: Bytes, _ reply: @escaping Reply, _ goOn: @escaping @Sendable (Session) -> Void) {
    guard let keeping = house.keeping else { return goOn(self) }
    keeping.store.record(scope: id, key: key, now: house.world.now()) { [self] result in
      switch result {
      case .failure(let failure):
        reply(.failure(FailedAnswer(.store(failure, hasStarted: false), revision: revision)))
      case .success(let record):
        guard core.withLock({ $0.learn(key, record) }) else {
          reply(.failure(FailedAnswer(.store(.damagedRecord, hasStarted: false), revision: revision)))
          break
        }
        goOn(self)
      }
      core.withLock { $0.holders -= 1 }
    }
  }

  // MARK: Resting

  /// Makes the session small; nil where something hangs on it, or it cannot be done now.
  ///
  /// It stays as it is until `leave`.
  func packed(_ packing: Packing, now: Int) -> (session: PackedSession, draft: SessionCore.Draft)? {
    guard let draft = core.withLock({ $0.draft(now: now) }) else { return nil }
    return PackedSession(self, draft, packing).map { ($0, draft) }
  }

  /// Gives the session up to what was packed of it; false where it has been used since.
  func leave(_ draft: SessionCore.Draft) -> Bool { core.withLock { $0.leave(draft) } }

  /// Puts the session out of memory where nothing hangs on it; says whether it did.
  ///
  /// - Parameter isUrgent: whether the pages of a failed refresh count for nothing.
  func evict(isUrgent: Bool) -> Bool {
    guard let writes = core.withLock({ $0.evict(isUrgent: isUrgent) }) else { return false }
    if !writes.isEmpty { house.keeping?.store.commit(writes) { _ in } }
    return true
  }

  /// Whether nobody has used the session since `time`, in milliseconds since 1970, and the store knows of its last use,
  /// or may be told of it again.
  func hasSettled(since time: Int, now: Int) -> Bool {
    core.withLock { $0.hasSettled(since: time, now: now) }
  }

  /// Lets the store know of the last use, where it was long ago that it did.
  func touch() {
    carryOut(core.withLock { $0.stageTouch() })
  }

  /// About how many bytes of memory the session takes; and when it was used last.
  var residence: (bytes: Int, touched: Int) { core.withLock { ($0.residentBytes, $0.touched) } }

  /// The same where nothing hangs on it; else nil.
  var idleResidence: (bytes: Int, touched: Int)? {
    core.withLock { $0.unusedSince == nil ? nil : ($0.residentBytes, $0.touched) }
  }

  /// Gives what was asked of an object that is out of memory to the one that stands for the session now.
  func elsewhere(_ reply: @escaping Reply, _ body: @escaping @Sendable (Session) -> Void) {
    house.resume(id) { found in
      switch found {
      case .success(let session): body(session)
      case .failure(let failure): reply(.failure(FailedAnswer(failure)))
      }
    }
  }

  /// The same for who asks for changes.
  func elsewhere(_ reply: @escaping ChangeReply, _ body: @escaping @Sendable (Session) -> Void) {
    house.resume(id) { found in
      switch found {
      case .success(let session): body(session)
      case .failure(let failure): reply(.failure(FailedAnswer(failure)))
      }
    }
  }
}

extension SessionCore {
  /// How much this knows of a key.
  enum Knowledge {
    case complete
    /// The store may know more: it is about to be asked.
    case lacking
    /// Another object stands for the session now.
    case elsewhere
  }

  /// Whether the store is to be asked for a key, which is noted.
  mutating func knowledge(of key: Bytes) -> Knowledge {
    guard durability != nil, !hasAllRecords, !hasEnded, !asked.contains(key), !records.knows(key) else {
      return .complete
    }
    if isEvicted { return .elsewhere }
    holders += 1
    return .lacking
  }

  /// Takes in what the store knows of a key; false where that is damaged: what was answered then is not known, and the
  /// command must not be done twice.
  mutating func learn(_ key: Bytes, _ record: StoredRecord?) -> Bool {
    guard let record else {
      asked.insert(key)
      return true
    }
    guard let text = record.text, let kept = Kept(text, durability?.coding) else { return false }
    records.learn(key, fingerprint: record.fingerprint, kept, expires: record.expires)
    return true
  }
}

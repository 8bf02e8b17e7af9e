import JSONText
import ListModel
import Sessions
import Synchronization

/// A store in memory that does what it is asked for at once, or holds it until the test releases or fails it.
final class ScriptedStore: ChangeStore {
  fileprivate struct Kept {
    var head: StoredHead
    var state: StoredState
    var snapshot: Bytes
    var snapshotRevision: Int
    var changes: [StoredChange]
  }

  fileprivate struct RecordKey: Hashable {
    let scope: Bytes
    let key: Bytes
  }

  fileprivate struct State {
    var sessions: [Bytes: Kept] = [:]
    var tombstones: [Bytes: StoredTombstone] = [:]
    var records: [RecordKey: StoredRecord] = [:]
    var lastSequence = 0
    var isHolding = false
    var isReadingHeld = false
    var failure: StoreFailure?
    var isWritable = true
    var waiting: [(writes: [StoreWrite], completion: @Sendable (StoreFailure?) -> Void)] = []
    var reads: [@Sendable () -> Void] = []
    /// Everything that was written, by call.
    var log: [[StoreWrite]] = []
    var restores = 0
  }

  private let state = Mutex(State())

  // MARK: The script

  /// From now on holds commits.
  func hold() { state.withLock { $0.isHolding = true } }

  /// From now on fails commits with this; nil: does them.
  func fail(with failure: StoreFailure?) {
    state.withLock { state in
      state.failure = failure
      state.isWritable = failure == nil
    }
  }

  /// How many commits wait.
  var heldCount: Int { state.withLock { $0.waiting.count } }

  /// Does the commit that waits longest.
  func release() { finish(nil, isDone: true) }

  /// Fails the commit that waits longest.
  ///
  /// - Parameter isDone: whether it was done all the same, which nobody knows.
  func fail(_ code: StoreFailure.Code = .unavailable, isDone: Bool = false) {
    finish(StoreFailure(code, detail: "as the test wants it"), isDone: isDone)
  }

  private func finish(_ failure: StoreFailure?, isDone: Bool) {
    let (next, outcome) = state.withLock { state in
      let next = state.waiting.removeFirst()
      let conflict = isDone ? state.apply(next.writes) : nil
      return (next, failure ?? conflict)
    }
    next.completion(outcome)
  }

  /// Does all that waits, and what comes of it, and from now on everything at once.
  func releaseAll() {
    state.withLock { $0.isHolding = false }
    while heldCount > 0 { release() }
  }

  /// From now on holds restores, and reads of records.
  func holdReads() { state.withLock { $0.isReadingHeld = true } }

  /// Does the reads that wait.
  func releaseReads() {
    let reads = state.withLock { state in
      state.isReadingHeld = false
      defer { state.reads = [] }
      return state.reads
    }
    for read in reads { read() }
  }

  /// Makes of what is kept of a session what a fault of the disk, or a hand, might.
  func damage(_ session: Bytes, _ change: (inout StoredSession) -> Void) {
    state.withLock { state in
      guard let kept = state.sessions[session] else { return }
      var stored = StoredSession(
        head: kept.head, state: kept.state, snapshot: kept.snapshot, snapshotRevision: kept.snapshotRevision,
        changes: kept.changes)
      change(&stored)
      state.sessions[session] = Kept(
        head: stored.head, state: stored.state, snapshot: stored.snapshot,
        snapshotRevision: stored.snapshotRevision, changes: stored.changes)
    }
  }

  /// The same with what is kept under keys.
  func damageRecords(_ change: (inout StoredRecord) -> Void) {
    state.withLock { state in
      for key in state.records.keys {
        state.records[key].map { record in
          var record = record
          change(&record)
          state.records[key] = record
        }
      }
    }
  }

  // MARK: What is in it

  /// The writes of each commit that was done.
  var log: [[StoreWrite]] { state.withLock { $0.log } }

  /// How often a session was read.
  var restoreCount: Int { state.withLock { $0.restores } }

  /// The last revision of a session.
  func revision(of session: Bytes) -> Int? { state.withLock { $0.sessions[session]?.state.revision } }

  /// When a session was last used, as far as is kept.
  func touched(_ session: Bytes) -> Int? { state.withLock { $0.sessions[session]?.state.touched } }

  /// How many changes of a session are kept.
  func changeCount(_ session: Bytes) -> Int { state.withLock { $0.sessions[session]?.changes.count ?? 0 } }

  /// The revision of a session's last snapshot.
  func snapshotRevision(_ session: Bytes) -> Int? {
    state.withLock { $0.sessions[session]?.snapshotRevision }
  }

  // MARK: ChangeStore

  var isWritable: Bool { state.withLock { $0.isWritable } }

  func commit(_ writes: [StoreWrite], _ completion: @escaping @Sendable (StoreFailure?) -> Void) {
    let outcome = state.withLock { state -> StoreFailure?? in
      if state.isHolding {
        state.waiting.append((writes, completion))
        return .none
      }
      return .some(state.failure ?? state.apply(writes))
    }
    if case .some(let outcome) = outcome { completion(outcome) }
  }

  func restore(
    _ session: Bytes, _ completion: @escaping @Sendable (Result<StoredSession?, StoreFailure>) -> Void
  ) {
    let read: @Sendable () -> Void = { [self] in
      let stored = state.withLock { state -> StoredSession? in
        state.restores += 1
        return state.sessions[session].map {
          StoredSession(
            head: $0.head, state: $0.state, snapshot: $0.snapshot, snapshotRevision: $0.snapshotRevision,
            changes: $0.changes)
        }
      }
      completion(.success(stored))
    }
    let isHeld = state.withLock { state in
      if state.isReadingHeld { state.reads.append(read) }
      return state.isReadingHeld
    }
    if !isHeld { read() }
  }

  func list(
    after cursor: Int, limit: Int,
    _ completion: @escaping @Sendable (Result<[StoredSummary], StoreFailure>) -> Void
  ) {
    let all = state.withLock { Array($0.sessions.values) }.filter { $0.head.sequence > cursor }
      .sorted { $0.head.sequence < $1.head.sequence }.prefix(limit)
    completion(.success(all.map { StoredSummary(head: $0.head, state: $0.state) }))
  }

  func tombstone(
    _ session: Bytes, _ completion: @escaping @Sendable (Result<StoredTombstone?, StoreFailure>) -> Void
  ) {
    completion(.success(state.withLock { $0.tombstones[session] }))
  }

  func record(
    scope: Bytes, key: Bytes, now: Int,
    _ completion: @escaping @Sendable (Result<StoredRecord?, StoreFailure>) -> Void
  ) {
    let read: @Sendable () -> Void = { [self] in
      let record = state.withLock { $0.records[RecordKey(scope: scope, key: key)] }
      completion(.success(record.flatMap { $0.expires > now ? $0 : nil }))
    }
    let isHeld = state.withLock { state in
      if state.isReadingHeld { state.reads.append(read) }
      return state.isReadingHeld
    }
    if !isHeld { read() }
  }

  func expired(
    _ usedBefore: [Bytes: Int], limit: Int,
    _ completion: @escaping @Sendable (Result<[Bytes], StoreFailure>) -> Void
  ) {
    let ids = state.withLock { Array($0.sessions.values) }
      .filter { kept in usedBefore[kept.head.table].map { kept.state.touched <= $0 } ?? false }
      .map(\.head.session)
    completion(.success(Array(ids.prefix(limit))))
  }

  func forget(before now: Int) {
    state.withLock { state in
      state.tombstones = state.tombstones.filter { $0.value.until > now }
      state.records = state.records.filter { $0.value.expires > now }
    }
  }

  var census: (sessions: Int, lastSequence: Int) { state.withLock { ($0.sessions.count, $0.lastSequence) } }

  func close() {}
}

extension ScriptedStore.State {
  /// Does all writes, or none.
  fileprivate mutating func apply(_ writes: [StoreWrite]) -> StoreFailure? {
    var draft = self
    for write in writes {
      guard draft.apply(one: write) else {
        return StoreFailure(.conflict, detail: "another revision is there")
      }
    }
    self = draft
    log.append(writes)
    return nil
  }

  private mutating func apply(one write: StoreWrite) -> Bool {
    switch write {
    case .create(let head, let state, let snapshot):
      sessions[head.session] = ScriptedStore.Kept(
        head: head, state: state, snapshot: snapshot, snapshotRevision: head.firstRevision, changes: [])
      tombstones[head.session] = nil
      lastSequence = max(lastSequence, head.sequence)
    case .adopt: return false
    case .change(let change, let summary):
      guard sessions[change.session]?.state.revision == change.revision - 1 else { return false }
      sessions[change.session]?.changes.append(change)
      sessions[change.session]?.state = summary
    case .snapshot(let session, let revision, let text):
      sessions[session]?.snapshot = text
      sessions[session]?.snapshotRevision = revision
    case .trim(let session, let through):
      guard let kept = sessions[session] else { return true }
      sessions[session]?.changes.removeAll { $0.revision <= min(through, kept.snapshotRevision) }
    case .record(let scope, let key, let record):
      records[ScriptedStore.RecordKey(scope: scope, key: key)] = record
    case .touch(let session, let time): sessions[session]?.state.touched = time
    case .end(let session, let tombstone):
      sessions[session] = nil
      tombstones[session] = tombstone
      records = records.filter { $0.key.scope != session }
    }
    return true
  }
}

extension StoreCoding {
  /// Of looks there remains the first state, the rest being the configuration's; of what is wrong with a body the words.
  static let noted = StoreCoding(
    look: { JSONValue.string($0.initialState).text },
    readLook: { text in JSONValue(trusted: text).string.map { TableLook(initialState: $0) } },
    failure: { JSONValue.string(Bytes("\($0)")).text },
    readFailure: { text in JSONValue(trusted: text).string.map { Unexpected($0.string) } })
}

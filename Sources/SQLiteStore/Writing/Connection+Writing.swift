import JSONText
import Sessions

/// What was written does not fit what is there; nothing of the call may stay.
struct WriteConflict {
  let detail: String

  var failure: StoreFailure { StoreFailure(.conflict, detail: detail) }
}

extension Connection {
  /// Writes one thing, in the open transaction.
  ///
  /// - Returns: a conflict, where there is one.
  func apply(_ write: StoreWrite) throws(SQLiteError) -> WriteConflict? {
    switch write {
    case .create(let head, let state, let snapshot):
      var state = state
      state.revision = head.firstRevision
      return try add(head, state, snapshot: snapshot, at: head.firstRevision)
    case .adopt(let session): return try adopt(session)
    case .change(let change, let state): return try append(change, state)
    case .snapshot(let session, let revision, let text): return try setSnapshot(session, revision, text)
    case .trim(let session, let revision): try trim(session, through: revision)
    case .touch(let session, let time): try run(.touch, .bytes(session), .integer(time))
    case .record(let scope, let key, let record):
      try run(
        .setRecord, .bytes(scope), .bytes(key), .bytes(record.fingerprint), .bytes(record.answer),
        .integer(record.expires))
    case .end(let session, let tombstone):
      try remove(session)
      try run(.setTombstone, .bytes(session), .integer(tombstone.revision), .integer(tombstone.until))
    }
    return nil
  }

  // MARK: Sessions

  private func find(_ session: Bytes) throws(SQLiteError) -> (sequence: Int, revision: Int, look: Int)? {
    try first(.findSession, .bytes(session)) { row in (row.integer(0), row.integer(1), row.integer(2)) }
  }

  private func add(
    _ head: StoredHead, _ state: StoredState, snapshot: Bytes, at snapshotRevision: Int
  ) throws(SQLiteError) -> WriteConflict? {
    try remove(head.session)
    try run(.dropTombstone, .bytes(head.session))
    let isTaken = try first(.sessionAtSequence, .integer(head.sequence)) { _ in true } ?? false
    guard !isTaken else { return WriteConflict(detail: "another session has the sequence \(head.sequence)") }
    let look = try use(head)
    try run(
      .addSession, .integer(head.sequence), .bytes(head.session), .integer(look), .integer(head.created),
      .integer(head.firstRevision), .integer(state.revision), .bytes(state.state), .integer(state.itemCount),
      .integer(state.touched))
    try run(.setSnapshot, .integer(head.sequence), .integer(snapshotRevision), .bytes(snapshot))
    try run(.noteSequence, .integer(head.sequence))
    return nil
  }

  private func adopt(_ session: StoredSession) throws(SQLiteError) -> WriteConflict? {
    guard session.isWhole else { return WriteConflict(detail: "the session's changes have gaps") }
    let conflict = try add(
      session.head, session.state, snapshot: session.snapshot, at: session.snapshotRevision)
    guard conflict == nil else { return conflict }
    let sequence = SQLValue.integer(session.head.sequence)
    for change in session.changes {
      try run(.addChange, sequence, .integer(change.revision), .bytes(change.text), .bytes(change.delta))
    }
    return nil
  }

  /// Takes out a session with all that it had; nothing where it is not there, but for records.
  private func remove(_ session: Bytes) throws(SQLiteError) {
    try run(.dropRecords, .bytes(session))
    guard let (sequence, _, look) = try find(session) else { return }
    try run(.dropChanges, .integer(sequence), .integer(.max))
    try run(.dropSnapshot, .integer(sequence))
    try run(.dropSession, .integer(sequence))
    try run(.leaveLook, .integer(look))
    try run(.dropLook, .integer(look))
  }

  /// The number of a session's look, which is kept once for all that have it.
  private func use(_ head: StoredHead) throws(SQLiteError) -> Int {
    let values: (SQLValue, SQLValue, SQLValue) = (
      .integer(Int(bitPattern: head.look.fingerprint)), .bytes(head.table), .bytes(head.look)
    )
    var number = try first(.findLook, values.0, values.1, values.2) { row in row.integer(0) }
    if number == nil { number = try first(.addLook, values.0, values.1, values.2) { row in row.integer(0) } }
    guard let number else { throw SQLiteError.incomplete }
    try run(.useLook, .integer(number))
    return number
  }

  // MARK: Changes and snapshots

  /// Compare-and-append: only behind the revision before.
  private func append(_ change: StoredChange, _ state: StoredState) throws(SQLiteError) -> WriteConflict? {
    try run(
      .appendChange, .bytes(change.session), .integer(change.revision), .bytes(change.text),
      .bytes(change.delta))
    guard changedRows == 1 else {
      guard let (_, revision, _) = try find(change.session) else {
        return WriteConflict(detail: "the session is not there")
      }
      return WriteConflict(detail: "the session is at revision \(revision)")
    }
    try run(
      .setState, .bytes(change.session), .integer(change.revision), .bytes(state.state),
      .integer(state.itemCount),
      .integer(state.touched))
    return nil
  }

  private func setSnapshot(
    _ session: Bytes, _ revision: Int, _ text: Bytes
  ) throws(SQLiteError) -> WriteConflict? {
    guard let (sequence, last, _) = try find(session) else { return nil }
    guard revision <= last else { return WriteConflict(detail: "the session is at revision \(last)") }
    if revision >= (try snapshotRevision(sequence) ?? .min) {
      try run(.setSnapshot, .integer(sequence), .integer(revision), .bytes(text))
    }
    return nil
  }

  private func trim(_ session: Bytes, through revision: Int) throws(SQLiteError) {
    guard let (sequence, _, _) = try find(session), let kept = try snapshotRevision(sequence) else { return }
    try run(.dropChanges, .integer(sequence), .integer(min(revision, kept)))
  }

  private func snapshotRevision(_ sequence: Int) throws(SQLiteError) -> Int? {
    try first(.snapshotRevision, .integer(sequence)) { row in row.integer(0) }
  }

  // MARK: Forgetting

  /// Forgets tombstones and records that were over before a moment, some of each.
  ///
  /// - Returns: whether there may be more.
  func forget(before now: Int) throws(SQLiteError) -> Bool {
    let some = 1000
    try run(.forgetTombstones, .integer(now), .integer(some))
    let tombstones = changedRows
    try run(.forgetRecords, .integer(now), .integer(some))
    return max(tombstones, changedRows) >= some
  }
}

extension Bytes {
  /// A hash that is the same in every process: FNV-1a, 64 bits.
  fileprivate var fingerprint: UInt {
    withUnsafeBytes { $0.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt($1)) &* 0x100_0000_01B3 } }
  }
}

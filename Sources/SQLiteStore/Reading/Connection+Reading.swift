import JSONText
import Sessions

extension Connection {
  /// Runs reads that are to see one moment's state: that of the open transaction, where there is one.
  func atOneMoment<Value>(_ body: () throws(SQLiteError) -> Value) throws(SQLiteError) -> Value {
    if isInTransaction { return try body() }
    try run(.begin)
    do {
      let value = try body()
      try run(.commit)
      return value
    } catch {
      // A transaction that only reads has nothing that could be lost; the failure to tell is the first.
      if isInTransaction { try? run(.rollback) }
      throw error
    }
  }

  /// A session as a whole; nil where it is not there.
  func session(_ id: Bytes) throws(SQLiteError) -> StoredSession? {
    try atOneMoment { () throws(SQLiteError) in
      let summary = try first(.readSession, .bytes(id)) { row throws(SQLiteError) in try StoredSummary(row) }
      guard let summary else { return nil }
      let sequence = SQLValue.integer(summary.head.sequence)
      let snapshot = try first(.readSnapshot, sequence) { row throws(SQLiteError) in
        (revision: row.integer(0), text: try row.bytes(1))
      }
      guard let snapshot else { throw SQLiteError.incomplete }
      var changes: [StoredChange] = []
      try rows(.readChanges, sequence) { row throws(SQLiteError) in
        changes.append(
          StoredChange(
            session: summary.head.session, revision: row.integer(0), text: try row.bytes(1),
            delta: try row.bytes(2)))
        return true
      }
      return StoredSession(
        head: summary.head, state: summary.state, snapshot: snapshot.text,
        snapshotRevision: snapshot.revision,
        changes: changes)
    }
  }

  /// A page of the list of sessions.
  func summaries(after cursor: Int, limit: Int) throws(SQLiteError) -> [StoredSummary] {
    var page: [StoredSummary] = []
    try rows(.listSessions, .integer(cursor), .integer(max(limit, 0))) { row throws(SQLiteError) in
      page.append(try StoredSummary(row))
      return true
    }
    return page
  }

  /// The tombstone of a session.
  func tombstone(_ id: Bytes) throws(SQLiteError) -> StoredTombstone? {
    try first(.readTombstone, .bytes(id)) { row in
      StoredTombstone(revision: row.integer(0), until: row.integer(1))
    }
  }

  /// A record that has not expired.
  func record(scope: Bytes, key: Bytes, now: Int) throws(SQLiteError) -> StoredRecord? {
    try first(.readRecord, .bytes(scope), .bytes(key), .integer(now)) { row throws(SQLiteError) in
      StoredRecord(fingerprint: try row.bytes(0), answer: try row.bytes(1), expires: row.integer(2))
    }
  }

  /// Sessions that were not used since the time of their table.
  ///
  /// O(sessions): a row is some 80 bytes, and an index would cost a page more with every change.
  func unused(since times: [Bytes: Int], limit: Int) throws(SQLiteError) -> [Bytes] {
    guard let latest = times.values.max(), limit > 0 else { return [] }
    var found: [Bytes] = []
    try rows(.unusedSessions, .integer(latest)) { row throws(SQLiteError) in
      if let time = times[try row.bytes(1)], row.integer(2) < time { found.append(try row.bytes(0)) }
      return found.count < limit
    }
    return found
  }

  /// The number of sessions and the highest sequence that was ever given; O(looks).
  func census() throws(SQLiteError) -> (sessions: Int, lastSequence: Int) {
    let sessions = try first(.countSessions) { row in row.integer(0) } ?? 0
    let last = try first(.lastSequence) { row in row.integer(0) } ?? 0
    // It is counted on from: beyond this, which nobody reaches, it is none that a store has noted.
    let credible = 0...(1 << 53)
    guard credible.contains(last), credible.contains(sessions) else { throw .incomplete }
    return (sessions, last)
  }
}

extension StoredSummary {
  /// A row of `Query.readSession` or `.listSessions`.
  fileprivate init(_ row: borrowing Row) throws(SQLiteError) {
    self.init(
      head: StoredHead(
        session: try row.bytes(0), sequence: row.integer(1), table: try row.bytes(2), look: try row.bytes(3),
        created: row.integer(4), firstRevision: row.integer(5)),
      state: StoredState(
        revision: row.integer(6), state: try row.bytes(7), itemCount: row.integer(8), touched: row.integer(9))
    )
  }
}

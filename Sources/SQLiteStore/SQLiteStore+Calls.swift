import JSONText
import Sessions

extension SQLiteStore {
  /// Writes all of `writes` in one transaction; `conflict` where one of them does not fit what is there.
  public func commit(_ writes: [StoreWrite], _ completion: @escaping @Sendable (StoreFailure?) -> Void) {
    if !queue.add(writes, completion) { completion(.tooMuch) }
  }

  /// Forgets tombstones and records whose time is over.
  public func forget(before now: Int) {
    queue.forget(before: now)
  }

  /// Reads a session back; O(snapshot + changes).
  public func restore(
    _ session: Bytes, _ completion: @escaping @Sendable (Result<StoredSession?, StoreFailure>) -> Void
  ) {
    read(behindWritesTo: session, completion) { connection throws(SQLiteError) in
      try connection.session(session)
    }
  }

  /// A page of the list of sessions; O(log sessions + limit).
  public func list(
    after cursor: Int, limit: Int,
    _ completion: @escaping @Sendable (Result<[StoredSummary], StoreFailure>) -> Void
  ) {
    read(completion) { connection throws(SQLiteError) in
      try connection.summaries(after: cursor, limit: limit)
    }
  }

  /// The tombstone of a session, also one whose time is over but that was not yet forgotten.
  public func tombstone(
    _ session: Bytes, _ completion: @escaping @Sendable (Result<StoredTombstone?, StoreFailure>) -> Void
  ) {
    read(behindWritesTo: session, completion) { connection throws(SQLiteError) in
      try connection.tombstone(session)
    }
  }

  /// What was kept under an `Idempotency-Key`; O(log records).
  public func record(
    scope: Bytes, key: Bytes, now: Int,
    _ completion: @escaping @Sendable (Result<StoredRecord?, StoreFailure>) -> Void
  ) {
    read(behindWritesTo: scope, completion) { connection throws(SQLiteError) in
      try connection.record(scope: scope, key: key, now: now)
    }
  }

  /// Sessions that have gone unused for too long; O(sessions).
  public func expired(
    _ usedBefore: [Bytes: Int], limit: Int,
    _ completion: @escaping @Sendable (Result<[Bytes], StoreFailure>) -> Void
  ) {
    read(completion) { connection throws(SQLiteError) in
      try connection.unused(since: usedBefore, limit: limit)
    }
  }

  /// Has `query` run on the reading thread, behind the writes to a place that were called before.
  private func read<Value: Sendable>(
    behindWritesTo place: Bytes? = nil,
    _ completion: @escaping @Sendable (Result<Value, StoreFailure>) -> Void,
    _ query: @escaping @Sendable (Connection) throws(SQLiteError) -> Value
  ) {
    let job: Reader.Job = { connection in
      do throws(SQLiteError) {
        let value = try query(connection.get())
        return { completion(.success(value)) }
      } catch {
        if error.isOfFile, case .success(let used) = connection { used.isSuspect = true }
        return { completion(.failure(error.readFailure)) }
      }
    }
    if let place, queue.add(job, behindWritesTo: place) { return }
    if !reader.add(job) { completion(.failure(.tooMuch)) }
  }
}

extension StoreFailure {
  /// The bound of a queue is reached, or the store is being closed.
  fileprivate static let tooMuch = StoreFailure(
    .unavailable, detail: "the store: too much waits for it already")
}

import JSONText
import Sessions
import Synchronization

/// What every store must do, in the plainest words: the reference to which others are compared.
package final class MemoryStore: ChangeStore {
  fileprivate struct Contents {
    var sessions: [Bytes: StoredSession] = [:]
    var tombstones: [Bytes: StoredTombstone] = [:]
    var records: [Bytes: [Bytes: StoredRecord]] = [:]
    var lastSequence = 0
  }

  private let contents = Mutex(Contents())

  package init() {}

  package var isWritable: Bool { true }

  package func commit(_ writes: [StoreWrite], _ completion: @escaping @Sendable (StoreFailure?) -> Void) {
    let isDone = contents.withLock { contents in
      var changed = contents
      for write in writes { guard changed.apply(write) else { return false } }
      contents = changed
      return true
    }
    completion(isDone ? nil : StoreFailure(.conflict, detail: "it does not fit"))
  }

  package func restore(
    _ session: Bytes, _ completion: @escaping @Sendable (Result<StoredSession?, StoreFailure>) -> Void
  ) {
    completion(.success(contents.withLock { $0.sessions[session] }))
  }

  package func list(
    after cursor: Int, limit: Int,
    _ completion: @escaping @Sendable (Result<[StoredSummary], StoreFailure>) -> Void
  ) {
    completion(.success(Array(ordered.filter { $0.head.sequence > cursor }.prefix(limit))))
  }

  package func tombstone(
    _ session: Bytes, _ completion: @escaping @Sendable (Result<StoredTombstone?, StoreFailure>) -> Void
  ) {
    completion(.success(contents.withLock { $0.tombstones[session] }))
  }

  package func record(
    scope: Bytes, key: Bytes, now: Int,
    _ completion: @escaping @Sendable (Result<StoredRecord?, StoreFailure>) -> Void
  ) {
    let record = contents.withLock { $0.records[scope]?[key] }
    completion(.success(record.flatMap { $0.expires > now ? $0 : nil }))
  }

  package func expired(
    _ usedBefore: [Bytes: Int], limit: Int,
    _ completion: @escaping @Sendable (Result<[Bytes], StoreFailure>) -> Void
  ) {
    let unused = ordered.filter { summary in
      usedBefore[summary.head.table].map { summary.state.touched < $0 } ?? false
    }
    completion(.success(unused.prefix(limit).map(\.head.session)))
  }

  package func forget(before now: Int) {
    contents.withLock { contents in
      contents.tombstones = contents.tombstones.filter { $0.value.until > now }
      for scope in Array(contents.records.keys) {
        contents.records[scope] = contents.records[scope]?.filter { $0.value.expires > now }
      }
    }
  }

  package var census: (sessions: Int, lastSequence: Int) {
    contents.withLock { ($0.sessions.count, $0.lastSequence) }
  }

  package func close() {}

  private var ordered: [StoredSummary] {
    contents.withLock { Array($0.sessions.values) }
      .map { StoredSummary(head: $0.head, state: $0.state) }
      .sorted { $0.head.sequence < $1.head.sequence }
  }
}

extension MemoryStore.Contents {
  /// Does one thing; false where it does not fit.
  fileprivate mutating func apply(_ write: StoreWrite) -> Bool {
    switch write {
    case .create(let head, var state, let snapshot):
      state.revision = head.firstRevision
      return put(
        StoredSession(
          head: head, state: state, snapshot: snapshot, snapshotRevision: head.firstRevision, changes: []))
    case .adopt(let session):
      return put(session)
    case .change(let change, var state):
      guard let last = sessions[change.session]?.state.revision, change.revision == last + 1 else {
        return false
      }
      state.revision = change.revision
      sessions[change.session]?.changes.append(change)
      sessions[change.session]?.state = state
    case .snapshot(let id, let revision, let text):
      guard let session = sessions[id] else { return true }
      guard revision <= session.state.revision else { return false }
      guard revision >= session.snapshotRevision else { return true }
      sessions[id]?.snapshot = text
      sessions[id]?.snapshotRevision = revision
    case .trim(let id, let through):
      guard let kept = sessions[id]?.snapshotRevision else { return true }
      sessions[id]?.changes.removeAll { $0.revision <= min(through, kept) }
    case .record(let scope, let key, let record): records[scope, default: [:]][key] = record
    case .touch(let id, let time): sessions[id]?.state.touched = time
    case .end(let id, let tombstone):
      sessions[id] = nil
      records[id] = nil
      tombstones[id] = tombstone
    }
    return true
  }

  private mutating func put(_ session: StoredSession) -> Bool {
    let (id, sequence) = (session.head.session, session.head.sequence)
    guard !sessions.contains(where: { $0.key != id && $0.value.head.sequence == sequence }) else {
      return false
    }
    tombstones[id] = nil
    records[id] = nil
    sessions[id] = session
    lastSequence = max(lastSequence, sequence)
    return true
  }
}

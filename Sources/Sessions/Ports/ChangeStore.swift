import JSONText

/// Keeps sessions durably: for each an append-only log of changes, and now and then a snapshot.
///
/// Calls come from any thread and must not block; completions come once, from any thread, possibly before the call
/// returns. Those of the commits of one session come in the order of the calls, and what is read of a session holds
/// whatever was called for it before. What a completion has called a success survives the end of the process at any
/// moment.
public protocol ChangeStore: Sendable {
  /// Whether writing works, as far as is known; `/readyz` tells.
  var isWritable: Bool { get }

  /// Writes all of `writes` together, or none of them. Many calls may share one transaction.
  ///
  /// - Parameter completion: a failure means that nothing was written, unless it says that the outcome is unknown.
  func commit(_ writes: [StoreWrite], _ completion: @escaping @Sendable (StoreFailure?) -> Void)

  /// Reads a session back as its last snapshot and the changes behind it; nil where it is not there.
  func restore(
    _ session: Bytes, _ completion: @escaping @Sendable (Result<StoredSession?, StoreFailure>) -> Void)

  /// The sessions from `cursor` on in the order of their creation, at most `limit`.
  ///
  /// - Parameter cursor: 0, or the `sequence` of the last session of the page before.
  func list(
    after cursor: Int, limit: Int,
    _ completion: @escaping @Sendable (Result<[StoredSummary], StoreFailure>) -> Void)

  /// The tombstone of a session that has ended; nil where there is none.
  func tombstone(
    _ session: Bytes, _ completion: @escaping @Sendable (Result<StoredTombstone?, StoreFailure>) -> Void)

  /// What was kept under an `Idempotency-Key`; nil where nothing was, or it has expired.
  func record(
    scope: Bytes, key: Bytes, now: Int,
    _ completion: @escaping @Sendable (Result<StoredRecord?, StoreFailure>) -> Void)

  /// Sessions that were not used since the time given for their table (milliseconds since 1970; tables that are
  /// absent never end), at most `limit`.
  func expired(
    _ usedBefore: [Bytes: Int], limit: Int,
    _ completion: @escaping @Sendable (Result<[Bytes], StoreFailure>) -> Void)

  /// Forgets tombstones and records whose time is over. Best effort.
  func forget(before now: Int)

  /// The number of sessions at the start, and the highest sequence that was ever given.
  var census: (sessions: Int, lastSequence: Int) { get }

  /// Writes what is pending and lets go of files. Blocks; called once, at the very end.
  func close()
}

/// One thing to be written.
public enum StoreWrite: Sendable {
  /// A new session at its first revision. An earlier session or tombstone of the id is taken out with all that it
  /// had, the records in its scope among it.
  case create(StoredHead, StoredState, snapshot: Bytes)
  /// A session as another store had it, under a sequence of this one; otherwise as a new one.
  case adopt(StoredSession)
  /// A change: refused (`StoreFailure.conflict`) where the revision is not the one behind the session's last.
  case change(StoredChange, summary: StoredState)
  /// The list as a whole at a revision up to the last; older changes remain for `since`, older snapshots are dropped.
  /// Nothing where the session is not there.
  case snapshot(session: Bytes, revision: Int, text: Bytes)
  /// Changes up to this revision are not needed any more, nor kept; those behind the snapshot are, whatever this says.
  case trim(session: Bytes, through: Int)
  /// What is kept under an `Idempotency-Key`, in place of what was.
  /// The scope is a session's id, or something that is none.
  case record(scope: Bytes, key: Bytes, StoredRecord)
  /// When a session was used last, in milliseconds since 1970.
  case touch(session: Bytes, time: Int)
  /// The session has ended: all that it had goes, the records in its scope too, and a tombstone stands until a moment.
  case end(session: Bytes, StoredTombstone)
}

/// What never changes about a session.
public struct StoredHead: Sendable, Equatable {
  /// The session's id.
  public var session: Bytes
  /// Its place in the order of creation.
  public var sequence: Int
  /// Its table's name.
  public var table: Bytes
  /// The look that the session keeps, as JSON.
  public var look: Bytes
  /// Milliseconds since 1970.
  public var created: Int
  /// The revision at which it was made.
  public var firstRevision: Int

  /// These values.
  public init(session: Bytes, sequence: Int, table: Bytes, look: Bytes, created: Int, firstRevision: Int) {
    self.session = session
    self.sequence = sequence
    self.table = table
    self.look = look
    self.created = created
    self.firstRevision = firstRevision
  }
}

/// A change as it is kept.
public struct StoredChange: Sendable, Equatable {
  /// The session's id.
  public var session: Bytes
  /// The revision that it leads to.
  public var revision: Int
  /// As clients are told it.
  public var text: Bytes
  /// What else a restored list needs to know of it.
  public var delta: Bytes

  /// These values.
  public init(session: Bytes, revision: Int, text: Bytes, delta: Bytes) {
    self.session = session
    self.revision = revision
    self.text = text
    self.delta = delta
  }
}

/// What the list of sessions tells beside the head.
public struct StoredState: Sendable, Equatable {
  /// The last revision.
  public var revision: Int
  /// The name of the state that it is in.
  public var state: Bytes
  /// The number of items that it holds.
  public var itemCount: Int
  /// Milliseconds since 1970.
  public var touched: Int

  /// These values.
  public init(revision: Int, state: Bytes, itemCount: Int, touched: Int) {
    self.revision = revision
    self.state = state
    self.itemCount = itemCount
    self.touched = touched
  }
}

/// A session as it is read back.
public struct StoredSession: Sendable, Equatable {
  /// What never changes.
  public var head: StoredHead
  /// What it has come to.
  public var state: StoredState
  /// The list as a whole at `snapshotRevision`.
  public var snapshot: Bytes
  /// The revision of `snapshot`, at most the last.
  public var snapshotRevision: Int
  /// All changes that are kept, oldest first: those up to `snapshotRevision` for `since` alone.
  public var changes: [StoredChange]

  /// These values.
  public init(
    head: StoredHead, state: StoredState, snapshot: Bytes, snapshotRevision: Int, changes: [StoredChange]
  ) {
    self.head = head
    self.state = state
    self.snapshot = snapshot
    self.snapshotRevision = snapshotRevision
    self.changes = changes
  }
}

/// A session in the list of sessions.
public struct StoredSummary: Sendable, Equatable {
  /// What never changes.
  public var head: StoredHead
  /// What it has come to.
  public var state: StoredState

  /// These values.
  public init(head: StoredHead, state: StoredState) {
    self.head = head
    self.state = state
  }
}

/// What remains of a session that has ended.
public struct StoredTombstone: Sendable, Equatable {
  /// The session's last revision.
  public var revision: Int
  /// Milliseconds since 1970.
  public var until: Int

  /// These values.
  public init(revision: Int, until: Int) {
    self.revision = revision
    self.until = until
  }
}

/// What is kept under an `Idempotency-Key`.
public struct StoredRecord: Sendable, Equatable {
  /// What the key stands for.
  public var fingerprint: Bytes
  /// The answer, as whoever wrote it encodes it; empty while there is none.
  public var answer: Bytes
  /// Milliseconds since 1970.
  public var expires: Int

  /// These values.
  public init(fingerprint: Bytes, answer: Bytes, expires: Int) {
    self.fingerprint = fingerprint
    self.answer = answer
    self.expires = expires
  }
}

/// Why something could not be kept or read.
public struct StoreFailure: Error, Sendable, Equatable {
  /// The kinds of failures.
  public enum Code: Sendable, Equatable {
    /// Another revision stands where the change was to go: somebody else has written.
    case conflict
    /// It was not done; trying again may help.
    case unavailable
    /// Whether it was done is not known.
    case unknown
    /// What was to be read is there and cannot be: trying again does not help, ending the session does.
    ///
    /// `revision` is the last that the session had, where that can be told.
    case damaged(revision: Int?)
  }

  /// The kind of the failure.
  public var code: Code
  /// For a person; no path in it.
  public var detail: String

  /// These values.
  public init(_ code: Code, detail: String) {
    self.code = code
    self.detail = detail
  }

  /// What is kept under a key cannot be read.
  static let damagedRecord = StoreFailure(.unavailable, detail: "what is kept of the key is damaged")
}

import JSONText
import ListModel

// What a session lets go of when nobody uses it: copies at first, then its shape, in the end its memory.
extension SessionCore {
  /// What a packed session is made of.
  struct Draft {
    let list: ListState
    let changes: ArraySlice<Change>
    /// Milliseconds since 1970.
    let touched: Int
    let records: IdempotencyRecords<Kept>
    let ledger: Durability.Ledger?
    /// List and log in packed form, where they have been in it before.
    let packedText: [UInt8]?
  }

  /// Whether an open stream or a waiting caller uses the session, or somebody is about to.
  var isWatched: Bool { subscribers.count > 0 || !waiters.isEmpty || !pollers.isEmpty || holders > 0 }

  /// When the session was last used; nil while someone uses it, or what was decided is not durable yet.
  var unusedSince: Int? { isWatched || durability?.isBusy == true ? nil : touched }

  /// Lets go of what is only kept to be given again, and of what was promised for a time that is over.
  mutating func rest(now: Int) {
    copies = Copies()
    records.forget(before: now)
  }

  /// Whether nobody uses this object, and nothing is going on in it.
  private var isIdle: Bool {
    unusedSince != nil && !hasEnded && !isEvicted && list.fetchInFlight == nil && !records.isBusy
  }

  /// Whether this is so, and nothing hangs on it that its texts do not tell.
  private var isAtRest: Bool { isIdle && !list.holdsPages }

  // MARK: Into the store

  /// Whether nobody has used the session since `time`, and the store can give it again, with its last use.
  func hasSettled(since time: Int, now: Int) -> Bool {
    isAtRest && touched < time && durability?.ledger.hasSettled(touched, now: now) == true
  }

  /// Puts the session out of memory; where it was used since the store was told, that is to be written.
  ///
  /// - Parameter isUrgent: whether memory is needed so that a failed refresh may have to begin again from its first page,
  ///   as after a restart.
  mutating func evict(isUrgent: Bool) -> [StoreWrite]? {
    guard let durability, isUrgent ? isIdle : isAtRest else { return nil }
    isEvicted = true
    return durability.ledger.leavings(of: id, touched)
  }

  // MARK: Packing

  /// What to pack; nil where something hangs on the session, or it was used just at `now`.
  func draft(now: Int) -> Draft? {
    guard isAtRest, touched != now else { return nil }
    return Draft(
      list: list, changes: log.kept, touched: touched,
      records: durability == nil ? records : IdempotencyRecords(), ledger: durability?.ledger,
      packedText: packedText)
  }

  /// Gives the session up to the packed one that was made of `draft`; false where it has been used since.
  mutating func leave(_ draft: Draft) -> Bool {
    // Whoever has used it in the meantime has left another time, for a draft is of one that was used before.
    guard isAtRest, touched == draft.touched, list.revision == draft.list.revision,
      durability?.ledger == draft.ledger
    else { return false }
    isEvicted = true
    return true
  }

  // MARK: Measuring

  /// About how many bytes of memory this takes.
  var residentBytes: Int {
    let listBytes = durability.map { $0.ledger.snapshotBytes + $0.ledger.deltaBytes } ?? list.sampledBytes
    return Self.fixedBytes + listBytes + list.heldBytes + log.byteCount + copies.bytes
      + (packedText?.count ?? 0)
      + records.count * Self.recordBytes
  }

  /// What a session takes beside its texts, and a record.
  private static let fixedBytes = 3072
  static let recordBytes = 256
}

import JSONText

/// Ids of sessions that have ended, each for an hour.
struct Tombstones: Sendable {
  private var revisions: [Bytes: (revision: Int, until: Int)] = [:]
  private var order = ExpiryQueue()

  /// How long a tombstone stands, in milliseconds.
  static let lifetime = 3600 * 1000

  /// Whether the session with this id has ended within the last hour.
  ///
  /// O(1).
  func contains(_ id: Bytes, now: Int) -> Bool {
    revisions[id].map { $0.until > now } ?? false
  }

  /// The last revision of an ended session.
  ///
  /// O(1).
  func revision(of id: Bytes) -> Int? { revisions[id]?.revision }

  /// Notes the end of a session, and forgets what is too old.
  ///
  /// O(1) amortised.
  mutating func add(_ id: Bytes, revision: Int, now: Int) {
    forget(before: now)
    learn(id, StoredTombstone(revision: revision, until: now + Self.lifetime))
  }

  /// Takes in a tombstone that a store has kept.
  ///
  /// O(1) amortised.
  mutating func learn(_ id: Bytes, _ tombstone: StoredTombstone) {
    revisions[id] = (tombstone.revision, tombstone.until)
    order.append(id, until: tombstone.until)
  }

  /// The id lives again.
  mutating func remove(_ id: Bytes) {
    revisions[id] = nil
  }

  /// Forgets tombstones that have stood long enough.
  ///
  /// O(1) amortised.
  mutating func forget(before now: Int) {
    while let id = order.popExpired(now: now) {
      if let tomb = revisions[id], tomb.until <= now { revisions[id] = nil }
    }
  }
}

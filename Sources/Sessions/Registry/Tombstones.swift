import JSONText

/// Ids of sessions that have ended, each for an hour.
struct Tombstones: Sendable {
  private var revisions: [Bytes: (revision: Int, until: Int)] = [:]
  /// In the order in which they end.
  private var order: [(id: Bytes, until: Int)] = []
  private var first = 0

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
    order.append((id, tombstone.until))
  }

  /// The id lives again.
  mutating func remove(_ id: Bytes) {
    revisions[id] = nil
  }

  /// Forgets tombstones that have stood long enough.
  ///
  /// O(1) amortised.
  mutating func forget(before now: Int) {
    while first < order.count, order[first].until <= now {
      if let tomb = revisions[order[first].id], tomb.until <= now { revisions[order[first].id] = nil }
      first += 1
    }
    if first > 64, first * 2 > order.count {
      order.removeFirst(first)
      first = 0
    }
  }
}

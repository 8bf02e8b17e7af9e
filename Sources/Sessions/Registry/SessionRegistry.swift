import JSONText
import ListModel
import Synchronization

/// All sessions, by id and in the order of their creation.
///
/// Sessions live in memory. What has ended leaves a tombstone for an hour, so that late callers are told so.
public final class SessionRegistry: Sendable {
  /// What the lock guards.
  struct State {
    var sessions: [Bytes: Session] = [:]
    /// In the order of creation; ended sessions are taken out now and then.
    var order: [(sequence: Int, id: Bytes)] = []
    var tombstones = Tombstones()
    var nextSequence = 1
    /// Idempotency keys of creations, by the caller's token.
    var creations: [Bytes: IdempotencyRecords<Creation>] = [:]
    var isDraining = false
    /// When sessions are to be looked at again because one may have to end, in milliseconds since 1970.
    var nextExpiry = Int.max
  }

  /// What a creation came to, so that it can be answered again.
  enum Creation: Sendable {
    case session(Bytes, isNew: Bool, SessionCore.Kept)
    case failure(FailedAnswer)
  }

  let house: SessionHouse
  let state = Mutex(State())

  /// A registry without sessions.
  ///
  /// - Parameter sources: gives the source of a table; asked at each fetch.
  public init(
    tables: TableCatalog, sources: @escaping SourceProvider, limits: SessionLimits = SessionLimits(),
    encoding: FeedEncoding, observer: any SessionObserver, world: World
  ) {
    house = SessionHouse(
      tables: tables, sources: sources, limits: limits, encoding: encoding, observer: observer, world: world)
  }

  /// The tables as the configuration has them now.
  ///
  /// Sessions keep how they look; the rest follows at once.
  public var tables: TableCatalog {
    get { house.catalog }
    set { house.catalog = newValue }
  }

  /// The number of sessions.
  public var count: Int { state.withLock { $0.sessions.count } }

  /// The session with this id.
  ///
  /// - Throws: `ended` for an hour after its end, `unknown` then and for ids that never were.
  public func session(_ id: Bytes) throws(SessionFailure) -> Session {
    let now = house.world.now()
    guard let session = state.withLock({ $0.sessions[id] }) else {
      throw state.withLock { $0.tombstones.contains(id, now: now) } ? .ended : .unknown
    }
    if expire(session, now: now) { throw .ended }
    return session
  }

  /// The revision of the session with this id, where it is there.
  ///
  /// Does not count as a use.
  public func revision(of id: Bytes) -> Int? {
    state.withLock { $0.sessions[id] }?.peek()?.version.revision
  }

  /// Ends a session.
  ///
  /// - Parameter condition: `If-Match`.
  /// - Throws: `revisionMismatch` where the session is at another revision.
  public func end(_ id: Bytes, _ condition: CommandRequest.Condition? = nil) throws(SessionFailure) {
    let session = try session(id)
    try session.end(.deleted, if: condition)
    forget(session, now: house.world.now())
  }

  /// Answers all who wait for fetches with what there is, and refuses new sessions: the server is going down.
  public func drain() {
    let sessions = state.withLock { state in
      state.isDraining = true
      return Array(state.sessions.values)
    }
    for session in sessions { session.drain() }
  }

  /// Puts a tombstone in the place of a session that has ended.
  ///
  /// Does nothing the second time.
  func forget(_ session: Session, now: Int) {
    let revision = session.revision
    state.withLock { state in
      guard state.sessions[session.id] === session else { return }
      state.sessions[session.id] = nil
      state.tombstones.add(session.id, revision: revision, now: now)
      state.compactOrder()
    }
  }
}

extension SessionRegistry.State {
  /// Adds a session behind all others.
  ///
  /// O(1) amortised.
  mutating func add(_ session: Session) {
    nextSequence = session.sequence + 1
    sessions[session.id] = session
    order.append((session.sequence, session.id))
  }

  /// The first sessions, `limit` at most, that were made after the one with this sequence.
  ///
  /// O(log n + limit), ended sessions being at most as many as the others.
  func sessions(after sequence: Int, limit: Int) -> [Session] {
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      if order[middle].sequence <= sequence { low = middle + 1 } else { high = middle }
    }
    var found: [Session] = []
    while low < order.count, found.count < limit {
      if let session = session(at: low) { found.append(session) }
      low += 1
    }
    return found
  }

  /// The session at a place in the order; nil where it has ended.
  private func session(at place: Int) -> Session? {
    guard let session = sessions[order[place].id], session.sequence == order[place].sequence else {
      return nil
    }
    return session
  }

  /// Takes ended sessions out of the order once they are as many as the others.
  ///
  /// O(1) amortised.
  fileprivate mutating func compactOrder() {
    guard order.count > 64, order.count > 2 * sessions.count else { return }
    order = order.indices.filter { session(at: $0) != nil }.map { order[$0] }
  }
}

import JSONText
import ListModel
import Synchronization

/// All sessions, by id and in the order of their creation.
///
/// Without a store sessions live in memory. With one they are brought into memory when they are first asked for, and
/// put out of it again when it is needed for others. What has ended leaves a tombstone for an hour, so that late
/// callers are told so.
public final class SessionRegistry: Sendable {
  /// What the lock guards.
  struct State {
    /// Those in memory.
    var sessions: [Bytes: Session] = [:]
    /// With a store, ids of sessions that are being made, read or ended, each with those who wait for it.
    var arrivals: [Bytes: [FoundSession]] = [:]
    /// The number of sessions, those being made among them; nil without a store, where it is that of `sessions`.
    var total: Int?
    /// In the order of creation; ended sessions are taken out now and then.
    var order: [(sequence: Int, id: Bytes)] = []
    var tombstones = Tombstones()
    var nextSequence = 1
    /// Idempotency keys of creations, by the caller's token.
    var creations: [Bytes: IdempotencyRecords<Creation>] = [:]
    var isDraining = false
    /// When sessions are to be looked at again because one may have to end, in milliseconds since 1970.
    var nextExpiry = Int.max
    /// When the store is to be asked for sessions that may have to end.
    var nextSweep = 0
    /// The idle times of tables that the store has; nil while that is not known.
    var keptIdleTimes: Bytes?
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
    encoding: FeedEncoding, observer: any SessionObserver, world: World,
    store: (any ChangeStore, StoreCoding)? = nil
  ) {
    house = SessionHouse(
      tables: tables, sources: sources, limits: limits, encoding: encoding, observer: observer, world: world,
      keeping: store.map { Keeping(store: $0.0, coding: $0.1) })
    guard let store = store?.0 else { return }
    let census = store.census
    state.withLock { state in
      state.total = census.sessions
      state.nextSequence = census.lastSequence + 1
    }
    house.find { [weak self] id, found in
      if let self { self.session(id, found) } else { found(.failure(.draining)) }
    }
    if let keeping = house.keeping { learnIdleTimes(keeping) }
  }

  /// The tables as the configuration has them now.
  ///
  /// Sessions keep how they look; the rest follows at once.
  public var tables: TableCatalog {
    get { house.catalog }
    set {
      house.catalog = newValue
      if let keeping = house.keeping { keepIdleTimes(keeping) }
    }
  }

  /// The number of sessions, in memory and in the store.
  public var count: Int { state.withLock { $0.count } }

  /// The number of sessions in memory.
  public var residentCount: Int { state.withLock { $0.sessions.count } }

  /// Whether what is decided can be made durable, as far as is known.
  public var isWritable: Bool { house.keeping?.store.isWritable ?? true }

  /// The session with this id, or why there is none; nil where only the store can tell.
  ///
  /// O(1).
  public func find(_ id: Bytes) -> Result<Session, SessionFailure>? {
    let now = house.world.now()
    guard let session = state.withLock({ $0.sessions[id] }) else {
      if state.withLock({ $0.tombstones.contains(id, now: now) }) { return .failure(.ended) }
      return house.keeping == nil ? .failure(.unknown) : nil
    }
    return expire(session, now: now) ? .failure(.ended) : .success(session)
  }

  /// The session with this id, which is in memory.
  ///
  /// - Throws: `ended` for an hour after its end, `unknown` then and for ids that never were; `resting` where only the
  ///   store can tell.
  public func session(_ id: Bytes) throws(SessionFailure) -> Session {
    guard let found = find(id) else { throw .resting }
    return try found.get()
  }

  /// The revision of the session with this id, where it is there.
  ///
  /// Does not count as a use.
  public func revision(of id: Bytes) -> Int? {
    state.withLock { $0.sessions[id] }?.peek()?.version.revision
  }

  /// Ends a session.
  ///
  /// - Parameters:
  ///   - condition: `If-Match`.
  ///   - reply: called once it has ended for good: with nil, or why it has not; `revisionMismatch` where it is at another
  ///     revision.
  public func end(
    _ id: Bytes, _ condition: CommandRequest.Condition? = nil,
    _ reply: @escaping @Sendable (SessionFailure?) -> Void
  ) {
    session(id) { [self] found in
      switch found {
      case .failure(let failure): reply(failure)
      case .success(let session): end(session, condition, reply)
      }
    }
  }

  /// Ends a session that was found.
  public func end(
    _ session: Session, _ condition: CommandRequest.Condition?,
    _ reply: @escaping @Sendable (SessionFailure?) -> Void
  ) {
    session.end(.deleted, if: condition) { [self] failure in
      if failure == nil { forget(session, now: house.world.now()) }
      reply(failure)
    }
  }

  /// Answers all who wait for fetches with what there is, and refuses new sessions: the server is going down.
  public func drain() {
    let sessions = state.withLock { state in
      state.isDraining = true
      return Array(state.sessions.values)
    }
    for session in sessions {
      session.drain()
      session.touch()
    }
  }

  /// Puts a tombstone in the place of a session that has ended.
  ///
  /// Does nothing the second time.
  func forget(_ session: Session, now: Int) {
    let revision = session.revision
    state.withLock { state in
      guard state.sessions[session.id] === session else { return }
      state.sessions[session.id] = nil
      if let total = state.total { state.total = total - 1 }
      state.tombstones.add(session.id, revision: revision, now: now)
      state.compactOrder()
    }
  }
}

extension SessionRegistry.State {
  /// The number of sessions.
  var count: Int { total ?? sessions.count }

  /// Adds a session behind all others.
  ///
  /// O(1) amortised.
  mutating func add(_ session: Session) {
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

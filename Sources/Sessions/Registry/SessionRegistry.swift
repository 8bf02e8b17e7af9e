import JSONText
import ListModel
import Synchronization

/// All sessions, by id and in the order of their creation.
///
/// Without a store sessions live in memory. With one they are brought into memory when they are first asked for, and
/// put out of it again when it is needed for others. Those in memory that nobody uses are packed. What has ended leaves a tombstone for an hour, so that late
/// callers are told so.
public final class SessionRegistry: Sendable {
  /// What the lock guards.
  struct State {
    /// Those in memory, as they are used.
    var sessions: [Bytes: Session] = [:]
    /// Those in memory that are packed; one that is being woken among them.
    var packed: [Bytes: PackedSession] = [:]
    /// The room for those that are not.
    var room: AwakeRoom
    /// Ids of sessions that are being made, read, woken or ended, each with those who wait for it.
    var arrivals: [Bytes: [FoundSession]] = [:]
    /// The number of sessions, those being made among them; nil without a store, where all are in memory.
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
  let state: Mutex<State>

  /// A registry without sessions.
  ///
  /// - Parameter sources: gives the source of a table; asked at each fetch.
  public init(
    tables: TableCatalog, sources: @escaping SourceProvider, limits: SessionLimits = SessionLimits(),
    encoding: FeedEncoding, observer: any SessionObserver, world: World,
    store: (any ChangeStore, StoreCoding)? = nil, packing: Packing? = nil
  ) {
    state = Mutex(State(room: AwakeRoom(residentBytes: limits.residentBytes)))
    house = SessionHouse(
      tables: tables, sources: sources, limits: limits, encoding: encoding, observer: observer, world: world,
      keeping: store.map { Keeping(store: $0.0, coding: $0.1) }, packing: packing)
    house.find { [weak self] id, found in
      if let self { self.session(id, found) } else { found(.failure(.draining)) }
    }
    guard let store = store?.0 else { return }
    let census = store.census
    state.withLock { state in
      state.total = census.sessions
      state.nextSequence = census.lastSequence + 1
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
  public var residentCount: Int { state.withLock { $0.residentCount } }

  /// The number of sessions in memory that are packed.
  public var packedCount: Int { state.withLock { $0.packed.count } }

  /// Whether what is decided can be made durable, as far as is known.
  public var isWritable: Bool { house.keeping?.store.isWritable ?? true }

  /// The session with this id, or why there is none; nil where it is packed or just ending, or only the store can tell.
  ///
  /// O(1).
  public func find(_ id: Bytes) -> Result<Session, SessionFailure>? {
    let now = house.world.now()
    guard let session = state.withLock({ $0.sessions[id] }) else {
      return state.withLock { state in
        if state.packed[id] != nil { return nil }
        if state.tombstones.contains(id, now: now) { return .failure(.ended) }
        return house.keeping == nil && state.sessions[id] == nil ? .failure(.unknown) : nil
      }
    }
    switch expire(session, now: now) {
    case .there: return .success(session)
    case .ending: return nil
    case .ended: return .failure(.ended)
    }
  }

  /// The session with this id, which is in memory and not packed.
  ///
  /// - Throws: `ended` for an hour after its end, `unknown` then and for ids that never were; `resting` where it is
  ///   packed, or only the store can tell.
  public func session(_ id: Bytes) throws(SessionFailure) -> Session {
    guard let found = find(id) else { throw .resting }
    return try found.get()
  }

  /// The revision of the session with this id, where it is there.
  ///
  /// Does not count as a use.
  public func revision(of id: Bytes) -> Int? {
    let (session, packed) = state.withLock { ($0.sessions[id], $0.packed[id]) }
    return session?.peek()?.version.revision ?? packed?.state.revision
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
      case .failure(.store(let failure, _)):
        guard case .damaged(let revision) = failure.code else {
          return reply(.store(failure, hasStarted: false))
        }
        endDamaged(id, at: revision, condition, reply)
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
    let (sessions, packed) = state.withLock { state in
      state.isDraining = true
      return (Array(state.sessions.values), Array(state.packed.values))
    }
    for session in sessions {
      session.drain()
      session.touch()
    }
    let touches = packed.filter(\.owesTouch).flatMap(\.leavings)
    if !touches.isEmpty { house.keeping?.store.commit(touches) { _ in } }
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
  var count: Int { total ?? residentCount }

  /// The number of those in memory.
  var residentCount: Int { sessions.count + packed.count }

  /// Adds a session behind all others.
  ///
  /// O(1) amortised.
  mutating func add(_ session: Session) {
    sessions[session.id] = session
    order.append((session.sequence, session.id))
  }

  /// Has the order hold the packed session's own copy of its id; O(log n).
  mutating func relabel(_ packed: PackedSession) {
    let place = place(behind: packed.sequence - 1)
    if place < order.count, order[place].sequence == packed.sequence { order[place].id = packed.id }
  }

  /// The first sessions, `limit` at most, that were made after the one with this sequence.
  ///
  /// O(log n + limit), ended sessions being at most as many as the others.
  func residents(after sequence: Int, limit: Int) -> [Resident] {
    var place = place(behind: sequence)
    var found: [Resident] = []
    while place < order.count, found.count < limit {
      if let resident = resident(at: place) { found.append(resident) }
      place += 1
    }
    return found
  }

  /// Where in the order the sessions begin that were made after the one with this sequence; O(log n).
  private func place(behind sequence: Int) -> Int {
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      if order[middle].sequence <= sequence { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The session with this id, where it is in memory.
  func resident(_ id: Bytes) -> Resident? {
    sessions[id].map { .awake($0) } ?? packed[id].map { .packed($0) }
  }

  /// The session at a place in the order; nil where it has ended.
  private func resident(at place: Int) -> Resident? {
    guard let resident = resident(order[place].id), resident.sequence == order[place].sequence else {
      return nil
    }
    return resident
  }

  /// Takes ended sessions out of the order once they are as many as the others.
  ///
  /// O(1) amortised.
  mutating func compactOrder() {
    guard order.count > 64, order.count > 2 * residentCount else { return }
    order = order.indices.filter { resident(at: $0) != nil }.map { order[$0] }
  }
}

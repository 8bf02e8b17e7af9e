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
    var order: [Session] = []
    var tombstones = Tombstones()
    var nextSequence = 1
    /// Idempotency keys of creations, by the caller's token.
    var creations: [Bytes: IdempotencyRecords<Creation>] = [:]
    var isDraining = false
    /// When the next session may have to end, in milliseconds since 1970.
    var nextExpiry = Int.max
  }

  /// What a creation came to, so that it can be answered again.
  enum Creation: Sendable {
    case session(Bytes, CommandAnswer)
    case failure(SessionFailure)
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

  /// The tables as the configuration has them now. Sessions keep how they look; the rest follows at once.
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
    if isExpired(session, now: now) {
      remove(session, .expired, now: now)
      throw .ended
    }
    return session
  }

  /// Ends a session.
  ///
  /// - Parameter condition: `If-Match`.
  /// - Throws: `revisionMismatch` where the session is at another revision.
  public func end(_ id: Bytes, _ condition: CommandRequest.Condition? = nil) throws(SessionFailure) {
    let session = try session(id)
    if case .revisions(let revisions) = condition, !revisions.contains(session.revision) { throw .revisionMismatch }
    remove(session, .deleted, now: house.world.now())
  }

  /// Answers all who wait for fetches with what there is, and refuses new sessions: the server is going down.
  public func drain() {
    let sessions = state.withLock { state in
      state.isDraining = true
      return state.order
    }
    for session in sessions { session.drain() }
  }

  func remove(_ session: Session, _ reason: EndReason, now: Int) {
    let revision = session.revision
    let isThere = state.withLock { state in
      guard state.sessions[session.id] === session else { return false }
      state.sessions[session.id] = nil
      state.tombstones.add(session.id, revision: revision, now: now)
      if let place = state.place(of: session.sequence) { state.order.remove(at: place) }
      return true
    }
    if isThere { session.end(reason) }
  }
}

extension SessionRegistry.State {
  /// The index in `order` of the first session whose sequence is at least `sequence`. O(log n).
  func firstPlace(from sequence: Int) -> Int {
    var low = 0
    var high = order.count
    while low < high {
      let middle = (low + high) / 2
      if order[middle].sequence < sequence { low = middle + 1 } else { high = middle }
    }
    return low
  }

  func place(of sequence: Int) -> Int? {
    let place = firstPlace(from: sequence)
    return place < order.count && order[place].sequence == sequence ? place : nil
  }
}

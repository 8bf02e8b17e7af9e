import JSONText
import ListModel

/// A wish for a new session.
public struct CreationRequest: Sendable {
  /// The table's name, the parameters (nil: none given) and whether to load at once; or what is wrong with the body.
  public var body: Result<Body, SessionFailure>
  /// The key, its fingerprint, and whose it is: keys of creations are scoped to the caller's token.
  public var idempotency: (key: CommandRequest.Idempotency, owner: Bytes)?
  /// The client's mark for the changes of the first load.
  public var tag: Bytes?
  /// Seconds to wait for the first load.
  public var waitSeconds: Double

  /// What the body says.
  public struct Body: Sendable {
    /// The table's name.
    public var table: Bytes
    /// The parameters; nil where none are given.
    public var params: JSONValue?
    /// Whether the first load is wanted at once.
    public var loads: Bool

    /// A body of these members.
    public init(table: Bytes, params: JSONValue?, loads: Bool) {
      self.table = table
      self.params = params
      self.loads = loads
    }
  }

  /// A wish of these values.
  public init(
    body: Result<Body, SessionFailure>, idempotency: (key: CommandRequest.Idempotency, owner: Bytes)? = nil,
    tag: Bytes? = nil, waitSeconds: Double = CommandRequest.defaultWaitSeconds
  ) {
    self.body = body
    self.tag = tag
    self.idempotency = idempotency
    self.waitSeconds = waitSeconds
  }
}

/// A session with the answer to the request that made or opened it.
public struct OpenedSession: Sendable {
  /// The session's id.
  public var id: Bytes
  /// Whether it was made now: 201, else 200.
  public var isNew: Bool
  /// The answer.
  public var answer: CommandAnswer
}

/// How the answer to a creation comes: once, from any thread.
public typealias CreationReply = @Sendable (Result<OpenedSession, FailedAnswer>) -> Void

extension SessionRegistry {
  /// Makes a session with a new random id, at revision 0.
  public func create(_ request: CreationRequest, _ reply: @escaping CreationReply) {
    once(request, reply) { note, reply in
      do throws(SessionFailure) {
        let body = try request.body.get()
        let (definition, params) = try self.resolve(body)
        let session = try self.make(id: nil, definition, params)
        self.welcome(session, request, loads: body.loads, note, reply)
      } catch {
        reply(.failure(FailedAnswer(error, idempotency: error.isKept ? note : nil)))
      }
    }
  }

  /// Opens the session with this id where it is there with the same table and parameters, else makes it.
  ///
  /// Its first revision is the time in milliseconds, and lies above any earlier life of the id.
  public func open(_ id: Bytes, _ request: CreationRequest, _ reply: @escaping CreationReply) {
    once(request, reply) { note, reply in
      do throws(SessionFailure) {
        let body = try request.body.get()
        let (definition, params) = try self.resolve(body)
        while true {
          if let present = try? self.session(id) {
            if let answer = present.open(table: definition.name, params: params, note) {
              return reply(answer.map { OpenedSession(id: id, isNew: false, answer: $0) })
            }
            self.forget(present, now: self.house.world.now())
          }
          do throws(SessionFailure) {
            let session = try self.make(id: id.compacted(), definition, params)
            return self.welcome(session, request, loads: body.loads, note, reply)
          } catch .exists {
            continue  // someone else has made it just now
          }
        }
      } catch {
        reply(.failure(FailedAnswer(error, idempotency: error.isKept ? note : nil)))
      }
    }
  }

  // MARK: Once

  /// Does a creation, or answers again what it came to under the same `Idempotency-Key`.
  private func once(
    _ request: CreationRequest, _ reply: @escaping CreationReply,
    _ create: (IdempotencyNote?, @escaping CreationReply) -> Void
  ) {
    guard let (idempotency, owner) = request.idempotency else { return create(nil, reply) }
    let now = house.world.now()
    let (finding, expires) = state.withLock { state -> (IdempotencyRecords<Creation>.Finding, Int) in
      let finding = state.creations[owner, default: IdempotencyRecords()]
        .find(idempotency.key, fingerprint: idempotency.fingerprint, now: now)
      guard case .new = finding else { return (finding, 0) }
      let expires = state.creations[owner, default: IdempotencyRecords()]
        .begin(idempotency.key, fingerprint: idempotency.fingerprint, now: now)
      return (finding, expires)
    }
    switch finding {
    case .inProgress: reply(.failure(FailedAnswer(.idempotencyInProgress)))
    case .reused: reply(.failure(FailedAnswer(.idempotencyKeyReused)))
    case .answered(let creation, let expires): reply(replay(creation, expires: expires))
    case .new:
      create(IdempotencyNote(isReplay: false, expires: expires)) { [self] result in
        let creation = Creation(result)
        state.withLock { state in
          if let creation {
            state.creations[owner]?.complete(idempotency.key, creation)
          } else {
            state.creations[owner]?.cancel(idempotency.key)
          }
        }
        reply(result)
      }
    }
  }

  private func replay(_ creation: Creation, expires: Int) -> Result<OpenedSession, FailedAnswer> {
    switch creation {
    case .failure(var failed):
      failed.idempotency = IdempotencyNote(isReplay: true, expires: expires)
      return .failure(failed)
    case .session(let id, let isNew, let kept):
      // The present list, where the session still lives; else there is none, and its changes are gone with it.
      let answer =
        (try? session(id))?.replay(kept, expires: expires)
        ?? SessionCore.replayOfEnded(kept, expires: expires)
      return answer.map { OpenedSession(id: id, isNew: isNew, answer: $0) }
    }
  }

  // MARK: Making

  private func resolve(_ body: CreationRequest.Body) throws(SessionFailure) -> (TableDefinition, Bytes) {
    guard let definition = tables.definition(body.table) else { throw .unknownTable }
    do throws(Refusal) {
      return (definition, try house.context(of: tables.entry(body.table)).parameters(body.params))
    } catch {
      throw .refused(error.under(["params"]))
    }
  }

  private func make(
    id: Bytes?, _ definition: TableDefinition, _ params: Bytes
  ) throws(SessionFailure) -> Session {
    if count >= house.limits.sessions { tidy() }
    let now = house.world.now()
    let rules = tables.entry(definition.name)?.rules ?? ListRules(look: definition.look)
    return try state.withLock { state -> Result<Session, SessionFailure> in
      if state.isDraining { return .failure(.draining) }
      if let id, state.sessions[id] != nil { return .failure(.exists) }
      guard state.sessions.count < house.limits.sessions else { return .failure(.tooManySessions) }
      var revision = 0
      if let id {
        revision = max(now, (state.tombstones.revision(of: id) ?? 0) + 1)
        state.tombstones.remove(id)
      }
      let session = Session(
        id: id ?? house.world.makeID(), definition: definition, rules: rules,
        list: ListState(rules: rules, revision: revision, params: params), sequence: state.nextSequence,
        house: house)
      state.add(session)
      if definition.idleSeconds > 0 {
        state.nextExpiry = min(state.nextExpiry, now.adding(seconds: definition.idleSeconds))
      }
      return .success(session)
    }.get()
  }

  /// Answers who has made a session, behind the first load where that is wanted.
  private func welcome(
    _ session: Session, _ request: CreationRequest, loads: Bool, _ note: IdempotencyNote?,
    _ reply: @escaping CreationReply
  ) {
    guard loads else {
      let answer = session.open(table: session.table, params: nil, note) ?? .failure(FailedAnswer(.ended))
      return reply(answer.map { OpenedSession(id: session.id, isNew: true, answer: $0) })
    }
    let form = CommandRequest(tag: request.tag, waitSeconds: request.waitSeconds)
    session.perform(.load, .success(nil), form) { result in
      reply(
        result.map { answer in
          var answer = answer
          answer.idempotency = note
          return OpenedSession(id: session.id, isNew: true, answer: answer)
        })
    }
  }
}

extension SessionRegistry.Creation {
  /// What is kept of an answer; nil where it is none below 500.
  init?(_ result: Result<OpenedSession, FailedAnswer>) {
    switch result {
    case .success(let opened):
      self = .session(opened.id, isNew: opened.isNew, SessionCore.Kept(opened.answer))
    case .failure(let failed):
      guard failed.failure.isKept else { return nil }
      self = .failure(failed)
    }
  }
}

extension SessionFailure {
  /// Whether an answer with this failure, being below 500, is kept under an `Idempotency-Key`.
  var isKept: Bool {
    switch self {
    case .draining, .idempotencyInProgress, .idempotencyKeyReused: false
    default: true
    }
  }
}

extension Int {
  /// Milliseconds and seconds, without overflow.
  func adding(seconds: Int) -> Int {
    let (milliseconds, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    let (sum, overflows) = addingReportingOverflow(milliseconds)
    return overflow || overflows ? Int.max : sum
  }
}

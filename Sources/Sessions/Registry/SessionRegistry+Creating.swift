import JSONText
import ListModel

/// A wish for a new session.
public struct CreationRequest: Sendable {
  /// The table's name, the parameters (nil: none given) and whether to load at once; or what is wrong with the body.
  public var body: Result<Body, SessionFailure>
  /// The key, its fingerprint, and whose it is: keys of creations are scoped to the caller's token.
  public var idempotency: (key: CommandRequest.Idempotency, owner: Bytes)?
  /// Seconds to wait for the first load.
  public var waitSeconds: Double

  /// What the body says.
  public struct Body: Sendable {
    public var table: Bytes
    public var params: JSONValue?
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
    waitSeconds: Double = CommandRequest.defaultWaitSeconds
  ) {
    self.body = body
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
    guard let (idempotency, owner) = request.idempotency else { return create(request, note: nil, reply) }
    let now = house.world.now()
    let finding = state.withLock { state -> (IdempotencyRecords<Creation>.Finding, expires: Int) in
      let finding = state.creations[owner, default: IdempotencyRecords()]
        .find(idempotency.key, fingerprint: idempotency.fingerprint, now: now)
      guard case .new = finding else { return (finding, 0) }
      let expires = state.creations[owner, default: IdempotencyRecords()]
        .begin(idempotency.key, fingerprint: idempotency.fingerprint, now: now)
      return (finding, expires)
    }
    switch finding.0 {
    case .inProgress: reply(.failure(FailedAnswer(.idempotencyInProgress)))
    case .reused: reply(.failure(FailedAnswer(.idempotencyKeyReused)))
    case .answered(let creation, let expires):
      reply(replay(creation, IdempotencyNote(isReplay: true, expires: expires)))
    case .new:
      create(request, note: IdempotencyNote(isReplay: false, expires: finding.expires)) { [self] result in
        state.withLock { state in
          switch result {
          case .success(let opened):
            state.creations[owner]?.complete(idempotency.key, .session(opened.id, opened.answer))
          case .failure(let failed) where failed.failure.isKept:
            state.creations[owner]?.complete(idempotency.key, .failure(failed.failure))
          case .failure:
            state.creations[owner]?.cancel(idempotency.key)
          }
        }
        reply(result)
      }
    }
  }

  /// Opens the session with this id where it is there with the same table and parameters, else makes it. Its first
  /// revision is the time in milliseconds, and lies above any earlier life of the id.
  ///
  /// - Parameter condition: `If-Match`, checked against a session that is there.
  public func open(_ id: Bytes, _ request: CreationRequest, _ reply: @escaping CreationReply) {
    let body: CreationRequest.Body
    let definition: TableDefinition
    let params: Bytes
    do throws(SessionFailure) {
      body = try request.body.get()
      (definition, params) = try resolve(body)
    } catch {
      return reply(.failure(FailedAnswer(error)))
    }
    do throws(SessionFailure) {
      let present = try session(id)
      guard present.touch(), let (version, presentParams, _) = present.peek() else { throw .ended }
      guard present.table == definition.name, presentParams == params else {
        return reply(.failure(FailedAnswer(.exists, revision: version.revision)))
      }
      let snapshot = try present.read().snapshot
      let answer = CommandAnswer(
        isAccepted: false, revision: snapshot.version.revision, changes: [], isReset: false, snapshot: snapshot)
      reply(.success(OpenedSession(id: id, isNew: false, answer: answer)))
    } catch {
      make(id: id, definition, params, body, request.waitSeconds, note: nil, reply)
    }
  }

  // MARK: Making

  private func create(_ request: CreationRequest, note: IdempotencyNote?, _ reply: @escaping CreationReply) {
    do throws(SessionFailure) {
      let body = try request.body.get()
      let (definition, params) = try resolve(body)
      make(id: nil, definition, params, body, request.waitSeconds, note: note, reply)
    } catch {
      reply(.failure(FailedAnswer(error, idempotency: error.isKept ? note : nil)))
    }
  }

  private func resolve(_ body: CreationRequest.Body) throws(SessionFailure) -> (TableDefinition, Bytes) {
    guard let definition = tables.definition(body.table) else { throw .unknownTable }
    do throws(Refusal) {
      return (definition, try house.context(ofTable: body.table).parameters(body.params))
    } catch {
      throw .refused(error.under(["params"]))
    }
  }

  private func make(
    id: Bytes?, _ definition: TableDefinition, _ params: Bytes, _ body: CreationRequest.Body, _ waitSeconds: Double,
    note: IdempotencyNote?, _ reply: @escaping CreationReply
  ) {
    let now = house.world.now()
    let rules = tables.entry(definition.name)?.rules ?? ListRules(look: definition.look)
    let made = state.withLock { state -> Result<Session, SessionFailure> in
      if state.isDraining { return .failure(.draining) }
      if let id, state.sessions[id] != nil { return .failure(.exists) }
      guard state.sessions.count < house.limits.sessions else { return .failure(.tooManySessions) }
      var revision = 0
      if let id {
        revision = max(now, (state.tombstones.revision(of: id) ?? 0) + 1)
        state.tombstones.remove(id)
      }
      let list = ListState(rules: rules, revision: revision, params: params)
      let session = Session(
        id: id ?? house.world.makeID(), definition: definition, rules: rules, list: list,
        sequence: state.nextSequence, house: house)
      state.nextSequence += 1
      state.sessions[session.id] = session
      state.order.append(session)
      if definition.idleSeconds > 0 {
        state.nextExpiry = min(state.nextExpiry, now.adding(seconds: definition.idleSeconds))
      }
      return .success(session)
    }
    let session: Session
    switch made {
    case .success(let new): session = new
    case .failure(let failure): return reply(.failure(FailedAnswer(failure)))
    }
    guard body.loads else {
      do throws(SessionFailure) {
        let snapshot = try session.read().snapshot
        let answer = CommandAnswer(
          isAccepted: false, revision: snapshot.version.revision, changes: [], isReset: false, snapshot: snapshot,
          idempotency: note)
        return reply(.success(OpenedSession(id: session.id, isNew: true, answer: answer)))
      } catch {
        return reply(.failure(FailedAnswer(error)))
      }
    }
    session.perform(.load, .success(nil), CommandRequest(waitSeconds: waitSeconds)) { result in
      reply(
        result.map { answer in
          var answer = answer
          answer.idempotency = note
          return OpenedSession(id: session.id, isNew: true, answer: answer)
        })
    }
  }

  private func replay(_ creation: Creation, _ note: IdempotencyNote) -> Result<OpenedSession, FailedAnswer> {
    switch creation {
    case .failure(let failure):
      return .failure(FailedAnswer(failure, idempotency: note))
    case .session(let id, var answer):
      answer.idempotency = note
      // The present list, where the session still lives; else the list as it was made.
      if let present = try? session(id).read().snapshot { answer.snapshot = present }
      return .success(OpenedSession(id: id, isNew: true, answer: answer))
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

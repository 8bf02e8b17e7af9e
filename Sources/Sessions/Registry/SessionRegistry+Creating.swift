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
  /// `If-Match`, for `open`: what is there has to meet it.
  public var condition: CommandRequest.Condition?
  /// `If-None-Match: *`, for `open`: nothing may be there.
  public var mustBeNew: Bool

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
    tag: Bytes? = nil, waitSeconds: Double = CommandRequest.defaultWaitSeconds,
    condition: CommandRequest.Condition? = nil, mustBeNew: Bool = false
  ) {
    self.body = body
    self.tag = tag
    self.condition = condition
    self.mustBeNew = mustBeNew
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
    once(request, reply) { [self] key, reply in
      do throws(SessionFailure) {
        let body = try request.body.get()
        let (definition, params) = try resolve(body)
        let session = try make(id: nil, definition, params, key, loads: body.loads)
        welcome(session, request, loads: body.loads, key, reply)
      } catch {
        refuse(error, key, reply)
      }
    }
  }

  /// Opens the session with this id where it is there with the same table and parameters, else makes it.
  ///
  /// Its first revision is the time in milliseconds, and lies above any earlier life of the id. Fails with
  /// `revisionMismatch` where a condition does not hold.
  public func open(_ id: Bytes, _ request: CreationRequest, _ reply: @escaping CreationReply) {
    once(request, reply) { [self] key, reply in
      do throws(SessionFailure) {
        let body = try request.body.get()
        do throws(SessionFailure) {
          let (definition, params) = try resolve(body)
          open(id, definition, params, request, loads: body.loads, key, reply)
        } catch {
          openLeftover(id, body, request, key, reply, orElse: error)
        }
      } catch {
        refuse(error, key, reply)
      }
    }
  }

  /// Opens a session that has outlived its table, or the parameters that its table had; one that is left out is taken to
  /// be the session's.
  ///
  /// - Parameter failure: why there can be no new one.
  private func openLeftover(
    _ id: Bytes, _ body: CreationRequest.Body, _ request: CreationRequest, _ key: CreationKey?,
    _ reply: @escaping CreationReply, orElse failure: SessionFailure
  ) {
    session(id) { [self] found in
      if case .failure(.store(let failure, let hasStarted)) = found {
        return refuse(.store(failure, hasStarted: hasStarted), key, reply)
      }
      guard case .success(let present) = found, present.table == body.table, let known = present.peek() else {
        return refuse(failure, key, reply)
      }
      var context = house.context(of: nil)
      context.params = JSONValue(trusted: known.params).members.map { name, value in
        ParameterDefinition(name: name, defaultValue: value.string, maxLength: nil)
      }
      guard let params = try? parameters(body, in: context),
        let answer = present.open(table: body.table, params: params, request, key?.note)
      else { return refuse(failure, key, reply) }
      reply(answer.map { OpenedSession(id: id, isNew: false, answer: $0) })
    }
  }

  private func open(
    _ id: Bytes, _ definition: TableDefinition, _ params: Bytes, _ request: CreationRequest, loads: Bool,
    _ key: CreationKey?, _ reply: @escaping CreationReply
  ) {
    session(id) { [self] found in
      // One that is just ending is none any more.
      if case .success(let present) = found,
        present.awaitEnd({ _ in self.open(id, definition, params, request, loads: loads, key, reply) })
      {
        return
      }
      do throws(SessionFailure) {
        switch found {
        case .success(let present):
          if let answer = present.open(table: definition.name, params: params, request, key?.note) {
            return reply(answer.map { OpenedSession(id: id, isNew: false, answer: $0) })
          }
          forget(present, now: house.world.now())
        case .failure(.ended), .failure(.unknown): break
        case .failure(let failure): throw failure
        }
        if request.condition != nil { throw .revisionMismatch }
        let session = try make(id: id.compacted(), definition, params, key, loads: loads)
        welcome(session, request, loads: loads, key, reply)
      } catch .exists {
        // Someone else has made it just now.
        open(id, definition, params, request, loads: loads, key, reply)
      } catch {
        refuse(error, key, reply)
      }
    }
  }

  private func refuse(_ failure: SessionFailure, _ key: CreationKey?, _ reply: @escaping CreationReply) {
    reply(.failure(FailedAnswer(failure, idempotency: failure.isKept ? key?.note : nil)))
  }

  // MARK: Making

  private func resolve(_ body: CreationRequest.Body) throws(SessionFailure) -> (TableDefinition, Bytes) {
    guard let definition = tables.definition(body.table) else { throw .unknownTable }
    return (definition, try parameters(body, in: house.context(of: tables.entry(body.table))))
  }

  private func parameters(
    _ body: CreationRequest.Body, in context: ListContext
  ) throws(SessionFailure) -> Bytes {
    do throws(Refusal) {
      return try context.parameters(body.params)
    } catch {
      throw .refused(error.under(["params"]))
    }
  }

  private func make(
    id: Bytes?, _ definition: TableDefinition, _ params: Bytes, _ key: CreationKey?, loads: Bool
  ) throws(SessionFailure) -> Session {
    if count >= house.limits.sessions { tidy() }
    let now = house.world.now()
    let rules = tables.entry(definition.name)?.rules ?? ListRules(look: definition.look)
    defer { packWhereDue() }
    return try state.withLock { state -> Result<Session, SessionFailure> in
      if state.isDraining { return .failure(.draining) }
      if let id, state.sessions[id] != nil || state.packed[id] != nil || state.arrivals[id] != nil {
        return .failure(.exists)
      }
      guard state.count < house.limits.sessions else { return .failure(.tooManySessions) }
      var revision = 0
      if let id {
        revision = max(now, (state.tombstones.revision(of: id) ?? 0) + 1)
        state.tombstones.remove(id)
      }
      let id = id ?? house.world.makeID()
      let session = Session.new(
        id: id, definition, rules: rules, revision: revision, params: params, sequence: state.nextSequence,
        house: house, record: key.flatMap { record($0, ofNew: id, revision, loads: loads) }
      ) { [weak self] session, failure in self?.settle(session, failure) }
      state.nextSequence += 1
      if let total = state.total {
        // Nobody sees it before it is durable.
        state.total = total + 1
        state.arrivals[id] = []
      } else {
        state.add(session)
      }
      if definition.idleSeconds > 0 {
        state.nextExpiry = min(state.nextExpiry, now.adding(seconds: definition.idleSeconds))
      }
      return .success(session)
    }.get()
  }

  /// A new session is durable, or can not be made so.
  private func settle(_ session: Session, _ failure: SessionFailure?) {
    guard let failure else { return arrive(session.id, .success(session)) }
    state.withLock { state in
      if let total = state.total { state.total = total - 1 }
    }
    arrive(session.id, .failure(failure))
  }

  /// Answers who has made a session, behind the first load where that is wanted.
  private func welcome(
    _ session: Session, _ request: CreationRequest, loads: Bool, _ key: CreationKey?,
    _ reply: @escaping CreationReply
  ) {
    let welcomed: Reply = { result in
      reply(
        result.map { answer in
          OpenedSession(
            id: session.id, isNew: true,
            answer: CommandAnswer(
              isAccepted: answer.isAccepted, revision: answer.revision,
              changes: answer.isReset ? nil : answer.changes, own: answer.own, ids: answer.ids,
              snapshot: answer.snapshot, idempotency: key?.note))
        })
    }
    guard loads else { return session.greet(welcomed) }
    let form = CommandRequest(tag: request.tag, waitSeconds: request.waitSeconds)
    session.perform(.load, .success(nil), form, welcomed)
  }
}

extension SessionFailure {
  /// Whether an answer with this failure, being below 500, is kept under an `Idempotency-Key`.
  var isKept: Bool {
    switch self {
    case .draining, .idempotencyInProgress, .idempotencyKeyReused, .store, .resting: false
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

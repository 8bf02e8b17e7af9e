import JSONText
import ListModel
import Synchronization

/// One live instance of a table: a `SessionCore` behind a lock, and the shell that does what it asks for.
///
/// Commands on a session are serial: each runs under its lock, on whichever thread brings it. Replies, reads and
/// timers are carried out after the lock has been let go, in the order that the core gave.
public final class Session: Sendable {
  /// The session's id.
  public let id: Bytes
  /// The table's name.
  public let table: Bytes
  /// How its list looks, from its creation on.
  public let rules: ListRules
  /// When it was made, in milliseconds since 1970.
  public let created: Int
  /// Its place among all sessions in the order of creation.
  let sequence: Int
  /// The table as the configuration has it now.
  let slot: TableSlot
  let house: SessionHouse
  let core: Mutex<SessionCore>
  let timers = Mutex<[Int: World.Cancel]>([:])

  /// What makes a session: one that is new, or that a store has kept.
  struct Origin {
    var id: Bytes
    var table: Bytes
    var sequence: Int
    /// Milliseconds since 1970, as `touched`.
    var created: Int
    var touched: Int
    var list: ListState
    var changes: [Change] = []
    var durability: Durability?
  }

  init(_ origin: Origin, house: SessionHouse) {
    id = origin.id
    table = origin.table
    rules = origin.list.rules
    sequence = origin.sequence
    created = origin.created
    self.house = house
    slot = house.slot(ofTable: origin.table)
    var identity: [UInt8] = []
    identity.append(literal: "\"session\":")
    identity.append(jsonString: id)
    identity.append(literal: ",\"table\":")
    identity.append(jsonString: table)
    identity.append(UInt8(ascii: ","))
    var log = ChangeLog(countLimit: house.limits.keptChanges, byteLimit: house.limits.keptBytes)
    for change in origin.changes { log.append(change) }
    core = Mutex(
      SessionCore(
        id: id, list: origin.list, log: log, identity: Bytes(identity), encoding: house.encoding,
        now: origin.touched, durability: origin.durability))
  }

  // MARK: Reading

  /// The present list.
  ///
  /// Counts as a use of the session. O(1).
  public func read() throws(SessionFailure) -> Snapshot {
    let now = house.world.now()
    let snapshot = core.withLock { core -> Snapshot? in
      if core.hasEnded { return nil }
      core.touched = now
      return core.snapshot()
    }
    guard let snapshot else { throw .ended }
    return snapshot
  }

  /// The present list with its full document.
  ///
  /// Counts as a use of the session.
  ///
  /// O(rows), but O(1) from the third reading at one revision on: the document is kept where it is asked for again.
  public func document() throws(SessionFailure) -> (snapshot: Snapshot, text: [UInt8]) {
    let now = house.world.now()
    let found = core.withLock { core -> (Snapshot, [UInt8]?)? in
      if core.hasEnded { return nil }
      core.touched = now
      return (core.snapshot(), core.fullDocument())
    }
    guard let (snapshot, kept) = found else { throw .ended }
    if let kept { return (snapshot, kept) }
    // Written outside of the lock: commands need not wait for it.
    let document = snapshot.document()
    core.withLock { $0.keep(document: document, of: snapshot.version.revision) }
    return (snapshot, document)
  }

  /// The present list; does not count as a use.
  func peek() -> (version: ListVersion, params: Bytes, touched: Int)? {
    core.withLock { core in
      core.hasEnded ? nil : (core.snapshot().version, core.params, core.touched)
    }
  }

  /// The revision.
  var revision: Int { core.withLock { $0.revision } }

  /// When the session was last used, in milliseconds since 1970; nil while an open stream or a waiting caller uses it.
  var lastUse: Int? { core.withLock { $0.isWatched ? nil : $0.touched } }

  /// Lets go of what is only kept to be read again soon, where the session was not used since `time`.
  func rest(since time: Int, now: Int) {
    core.withLock { if $0.touched < time { $0.rest(now: now) } }
  }

  // MARK: Commands

  /// Decodes a command's body by the configuration as it is now, and does it.
  ///
  /// `reply` is called once: before this returns, or when the fetch that it waits for has ended.
  ///
  /// - Parameter body: the body, nil where there is none; or what is wrong with it as a text.
  public func perform(
    _ name: CommandName, _ body: Result<JSONValue?, SessionFailure>, _ request: CommandRequest,
    _ reply: @escaping Reply
  ) {
    if let key = request.idempotency?.key {
      switch core.withLock({ $0.knowledge(of: key) }) {
      case .complete: break
      case .lacking: return learn(key, reply) { $0.perform(name, body, request, reply) }
      case .elsewhere: return elsewhere(reply) { $0.perform(name, body, request, reply) }
      }
    }
    let now = house.world.now()
    let context = house.context(of: slot.entry)
    let command: Result<Command, SessionFailure>
    do throws(SessionFailure) {
      let body = try body.get()
      do throws(Refusal) {
        let decoder = CommandDecoder(rules: rules, context: context, makeID: house.world.makeID)
        command = .success(try decoder.command(name, body))
      } catch {
        throw .refused(error)
      }
    } catch {
      command = .failure(error)
    }
    let actions = core.withLock { core -> [SessionAction]? in
      core.isEvicted ? nil : core.perform(command, request, in: context, now: now, reply)
    }
    guard let actions else { return elsewhere(reply) { $0.perform(name, body, request, reply) } }
    carryOut(actions)
  }

  /// Gives the changes after `since`; where there are none yet, waits up to `waitSeconds` for one.
  ///
  /// - Parameter begin: told of a wait when it begins, with what ends it at once: the client has gone.
  public func changes(
    after since: Int, waitSeconds: Int,
    whileWaiting begin: @escaping @Sendable (_ stop: @escaping @Sendable () -> Void) -> Void = { _ in },
    _ reply: @escaping ChangeReply
  ) {
    let now = house.world.now()
    let actions = core.withLock { core -> [SessionAction]? in
      if core.isEvicted { return nil }
      return core.changes(
        after: since, waitSeconds: waitSeconds, limit: house.limits.subscribersPerSession, now: now, reply)
    }
    guard let actions else {
      return elsewhere(reply) {
        $0.changes(after: since, waitSeconds: waitSeconds, whileWaiting: begin, reply)
      }
    }
    carryOut(actions)
    if case .wait(let number, _) = actions.first { begin { [weak self] in self?.stopWaiting(number) } }
  }

  /// Answers who waits under this number with what there is; nothing where it has been answered.
  func stopWaiting(_ number: Int) {
    let now = house.world.now()
    carryOut([.stopTimer(number)] + core.withLock { $0.stopWaiting(number, now: now) })
  }

  /// Answers everyone who waits with what there is: the server is going down.
  func drain() {
    carryOut(core.withLock { $0.drain() })
  }

  /// Opens a stream of the session's changes (protocol §8).
  ///
  /// - Parameter open: opens the client's stream, and is given what is to be called when that has ended. Runs under
  ///   the session's lock: it must neither block nor call back.
  public func subscribe(
    after since: Int?, _ format: FeedEncoding.Format,
    _ open: (_ ended: @escaping @Sendable () -> Void) -> any FeedSink
  ) throws(SessionFailure) {
    let now = house.world.now()
    let failure = core.withLock { core -> SessionFailure? in
      do throws(SessionFailure) {
        try core.subscribe(
          after: since, format, limit: house.limits.subscribersPerSession, now: now
        ) { number in
          open { [weak self] in self?.unsubscribe(number) }
        }
        return nil
      } catch {
        return error
      }
    }
    if let failure { throw failure }
  }

  private func unsubscribe(_ number: Int) {
    let now = house.world.now()
    core.withLock { $0.unsubscribe(number, now: now) }
  }

  /// The answer to who opens the session by this table and these parameters; nil where it has ended.
  func open(
    table: Bytes, params: Bytes, _ request: CreationRequest, _ note: IdempotencyNote?
  ) -> Result<CommandAnswer, FailedAnswer>? {
    let now = house.world.now()
    return core.withLock { core in
      if core.hasEnded { return nil }
      core.touched = now
      if request.mustBeNew || request.condition?.allows(core.revision) == false {
        return .failure(FailedAnswer(.revisionMismatch, revision: core.revision, idempotency: note))
      }
      guard self.table == table, core.params == params else {
        return .failure(FailedAnswer(.exists, revision: core.revision, idempotency: note))
      }
      return .success(
        CommandAnswer(
          isAccepted: false, revision: core.revision, changes: [], snapshot: core.snapshot(),
          idempotency: note))
    }
  }

  /// Answers who has made the session.
  func greet(_ reply: @escaping Reply) {
    carryOut(core.withLock { $0.greet(reply) })
  }

  /// An answer that was kept under an `Idempotency-Key`, again; nil where the session has ended.
  func replay(_ kept: SessionCore.Kept, expires: Int) -> Result<CommandAnswer, FailedAnswer>? {
    let now = house.world.now()
    let isClient = house.context(of: slot.entry).isClient
    return core.withLock { core in
      if core.hasEnded { return nil }
      core.touched = now
      return core.replay(kept, expires: expires, wantsSnapshot: true, isClient: isClient)
    }
  }

  // MARK: Ending

  /// Ends the session: whoever waits is told, and a page that still comes is dropped.
  ///
  /// The reply comes once that is durable: nil, or `ended` where it had ended, `revisionMismatch` where the condition
  /// does not hold.
  func end(_ reason: EndReason, if condition: CommandRequest.Condition?, _ reply: @escaping EndReply) {
    let now = house.world.now()
    let actions = core.withLock { core -> [SessionAction]? in
      core.isEvicted ? nil : core.end(reason, if: condition, now: now, reply)
    }
    guard let actions else {
      return house.resume(id) { found in
        switch found {
        case .success(let session): session.end(reason, if: condition, reply)
        case .failure(let failure): reply(failure)
        }
      }
    }
    carryOut(actions)
  }
}

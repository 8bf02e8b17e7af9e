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
  /// The table's `idleSeconds` at its creation.
  let idleSeconds: Int
  /// Its place among all sessions in the order of creation.
  let sequence: Int
  /// The table as the configuration has it now.
  let slot: TableSlot
  let house: SessionHouse
  let core: Mutex<SessionCore>
  let timers = Mutex<[Int: World.Cancel]>([:])

  init(
    id: Bytes, definition: TableDefinition, rules: ListRules, list: ListState, sequence: Int,
    house: SessionHouse
  ) {
    self.id = id
    table = definition.name
    idleSeconds = definition.idleSeconds
    self.rules = rules
    self.sequence = sequence
    self.house = house
    slot = house.slot(ofTable: definition.name)
    created = house.world.now()
    var identity: [UInt8] = []
    identity.append(literal: "\"session\":")
    identity.append(jsonString: id)
    identity.append(literal: ",\"table\":")
    identity.append(jsonString: definition.name)
    identity.append(UInt8(ascii: ","))
    core = Mutex(
      SessionCore(
        list: list, log: ChangeLog(countLimit: house.limits.keptChanges, byteLimit: house.limits.keptBytes),
        identity: Bytes(identity), encoding: house.encoding, now: created))
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
      core.hasEnded ? nil : (core.snapshot().version, core.list.params, core.touched)
    }
  }

  /// The revision.
  var revision: Int { core.withLock { $0.list.revision } }

  /// When the session was last used, in milliseconds since 1970; nil while an open stream or a waiting caller uses it.
  var unusedSince: Int? { core.withLock { $0.unusedSince } }

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
    carryOut(core.withLock { $0.perform(command, request, in: context, now: now, reply) })
  }

  /// Gives the changes after `since`; where there are none yet, waits up to `waitSeconds` for one.
  public func changes(after since: Int, waitSeconds: Int, _ reply: @escaping ChangeReply) {
    let now = house.world.now()
    carryOut(
      core.withLock {
        $0.changes(
          after: since, waitSeconds: waitSeconds, limit: house.limits.subscribersPerSession, now: now, reply)
      })
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

  /// The answer to who opens the session by this table and these parameters (nil: whichever); nil where it has ended.
  func open(table: Bytes, params: Bytes?, _ note: IdempotencyNote?) -> Result<CommandAnswer, FailedAnswer>? {
    let now = house.world.now()
    return core.withLock { core in
      if core.hasEnded { return nil }
      core.touched = now
      let revision = core.list.revision
      guard self.table == table, params == nil || core.list.params == params else {
        return .failure(FailedAnswer(.exists, revision: revision, idempotency: note))
      }
      return .success(
        CommandAnswer(
          isAccepted: false, revision: revision, changes: [], isReset: false, snapshot: core.snapshot(),
          idempotency: note))
    }
  }

  /// An answer that was kept under an `Idempotency-Key`, again; nil where the session has ended.
  func replay(_ kept: SessionCore.Kept, expires: Int) -> Result<CommandAnswer, FailedAnswer>? {
    let now = house.world.now()
    return core.withLock { core in
      if core.hasEnded { return nil }
      core.touched = now
      return core.replay(kept, expires: expires, wantsSnapshot: true)
    }
  }

  // MARK: Ending

  /// Ends the session: whoever waits is told, and a page that still comes is dropped.
  ///
  /// - Throws: `ended` where it had ended, `revisionMismatch` where the condition does not hold.
  func end(_ reason: EndReason, if condition: CommandRequest.Condition?) throws(SessionFailure) {
    let result = core.withLock { core -> Result<[SessionAction], SessionFailure> in
      if core.hasEnded { return .failure(.ended) }
      if let condition, !condition.allows(core.list.revision) { return .failure(.revisionMismatch) }
      return .success(core.end(reason))
    }
    carryOut(try result.get())
  }

  /// Ends the session where nobody has used it since `time`, in milliseconds since 1970; says whether it has ended.
  func expire(unusedSince time: Int) -> Bool {
    let actions = core.withLock { core -> [SessionAction]? in
      guard let unusedSince = core.unusedSince, unusedSince <= time else { return nil }
      return core.end(.expired)
    }
    guard let actions else { return false }
    carryOut(actions)
    return true
  }
}

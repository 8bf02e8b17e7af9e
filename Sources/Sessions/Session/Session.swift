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
  private let house: SessionHouse
  private let core: Mutex<SessionCore>
  private let timers = Mutex<[Int: World.Cancel]>([:])

  init(id: Bytes, definition: TableDefinition, rules: ListRules, list: ListState, sequence: Int, house: SessionHouse) {
    self.id = id
    table = definition.name
    self.rules = rules
    self.sequence = sequence
    self.house = house
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

  /// The present list, and the full document where it is at hand. Counts as a use of the session.
  public func read() throws(SessionFailure) -> (snapshot: Snapshot, document: [UInt8]?) {
    let now = house.world.now()
    let found = core.withLock { core -> (Snapshot, [UInt8]?)? in
      if core.hasEnded { return nil }
      core.touched = now
      return (core.snapshot(), core.fullDocument())
    }
    guard let found else { throw .ended }
    return found
  }

  /// The present list; does not count as a use.
  func peek() -> (version: ListVersion, params: Bytes, touched: Int)? {
    core.withLock { core in
      core.hasEnded ? nil : (core.snapshot().version, core.list.params, core.touched)
    }
  }

  /// Counts as a use of the session; false where it has ended.
  func touch() -> Bool {
    let now = house.world.now()
    return core.withLock { core in
      core.touched = now
      return !core.hasEnded
    }
  }

  /// The revision.
  public var revision: Int { core.withLock { $0.list.revision } }

  /// When the session was last used, in milliseconds since 1970; nil while a stream keeps it.
  var unusedSince: Int? {
    core.withLock { $0.subscribers.count > 0 ? nil : $0.touched }
  }

  /// Lets go of what is only kept to be read again soon, where the session was not used since `time`.
  func rest(since time: Int) {
    core.withLock { if $0.touched < time { $0.forgetDocument() } }
  }

  // MARK: Commands

  /// Decodes a command's body by the configuration as it is now, and does it. `reply` is called once: before this
  /// returns, or when the fetch that it waits for has ended.
  ///
  /// - Parameter body: the body, nil where there is none; or what is wrong with it as a text.
  public func perform(
    _ name: CommandName, _ body: Result<JSONValue?, SessionFailure>, _ request: CommandRequest,
    _ reply: @escaping Reply
  ) {
    let now = house.world.now()
    let context = house.context(ofTable: table)
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
    carryOut(core.withLock { $0.changes(after: since, waitSeconds: waitSeconds, now: now, reply) })
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
    after since: Int?, _ format: FeedEncoding.Format, _ open: (_ ended: @escaping @Sendable () -> Void) -> any FeedSink
  ) throws(SessionFailure) {
    let now = house.world.now()
    let failure = core.withLock { core -> SessionFailure? in
      do throws(SessionFailure) {
        try core.subscribe(
          after: since, format, limit: house.limits.subscribersPerSession, now: now, house.encoding
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

  /// Ends the session: whoever waits is told, and a page that still comes is dropped.
  func end(_ reason: EndReason) {
    carryOut(core.withLock { $0.end(reason) })
  }

  // MARK: Shell

  private func carryOut(_ actions: [SessionAction]) {
    for action in actions {
      switch action {
      case .reply(let reply, let result):
        reply(result)
      case .changes(let reply, let result):
        reply(result)
      case .wait(let number, let seconds):
        let cancel = house.world.schedule(seconds) { [weak self] in
          guard let self else { return }
          self.timers.withLock { _ = $0.removeValue(forKey: number) }
          self.carryOut(self.core.withLock { $0.stopWaiting(number) })
        }
        timers.withLock { $0[number] = cancel }
      case .stopTimer(let number):
        timers.withLock { $0.removeValue(forKey: number) }?()
      case .effect(.read(let generation, let place)):
        read(generation: generation, at: place)
      case .effect(.awaitClient(let generation)):
        awaitClient(generation: generation)
      }
    }
  }

  private func read(generation: Int, at place: Place) {
    guard let (definition, source) = house.source(ofTable: table) else {
      let failure = UpstreamFailure(.error, detail: "The table is gone from the configuration.")
      return finish(generation, .failure(failure))
    }
    let request = PageRequest(
      table: definition, look: rules.look, params: params, place: place, rowBytes: house.limits.rowBytes)
    let started = house.world.now()
    source.read(request) { [weak self] result in
      guard let self else { return }
      var leftOut = 0
      var failure: UpstreamFailure.Code?
      switch result {
      case .success(let page): leftOut = page.leftOut
      case .failure(let reason): failure = reason.code
      }
      self.house.observer.pageRead(
        table: self.table, milliseconds: self.house.world.now() - started, leftOut: leftOut, failure: failure)
      self.finish(generation, result)
    }
  }

  private func awaitClient(generation: Int) {
    guard case .client(let timeout?) = house.definition(ofTable: table)?.source else { return }
    _ = house.world.schedule(timeout) { [weak self] in
      self?.finish(
        generation,
        .failure(UpstreamFailure(.timeout, detail: "No client gave the rows within \(timeout.description) seconds.")))
    }
  }

  private func finish(_ generation: Int, _ result: Result<Page, UpstreamFailure>) {
    let context = house.context(ofTable: table)
    carryOut(core.withLock { $0.finish(generation: generation, with: result, in: context) })
  }

  private var params: [(name: Bytes, value: Bytes)] {
    var params: [(Bytes, Bytes)] = []
    JSONValue(trusted: core.withLock { $0.list.params }).forEachMember { name, value in
      params.append((name, value.string ?? .empty))
    }
    return params
  }
}

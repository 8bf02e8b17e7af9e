import Foundation
import JSONText
import Synchronization
import TestSupport

/// Many clients at once on a server that will be killed under them: writers, readers, pollers, streams, and one who makes
/// and ends sessions.
///
/// Every thread ends when its connection does. What was sent and not answered is left in `unanswered`.
final class Turmoil: Sendable {
  /// A creation and what it was asked with; the witness comes when it was answered.
  struct Creation: Sendable {
    let method: String
    let path: String
    let table: String
    let key: String
  }

  struct State {
    var witnesses: [Witness]
    var unanswered: [KeyedCommand] = []
    /// Some of those that were answered.
    var answered: [KeyedCommand] = []
    var creations: [Creation] = []
    /// What streams have come to, by session; each goes on where it was.
    var streams: [String: Replica] = [:]
    /// What pollers have come to.
    var polled: [String: Int] = [:]
    /// What no session stands for.
    var complaints: [String] = []
  }

  let state: Mutex<State>
  /// The number of answers.
  let answers = Progress()
  private let count = Atomic(0)
  private let server: RunningServer
  private let name: String

  /// - Parameter name: begins all marks and ids; no other round has it.
  init(_ server: RunningServer, _ witnesses: [Witness], streams: [String: Replica], name: String) {
    self.server = server
    self.name = name
    state = Mutex(State(witnesses: witnesses, streams: streams))
  }

  /// Lets all of them loose, each on a thread of its own; `group` is left by the last.
  func begin(seed: UInt64, in group: DispatchGroup) {
    for number in 0..<4 { start(group) { try self.write(Seeded(seed &+ UInt64(number)), number) } }
    start(group) { try self.fetch(Seeded(seed &+ 11)) }
    start(group) { try self.read(Seeded(seed &+ 12)) }
    start(group) { try self.poll(Seeded(seed &+ 13)) }
    start(group) { try self.createAndEnd(Seeded(seed &+ 14)) }
    for witness in state.withLock({ $0.witnesses }) { start(group) { try self.follow(witness) } }
  }

  private func start(_ group: DispatchGroup, _ body: @escaping @Sendable () throws -> Void) {
    group.enter()
    Thread.detachNewThread {
      defer { group.leave() }
      do {
        try body()
      } catch is ClientSocket.Failure {
        // The connection broke, as it shall.
      } catch {
        self.state.withLock { $0.complaints.append("\(error)") }
      }
    }
  }

  /// A session that lives, which can bear so many more changes; nil where there is none.
  private func pick(_ random: inout Seeded, spending changes: Int = 0) -> Witness? {
    let alive = state.withLock { $0.witnesses }.filter { $0.fate == .alive }
    return alive.shuffled(using: &random).first { $0.spend(changes) }
  }

  private func wasAnswered() { answers.reach(count.add(1, ordering: .relaxed).newValue) }

  /// Sends a command; where no answer comes, that is noted and the thread is over.
  private func send(_ command: KeyedCommand, on socket: ClientSocket, prefer: String, isKept: Bool) throws {
    var command = command
    do {
      command.outcome = try command.send(on: socket, prefer: prefer).outcome
    } catch {
      state.withLock { $0.unanswered.append(command) }
      throw error
    }
    if isKept { state.withLock { [command] in $0.answered.append(command) } }
    wasAnswered()
  }

  // MARK: Writers

  private func write(_ random: consuming Seeded, _ number: Int) throws {
    let socket = try ClientSocket(port: server.port)
    var random = random
    var step = 0
    while let session = pick(&random, spending: 1) {
      step += 1
      let mark = "\(name)-w\(number)-\(step)"
      let prefer = step % 2 == 0 ? "return=minimal" : "return=representation"
      try send(edit(session, mark, &random), on: socket, prefer: prefer, isKept: step % 8 == 0)
    }
  }

  private func edit(_ session: Witness, _ mark: String, _ random: inout Seeded) -> KeyedCommand {
    func row(_ suffix: String = "") -> String {
      let filler = String(repeating: "é\u{2028}x", count: Int.random(in: 0..<400, using: &random))
      return #"{"id":"\#(mark)\#(suffix)","data":{"n":1.0,"filler":"\#(filler)"}}"#
    }
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<7:
      return KeyedCommand(session, "insert", #"{"rows":[\#(row())],"at":0}"#, mark: mark, inserts: 1)
    case 7:
      return KeyedCommand(session, "insert", #"{"rows":[{"data":[1]},{"data":[2]}]}"#, mark: mark, inserts: 2)
    case 8..<12: return KeyedCommand(session, "delete", #"{"indexes":[0,3]}"#, mark: mark)
    case 12..<14: return KeyedCommand(session, "move", #"{"id":"a","to":2}"#, mark: mark)
    case 14..<17:
      return KeyedCommand(session, "update", #"{"rows":[{"id":"a","data":"\#(mark)"}]}"#, mark: mark)
    case 17:
      let commands =
        #"{"insert":{"rows":[\#(row("x"))],"at":0}},{"delete":{"indexes":[0]}},{"insert":{"rows":[\#(row("y")),\#(row("z"))]}}"#
      return KeyedCommand(session, "batch", #"{"commands":[\#(commands)]}"#, mark: mark, inserts: 2)
    case 18:
      return KeyedCommand(
        session, "replace", #"{"rows":[{"id":"a","data":1},\#(row()),\#(row("b"))],"hasNext":true}"#,
        mark: mark)
    default: return KeyedCommand(session, "delete", #"{"ids":["nobody"]}"#, mark: mark)
    }
  }

  /// Starts fetches, and waits for some.
  private func fetch(_ random: consuming Seeded) throws {
    var socket = try ClientSocket(port: server.port)
    var random = random
    var step = 0
    while let session = pick(&random, spending: 4) {
      step += 1
      let isClient = session.table == "client"
      let mark = "\(name)-f-\(step)"
      let command = ["load", "refresh", "load-more", "retry"].randomElement(using: &random) ?? "load"
      let isGiving = isClient && Bool.random(using: &random)
      let body =
        isGiving ? #"{"rows":[{"id":"a","data":1},{"id":"\#(mark)","data":2}],"hasNext":true}"# : "{}"
      let isWaiting = !isClient && step % 4 == 0
      try send(
        KeyedCommand(session, command, body, mark: mark), on: socket,
        prefer: isWaiting ? "wait=1" : "respond-async", isKept: false)
      if step % 16 == 15 { socket = try ClientSocket(port: server.port) }
    }
  }

  // MARK: Readers

  /// Reads whole lists: what was seen before the request must be in the answer.
  private func read(_ random: consuming Seeded) throws {
    let socket = try ClientSocket(port: server.port)
    var random = random
    while let session = pick(&random) {
      let known = session.highest
      let answer = try socket.call("GET", session.path)
      guard answer.status == 200 else {
        if answer.status != 410 || session.fate == .alive { session.complain("GET: \(answer.status)") }
        continue
      }
      let snapshot = try JSONValue(parsing: Bytes(answer.body))
      session.saw(snapshot: snapshot)
      let revision = snapshot.member("revision")?.integer ?? -1
      if revision < known { session.complain("GET gave \(revision) after \(known)") }
      wasAnswered()
    }
  }

  private func poll(_ random: consuming Seeded) throws {
    let socket = try ClientSocket(port: server.port)
    var random = random
    while let session = pick(&random) {
      let since = state.withLock { $0.polled[session.path] } ?? session.highest
      let answer = try socket.call("GET", "\(session.path)/changes?since=\(since)&wait=\(since % 2)")
      let page = try JSONValue(parsing: Bytes(answer.body))
      guard answer.status == 200, page.member("reset") == nil else {
        if answer.status != 410 || session.fate == .alive { session.complain("poll: \(answer.text)") }
        continue
      }
      let changes = page.member("changes")?.elements ?? []
      for (offset, change) in changes.enumerated() {
        session.saw(change: change)
        if change.member("revision")?.integer != since + 1 + offset {
          session.complain("a gap: \(page.text)")
        }
      }
      state.withLock { $0.polled[session.path] = since + changes.count }
      wasAnswered()
    }
  }

  /// Goes on with a session's stream, where there was one, without a second snapshot.
  private func follow(_ session: Witness) throws {
    var replica = state.withLock { $0.streams[session.path] } ?? Replica()
    let stream: EventStream
    do {
      stream = try EventStream(server, session.path + "/changes", after: replica.revision)
    } catch {
      return
    }
    defer { state.withLock { [replica] in $0.streams[session.path] = replica } }
    while let event = try? stream.next(), event.name != "end" {
      let document = try JSONValue(parsing: Bytes(event.data))
      if event.name == "change" { session.saw(change: document) } else { session.saw(snapshot: document) }
      do { try replica.take(event) } catch { session.complain("a stream: \(error)") }
      if replica.snapshots > 1 { session.complain("a stream began anew at \(event.id ?? -1)") }
    }
  }

  // MARK: Sessions

  private func createAndEnd(_ random: consuming Seeded) throws {
    let socket = try ClientSocket(port: server.port)
    var random = random
    for step in 0... {
      let alive = state.withLock { $0.witnesses.filter { $0.fate == .alive } }
      if alive.count > 12, let session = alive.randomElement(using: &random) {
        session.fate = .ending
        let answer = try socket.call("DELETE", session.path)
        if answer.status != 204 { session.complain("DELETE: \(answer.text)") }
        session.fate = .ended
      } else {
        let table = ["client", "web", "file"][step % 3]
        let key = "\(name)-c-\(step)"
        let isPut = Bool.random(using: &random)
        let path = isPut ? "/v1/sessions/\(key)" : "/v1/sessions"
        let creation = Creation(method: isPut ? "PUT" : "POST", path: path, table: table, key: key)
        let witness: Witness
        do {
          witness = try creation.ask(on: socket).witness
        } catch {
          state.withLock { $0.creations.append(creation) }
          throw error
        }
        state.withLock { $0.witnesses.append(witness) }
      }
      wasAnswered()
      // The writers are to find the sessions there for a while.
      answers.wait(for: count.load(ordering: .relaxed) + 20, within: 0.1)
    }
  }
}

extension Turmoil.Creation {
  /// Sends it; gives the session, and whether it is no new one.
  func ask(on socket: ClientSocket) throws -> (witness: Witness, isReplay: Bool) {
    let answer = try socket.call(
      method, path, "{\"table\":\"\(table)\"}", fields: "Idempotency-Key: \(key)\r\n")
    let document = try JSONValue(parsing: Bytes(answer.body))
    guard answer.status == 201 || answer.status == 200, let snapshot = document.member("snapshot"),
      let id = snapshot.member("session")?.string
    else { throw Replica.Mismatch(description: "\(method) \(path): \(answer.text)") }
    let isReplay = answer.field("Idempotent-Replayed") == "true"
    return (try Witness(path: "/v1/sessions/\(id.string)", table: table, snapshot: snapshot), isReplay)
  }
}

import Foundation
import JSONText
import Synchronization
import Testing
import ScriptedUpstream
import TestSupport

/// A server that is killed again and again amid all that clients do, and what is there afterwards.
@Suite(.serialized, .fewAtOnce, .timeLimit(.minutes(5)))
struct KillLoopTests {
  @Test("Killed at any moment, it has everything that anyone was told, exactly, and nothing done twice")
  func killLoop() async throws {
    let seed =
      ProcessInfo.processInfo.environment["ROWCAST_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1 << 32)
    let (complaints, summary) = try await onThread {
      let ordeal = try Ordeal(seed: seed)
      try ordeal.run(rounds: 40)
      return (ordeal.complaints, ordeal.summary)
    }
    print("Kill loop: \(summary)")
    #expect(complaints.isEmpty, "\(summary)")
  }
}

/// One store through many lives of its server.
private final class Ordeal {
  /// When a round's server is killed.
  enum Moment: CaseIterable {
    /// While it starts: nobody has asked it for anything.
    case start
    /// While it reads sessions back, with everyone asking at once.
    case restore
    /// When the file itself changes: the log is being brought into it.
    case checkpoint
    /// After some answers.
    case work
  }

  private let seed: UInt64
  private var random: Seeded
  private let folder: TemporaryFolder
  private let upstream: ScriptedUpstream
  private let floodgate = Floodgate()
  private var round = 0
  /// What was not as it was told, at most some of it.
  private(set) var complaints: [String] = []
  private(set) var summary = ""

  private var witnesses: [Witness] = []
  private var streams: [String: Replica] = [:]
  private var unanswered: [KeyedCommand] = []
  private var answered: [KeyedCommand] = []
  private var creations: [Turmoil.Creation] = []
  /// The changes of each mark, in all logs so far.
  private var marks: [String: [JSONValue]] = [:]
  private var recoveries = 0
  private var tally = (answers: 0, unanswered: 0, done: 0)

  init(seed: UInt64) throws {
    self.seed = seed
    random = Seeded(seed)
    folder = try TemporaryFolder()
    let pages = Atomic(0)
    let floodgate = floodgate
    upstream = try ScriptedUpstream { request in
      let page = request.query("page") ?? ""
      let ids = page == "1" ? ["a", "b", "c"] : ["\(page)-1", "\(page)-2", "a"]
      let reply = Reply.json(
        "[" + ids.map { #"{"id":"\#($0)","page":\#(page)}"# }.joined(separator: ",") + "]")
      let isHeld = pages.add(1, ordering: .relaxed).newValue % 2 == 0
      return isHeld ? reply.held(by: floodgate.gate) : reply
    }
    try folder.write(
      "[" + (0..<30).map { #"{"id":"f\#($0)"}"# }.joined(separator: ",") + "]", to: "list.json")
    // In a crowded one sessions that nobody uses are packed, and put out, between any two requests.
    for (name, limits) in [
      ("roomy", #"{"keptChanges": 700}"#), ("crowded", #"{"keptChanges": 700, "residentBytes": 60000}"#),
    ] {
      try folder.write(
        """
        {"server": {"threads": 2, "limits": \(limits)}, "tables": {
          "client": {"source": {"kind": "client"}},
          "file": {"source": {"kind": "file", "path": "list.json", "id": "/id"}, "pageSize": 4},
          "web": {"pageSize": 3, "source": {"kind": "http", "url": "\(upstream.origin)/", "id": "/id", "retries": 0,
            "paging": {"style": "page", "page": "page"}}}}}
        """, to: "\(name).json")
    }
  }

  /// Every other life has memory for a few sessions alone.
  private var arguments: [String] {
    let name = round.isMultiple(of: 2) ? "crowded" : "roomy"
    return ["--config", folder.path("\(name).json"), "--store", "sqlite:" + folder.path("s.db")]
  }

  func run(rounds: Int) throws {
    for number in 1...rounds where complaints.isEmpty {
      round = number
      let moment = number == 1 ? .work : Moment.allCases.randomElement(using: &random) ?? .work
      if moment == .start { try killAtStart() } else { try live(until: moment) }
    }
    round += 1
    try examine(try RunningServer(arguments))
    summary =
      "seed \(seed): \(tally.answers) answers, \(tally.unanswered) commands without one (\(tally.done) done), \(recoveries) fetches interrupted"
    if recoveries == 0 || tally.unanswered < rounds / 2 || tally.done == 0 {
      complain("too little has happened")
    }
  }

  private func killAtStart() throws {
    let process = try ChildProcess(Repository.server, ["serve", "--port", "0"] + arguments)
    usleep(.random(in: 0..<40_000, using: &random))
    process.crash()
  }

  private func live(until moment: Moment) throws {
    let server = try RunningServer(arguments)
    if moment != .restore { try examine(server) }
    let turmoil = Turmoil(server, witnesses.filter { $0.fate == .alive }, streams: streams, name: "r\(round)")
    let group = DispatchGroup()
    turmoil.begin(seed: random.next(), in: group)
    switch moment {
    case .restore, .start: turmoil.answers.wait(for: .random(in: 0..<8, using: &random), within: 1)
    case .work: turmoil.answers.wait(for: .random(in: 1..<500, using: &random), within: 1)
    case .checkpoint:
      let before = folder.modified("s.db")
      let end = Date() + 1
      while folder.modified("s.db") == before, Date() < end { usleep(100) }
      usleep(.random(in: 0..<2_000, using: &random))
    }
    server.crash()
    floodgate.open()
    guard group.wait(timeout: .now() + 30) == .success else {
      throw ClientSocket.Failure(description: "a client hangs; seed \(seed), round \(round)")
    }
    turmoil.state.withLock { state in
      witnesses += state.witnesses.filter { new in !witnesses.contains { $0 === new } }
      streams.merge(state.streams) { $1 }
      unanswered += state.unanswered
      answered += state.answered
      creations += state.creations
      for complaint in state.complaints { complain(complaint) }
    }
    tally.answers += turmoil.answers.reached
  }

  private func complain(_ what: String) {
    complaints.append("seed \(seed), round \(round): \(what.prefix(600))")
  }

  // MARK: Afterwards

  /// Compares what is there with what was told.
  private func examine(_ server: RunningServer) throws {
    let socket = try ClientSocket(port: server.port)
    for witness in witnesses {
      try look(at: witness, on: socket)
    }
    for creation in creations { try look(for: creation, on: socket) }
    tally.unanswered += unanswered.count
    for command in unanswered + answered where command.session.fate == .alive {
      let changes = marks[command.mark] ?? []
      if let inserts = command.inserts, changes.contains(where: { $0.ops("insert") != inserts }) {
        complain("\(command.body) was done in part: \(changes.map(\.text))")
      }
      if command.outcome == nil, !changes.isEmpty { tally.done += 1 }
      try command.askAgain(on: socket, changes: changes.count)
    }
    for witness in witnesses {
      for complaint in witness.takeComplaints() { complain("\(witness.path): \(complaint)") }
    }
    try lookAtList(on: socket)
    // Keys are to be known many crashes later.
    answered = Array(answered.shuffled(using: &random).prefix(10))
    (unanswered, creations) = ([], [])
  }

  private func look(at witness: Witness, on socket: ClientSocket) throws {
    if witness.fate != .alive {
      let answer = try socket.call("GET", witness.path)
      if answer.status == 410 { return witness.fate = .ended }
      guard witness.fate == .ending else { return complain("\(witness.path) has ended: \(answer.status)") }
      witness.fate = .alive
    }
    let (log, snapshot) = try witness.confirm(on: socket)
    for (before, change) in zip([nil] + log, log) {
      if let mark = change.mark {
        let all = marks[mark, default: []] + [change]
        marks[mark] = all
        if all.count > (mark.contains("-f-") ? 2 : 1) { complain("done twice: \(all.map(\.text))") }
      }
      guard change.member("cause")?.string == "recover" else { continue }
      recoveries += 1
      let wasLoading = before.map { $0.member("loading")?.kind == .string } ?? true
      let type = change.member("error")?.member("type")?.string
      if !wasLoading || type != "/problems/interrupted" || witness.table == "client" {
        complain("\(change.text)")
      }
    }
    if let last = log.last, last.member("cause")?.string == "recover" {
      let kind = snapshot.member("rows")?.elements.last?.member("placeholder")?.string
      let isEmpty = snapshot.member("itemCount")?.integer == 0
      if kind != (isEmpty ? "error" : "retry") { complain("no retry row: \(snapshot.text)") }
    }
    let loading = snapshot.member("loading")?.text
    let mayLoad = witness.table == "client" ? log.last?.member("loading")?.text ?? loading : "null"
    if loading != mayLoad {
      complain("a fetch is \(loading ?? "") instead of \(mayLoad ?? ""): \(snapshot.text)")
    }
  }

  /// A creation that was not answered is asked for again: there is one session then.
  private func look(for creation: Turmoil.Creation, on socket: ClientSocket) throws {
    let isThere = creation.method == "PUT" ? try socket.call("GET", creation.path).status == 200 : nil
    let (witness, isReplay) = try creation.ask(on: socket)
    if let isThere, isThere != isReplay {
      complain("\(creation.path) was there: \(isThere), replayed: \(isReplay)")
    }
    witnesses.append(witness)
  }

  private func lookAtList(on socket: ClientSocket) throws {
    let list = try JSONValue(parsing: Bytes(try socket.call("GET", "/v1/sessions?limit=1000").body))
    let there = (list.member("sessions")?.elements ?? []).compactMap { $0.member("session")?.string?.string }
    let expected = witnesses.filter { $0.fate == .alive }.map(\.id)
    if there.sorted() != expected.sorted() {
      complain("the list is \(there.sorted()), not \(expected.sorted())")
    }
  }
}

/// Holds pages until it is opened; those that come later are held anew.
private final class Floodgate: Sendable {
  private let current = Mutex(Gate())

  var gate: Gate { current.withLock { $0 } }

  func open() {
    current.withLock { gate in
      gate.open()
      gate = Gate()
    }
  }
}

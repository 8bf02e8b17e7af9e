import JSONText
import Synchronization

/// What clients have seen of one session, and what must therefore be there after any crash.
///
/// Two sightings of one revision must agree, whoever had them and by whatever way; a later look at the whole log
/// (`confirm`) must agree with all.
final class Witness: Sendable {
  /// How far a session's end has come.
  enum Fate: Sendable {
    case alive
    /// A DELETE was sent.
    case ending
    case ended
  }

  /// The session's path.
  let path: String
  let table: String
  private let state: Mutex<State>

  private struct State {
    /// The rows up to where the log was confirmed.
    var confirmed = Replica()
    /// The texts of the changes that were seen since.
    var changes: [Int: Bytes] = [:]
    /// The rows that were seen since.
    var rows: [Int: [Bytes]] = [:]
    var highest = 0
    var fate = Fate.alive
    /// Changes that may still be made before the log has to be confirmed.
    var budget = Witness.budget
    var complaints: [String] = []
  }

  /// Fewer than `limits.keptChanges`: nothing that is not confirmed yet is trimmed.
  private static let budget = 300

  /// The id in the path.
  var id: String { path.split(separator: "/").last.map(String.init) ?? "" }

  /// Begins with a full snapshot.
  init(path: String, table: String, snapshot: JSONValue) throws {
    self.path = path
    self.table = table
    var state = State()
    let revision = snapshot.member("revision")?.integer ?? -1
    try state.confirmed.take(ServerEvent(id: revision, name: "snapshot", data: snapshot.text.array))
    state.highest = revision
    self.state = Mutex(state)
  }

  // MARK: What clients see

  /// The last revision that any client has seen.
  var highest: Int { state.withLock { $0.highest } }

  var fate: Fate {
    get { state.withLock { $0.fate } }
    set { state.withLock { $0.fate = newValue } }
  }

  /// Whether so many more changes may be made before the next confirmation; if so, they count as made.
  func spend(_ changes: Int) -> Bool {
    state.withLock { state in
      guard state.budget >= changes else { return false }
      state.budget -= changes
      return true
    }
  }

  /// Takes in the answer to a command.
  func saw(answer: JSONValue) {
    for change in answer.member("changes")?.elements ?? [] { saw(change: change) }
    if let snapshot = answer.member("snapshot") { saw(snapshot: snapshot) }
    if let revision = answer.member("revision")?.integer { saw(revision: revision) }
  }

  func saw(change: JSONValue) {
    guard let revision = change.member("revision")?.integer else {
      return complain("no change: \(change.text)")
    }
    state.withLock { state in
      if let known = state.changes.updateValue(change.text, forKey: revision), known != change.text {
        state.complaints.append("\(revision) was \(known) and is \(change.text)")
      }
      state.highest = max(state.highest, revision)
    }
  }

  /// Takes in a full snapshot.
  func saw(snapshot: JSONValue) {
    guard let revision = snapshot.member("revision")?.integer, let rows = snapshot.member("rows")?.elements
    else {
      return complain("no snapshot: \(snapshot.text)")
    }
    state.withLock { state in
      let rows = rows.map(\.text)
      if let known = state.rows.updateValue(rows, forKey: revision), known != rows {
        state.complaints.append("two lists at \(revision): \(known) and \(rows)")
      }
      state.highest = max(state.highest, revision)
    }
  }

  /// An answer has told that this is the present, or was.
  func saw(revision: Int) { state.withLock { $0.highest = max($0.highest, revision) } }

  func complain(_ what: String) { state.withLock { $0.complaints.append(what) } }

  /// What did not agree; taken out.
  func takeComplaints() -> [String] {
    state.withLock { state in
      defer { state.complaints = [] }
      return state.complaints
    }
  }

  // MARK: What is there

  /// The changes from the last confirmation up to the present, and the present snapshot, compared with all that was
  /// seen.
  func confirm(on socket: ClientSocket) throws -> (changes: [JSONValue], snapshot: JSONValue) {
    let snapshot = try document(at: "", on: socket)
    guard let revision = snapshot.member("revision")?.integer else {
      throw Replica.Mismatch(description: "no snapshot")
    }
    saw(snapshot: snapshot)
    var replica = state.withLock { $0.confirmed }
    var log: [JSONValue] = []
    while let since = replica.revision, since < revision {
      let page = try document(at: "/changes?since=\(since)", on: socket)
      guard page.member("reset") == nil, let changes = page.member("changes")?.elements, !changes.isEmpty
      else {
        throw Replica.Mismatch(description: "\(path): no changes after \(since) of \(revision): \(page.text)")
      }
      for change in changes {
        try replica.apply(change: change)
        saw(change: change)
        let reached = replica.revision ?? -1
        let seen = state.withLock { $0.rows[reached] }
        if let seen, seen != replica.rows {
          complain("at \(reached) the ops give \(replica.rows), seen was \(seen)")
        }
      }
      log += changes
    }
    let highest = highest
    if highest > revision { complain("\(highest) was seen, and the session is at \(revision)") }
    if replica.rows != snapshot.member("rows")?.elements.map(\.text) {
      complain("at \(revision) the ops give \(replica.rows), the snapshot is \(snapshot.text)")
    }
    state.withLock { state in
      state.confirmed = replica
      // A stream that resumes may still tell of some.
      state.changes = state.changes.filter { $0.key > revision - 2 * Self.budget }
      state.rows = [:]
      state.highest = revision
      state.budget = Self.budget
    }
    return (log, snapshot)
  }

  private func document(at rest: String, on socket: ClientSocket) throws -> JSONValue {
    let answer = try socket.call("GET", path + rest)
    guard answer.status == 200 else {
      throw Replica.Mismatch(
        description: "\(path)\(rest), seen at \(highest): \(answer.status) \(answer.text)")
    }
    return try JSONValue(parsing: Bytes(answer.body))
  }
}

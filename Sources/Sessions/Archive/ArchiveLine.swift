import JSONText
import ListModel

/// A line of an archive of sessions: JSON Lines that any store can write and any other take in.
///
/// The first line is the header, the last one counts the sessions; each one between is a session.
public enum ArchiveLine: Sendable, Equatable {
  /// Says what the file is.
  case header
  /// A session as a whole.
  case session(StoredSession)
  /// The end: so many sessions came before.
  case end(sessions: Int)

  /// Why a line is none.
  public struct Fault: Error, Sendable, Equatable {
    /// What is wrong, in one clause.
    public let problem: String
  }

  // MARK: Writing

  /// The line with its line feed; O(n).
  ///
  /// - Throws: where a session holds what is no JSON, which no list has saved.
  public func text() throws(Fault) -> [UInt8] {
    var line = JSONWriter()
    line.beginObject()
    switch self {
    case .header:
      line.key("rowcast")
      line.string("sessions")
      line.key("version")
      line.integer(Self.version)
    case .session(let session): try line.members(of: session)
    case .end(let count):
      line.key("sessions")
      line.integer(count)
    }
    line.endObject()
    return line.bytes + [UInt8(ascii: "\n")]
  }

  private static let version = 1

  // MARK: Reading

  /// Reads a line without its line feed; O(n).
  public init(_ text: Bytes) throws(Fault) {
    let line: JSONValue
    do {
      line = try JSONValue(parsing: text, levels: JSONValue.keptLevels)
    } catch {
      throw Fault(problem: "byte \(error.offset + 1) is no JSON: \(error.message)")
    }
    guard line.kind == .object else { throw Fault(problem: "this is no object") }
    if line.member(named: "rowcast")?.string == "sessions" {
      try line.allow(["rowcast", "version"])
      let version = try line.number("version")
      guard version == Self.version else { throw Fault(problem: "version \(version) is not known here") }
      self = .header
    } else if line.member(named: "sessions") != nil {
      try line.allow(["sessions"])
      self = .end(sessions: try line.number("sessions"))
    } else {
      self = .session(try StoredSession(archived: line))
    }
  }
}

extension JSONWriter {
  fileprivate mutating func members(of session: StoredSession) throws(ArchiveLine.Fault) {
    try text("session", session.head.session)
    number("sequence", session.head.sequence)
    try text("table", session.head.table)
    number("created", session.head.created)
    number("firstRevision", session.head.firstRevision)
    number("revision", session.state.revision)
    try text("state", session.state.state)
    number("itemCount", session.state.itemCount)
    number("touched", session.state.touched)
    try json("look", session.head.look)
    number("snapshotRevision", session.snapshotRevision)
    try json("snapshot", session.snapshot)
    key("changes")
    beginArray()
    for change in session.changes {
      beginObject()
      number("revision", change.revision)
      try json("text", change.text)
      if !change.delta.isEmpty { try json("delta", change.delta) }
      endObject()
    }
    endArray()
  }

  private mutating func number(_ name: StaticString, _ value: Int) {
    key(name)
    integer(value)
  }

  private mutating func text(_ name: StaticString, _ value: Bytes) throws(ArchiveLine.Fault) {
    guard String(validating: value.array, as: UTF8.self) != nil else {
      throw ArchiveLine.Fault(problem: "its \(name) is no UTF-8")
    }
    key(name)
    string(escaping: value)
  }

  private mutating func json(_ name: StaticString, _ value: Bytes) throws(ArchiveLine.Fault) {
    // Line breaks between tokens are all that could break a line; what the service keeps has none.
    guard let parsed = try? JSONValue(parsing: value, levels: JSONValue.keptLevels),
      !parsed.text.array.contains(UInt8(ascii: "\n"))
    else {
      throw ArchiveLine.Fault(problem: "its \(name) is damaged")
    }
    key(name)
    self.value(parsed)
  }
}

extension StoredSession {
  fileprivate init(archived line: JSONValue) throws(ArchiveLine.Fault) {
    try line.allow(Self.members)
    let id = try line.text("session")
    var changes: [StoredChange] = []
    try line.required("changes", .array).forEachElement { (_, change) throws(ArchiveLine.Fault) in
      try change.allow(["revision", "text", "delta"])
      changes.append(
        StoredChange(
          session: id, revision: try change.number("revision"), text: try change.json("text"),
          delta: change.member(named: "delta") == nil ? .empty : try change.json("delta")))
    }
    self.init(
      head: StoredHead(
        session: id, sequence: try line.number("sequence"), table: try line.text("table"),
        look: try line.json("look"), created: try line.number("created"),
        firstRevision: try line.number("firstRevision")),
      state: StoredState(
        revision: try line.number("revision"), state: try line.text("state"),
        itemCount: try line.number("itemCount"), touched: try line.number("touched")),
      snapshot: try line.json("snapshot"), snapshotRevision: try line.number("snapshotRevision"),
      changes: changes)
    guard isWhole else { throw ArchiveLine.Fault(problem: "the changes of session \"\(id)\" have gaps") }
  }

  private static let members: Set<Bytes> = [
    "session", "sequence", "table", "created", "firstRevision", "revision", "state", "itemCount", "touched",
    "look",
    "snapshotRevision", "snapshot", "changes",
  ]

  /// Whether the last revision can be had from the snapshot and the changes behind it.
  public var isWhole: Bool {
    let revisions = changes.map(\.revision)
    guard zip(revisions, revisions.dropFirst()).allSatisfy({ $0 < $1 && $1 &- $0 == 1 }) else { return false }
    guard head.firstRevision <= snapshotRevision, snapshotRevision <= state.revision else { return false }
    guard let first = revisions.first, let last = revisions.last else {
      return snapshotRevision == state.revision
    }
    return head.firstRevision < first && last == state.revision
      && (first <= snapshotRevision || first &- 1 == snapshotRevision)
  }
}

extension JSONValue {
  /// Refuses members of other names.
  fileprivate func allow(_ names: Set<Bytes>) throws(ArchiveLine.Fault) {
    try forEachMember { (name, _) throws(ArchiveLine.Fault) in
      if !names.contains(name) { throw ArchiveLine.Fault(problem: "nothing is known of \"\(name)\"") }
    }
  }

  /// A value's text as a store keeps it.
  fileprivate func json(_ name: StaticString) throws(ArchiveLine.Fault) -> Bytes {
    try required(name, .object).minified().text.compacted()
  }

  fileprivate func required(_ name: StaticString, _ kind: Kind?) throws(ArchiveLine.Fault) -> JSONValue {
    guard let value = member(named: name) else { throw ArchiveLine.Fault(problem: "\"\(name)\" is missing") }
    guard kind == nil || value.kind == kind else {
      throw ArchiveLine.Fault(problem: "\"\(name)\" has the wrong type")
    }
    return value
  }

  fileprivate func number(_ name: StaticString) throws(ArchiveLine.Fault) -> Int {
    guard let number = try required(name, nil).keptNumber else {
      throw ArchiveLine.Fault(problem: "\"\(name)\" is no whole number from 0 to 2^53 - 1")
    }
    return number
  }

  fileprivate func text(_ name: StaticString) throws(ArchiveLine.Fault) -> Bytes {
    guard let text = try required(name, nil).string else {
      throw ArchiveLine.Fault(problem: "\"\(name)\" is no string")
    }
    return text
  }
}

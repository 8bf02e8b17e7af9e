import JSONText

/// A client's copy of a session's rows, kept by the events of its feed alone.
///
/// Applies a batch word for word as protocol §4 says, with no code of the server's.
struct Replica {
  /// What is wrong with an event for a copy at this revision.
  struct Mismatch: Error, CustomStringConvertible {
    let description: String
  }

  /// The revision; nil until there is a snapshot.
  private(set) var revision: Int?
  /// Each row as it was written.
  private(set) var rows: [Bytes] = []
  /// How many snapshots there were.
  private(set) var snapshots = 0

  /// Takes a `snapshot` or a `change`.
  mutating func take(_ event: ServerEvent) throws {
    let document = try JSONValue(parsing: Bytes(event.data))
    guard let id = event.id, document.member("revision")?.integer == id else {
      throw Mismatch(description: "id and revision differ: \(event.text)")
    }
    switch event.name {
    case "snapshot":
      rows = document.member("rows")?.elements.map(\.text) ?? []
      snapshots += 1
    case "change": try apply(change: document)
    default: throw Mismatch(description: "an event named \(event.name)")
    }
    revision = id
  }

  /// Takes one change.
  mutating func apply(change: JSONValue) throws {
    guard let before = revision, let after = change.member("revision")?.integer, after == before + 1 else {
      throw Mismatch(description: "at \(revision ?? -1) came \(change.text)")
    }
    var gone: Set<Int> = []
    var placed: [(to: Int, row: Bytes)] = []
    var updated: [(to: Int, row: Bytes)] = []
    for op in change.member("ops")?.elements ?? [] {
      let from = op.member("from")?.integer ?? -1
      let to = op.member("to")?.integer ?? -1
      let row = op.member("row")?.text ?? ""
      switch op.member("op")?.string?.string {
      case "delete": gone.insert(from)
      case "move":
        gone.insert(from)
        placed.append((to, rows[from]))
      case "insert": placed.append((to, row))
      case "update": updated.append((to, row))
      default: throw Mismatch(description: "an op \(op.text)")
      }
    }
    var next = rows.indices.filter { !gone.contains($0) }.map { rows[$0] }
    for (to, row) in placed.sorted(by: { $0.to < $1.to }) {
      guard next.indices.contains(to) || to == next.count else {
        throw Mismatch(description: "no place \(to) in \(change.text)")
      }
      next.insert(row, at: to)
    }
    for (to, row) in updated { next[to] = row }
    guard next.count == change.member("rowCount")?.integer else {
      throw Mismatch(description: "\(next.count) rows after \(change.text)")
    }
    rows = next
    revision = after
  }
}

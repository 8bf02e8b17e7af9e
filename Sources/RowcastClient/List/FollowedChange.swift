import JSONText
import ListDiff

/// One change as it came: the step from the revision before its own (protocol §7).
public struct FollowedChange: Sendable {
  /// The whole change, byte for byte.
  public let json: JSONValue
  /// How the list stands after it.
  public let header: ListHeader
  /// What made it, such as `insert`.
  public let cause: Bytes
  /// What the client that made it calls it, where it gave a `tag`.
  public let tag: Bytes?
  /// The session's parameters, where it changed them.
  public let params: JSONValue?
  /// What it does to the rows.
  public let batch: Batch<FollowedRow>

  /// Reads a change with `ops`.
  ///
  /// Rows are copied out of the text, so that one that stays for long keeps no other alive. O(text).
  public init(_ json: JSONValue) throws(FollowingFault) {
    let members = ListMembers(json)
    header = try members.header()
    guard let cause = members.cause?.string, let ops = members.ops, ops.kind == .array else {
      throw FollowingFault("a change has no cause or no ops")
    }
    self.json = json
    self.cause = cause
    tag = members.tag?.string
    params = members.params
    var batch = Batch<FollowedRow>()
    try ops.forEachElement { (_, op) throws(FollowingFault) in try batch.append(Op(op)) }
    self.batch = batch
  }
}

/// An op as protocol §4 writes it.
private struct Op {
  var name: Bytes?
  var from: Int?
  var to: Int?
  var row: FollowedRow?

  init(_ json: JSONValue) throws(FollowingFault) {
    try json.forEachMember { (name, value) throws(FollowingFault) in
      switch name.string {
      case "op": self.name = value.string
      case "from": from = value.integer
      case "to": to = value.integer
      case "row": row = try FollowedRow(JSONValue(trusted: value.text.compacted()))
      default: break
      }
    }
  }
}

extension Batch<FollowedRow> {
  fileprivate mutating func append(_ op: Op) throws(FollowingFault) {
    switch (op.name?.string, op.from, op.to, op.row) {
    case ("delete", let from?, _, _): deletes.append(from)
    case ("move", let from?, let to?, _): moves.append(Move(from: from, to: to))
    case ("insert", _, let to?, let row?): inserts.append(Insert(to: to, element: row))
    case ("update", let from?, let to?, let row?):
      updates.append(Update(from: from, to: to, element: row))
    default: throw FollowingFault("an op is none that is known, or lacks a member")
    }
  }
}

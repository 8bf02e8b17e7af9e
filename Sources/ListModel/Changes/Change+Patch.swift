import JSONText
import ListDiff

extension Change {
  /// A change as `format=json-patch` tells it: `patch` in place of `ops`, an RFC 6902 array that turns the
  /// full snapshot of the revision before into that of the revision after (protocol §4); O(size of the
  /// change).
  ///
  /// The members beside the rows are replaced whether they differ or not, so that a change needs nothing but itself:
  /// one read from a store years later gives the same patch.
  ///
  /// - Parameter text: the change's own text, with its ops.
  public static func patched(_ text: Bytes) -> Bytes {
    let change = JSONValue(trusted: text)
    var result: [UInt8] = []
    result.reserveCapacity(text.count + 512)
    change.forEachMember { name, value in
      result.append(UInt8(ascii: result.isEmpty ? "{" : ","))
      if name == "ops" {
        result.append(literal: "\"patch\":")
        appendPatch(of: change, ops: value, to: &result)
      } else {
        result.append(jsonString: name)
        result.append(UInt8(ascii: ":"))
        result.append(value.text)
      }
    }
    result.append(UInt8(ascii: "}"))
    return Bytes(result)
  }

  /// The members of a change that a snapshot has too, in the snapshot's order.
  private static let shared: [Bytes] = [
    "params", "revision", "state", "loading", "hasNext", "error", "itemCount", "rowCount", "selected",
  ]

  private static func appendPatch(of change: JSONValue, ops: JSONValue, to text: inout [UInt8]) {
    text.append(UInt8(ascii: "["))
    var isFirst = true
    func begin(_ literal: StaticString) {
      if isFirst { isFirst = false } else { text.append(UInt8(ascii: ",")) }
      text.append(literal: literal)
    }
    for name in shared {
      guard let value = change.member(name) else { continue }
      begin("{\"op\":\"replace\",\"path\":\"/")
      text.append(name)
      text.append(literal: "\",\"value\":")
      text.append(value.text)
      text.append(UInt8(ascii: "}"))
    }
    for operation in Batch<Bytes>(ops: ops).patch() {
      switch operation {
      case .remove(let index):
        begin("{\"op\":\"remove\",\"path\":\"/rows/")
        text.append(decimal: index)
        text.append(literal: "\"}")
      case .add(let index, let row):
        begin("{\"op\":\"add\",\"path\":\"/rows/")
        text.append(decimal: index)
        text.append(literal: "\",\"value\":")
        text.append(row)
        text.append(UInt8(ascii: "}"))
      case .move(let from, let to):
        begin("{\"op\":\"move\",\"from\":\"/rows/")
        text.append(decimal: from)
        text.append(literal: "\",\"path\":\"/rows/")
        text.append(decimal: to)
        text.append(literal: "\"}")
      case .replace(let index, let row):
        begin("{\"op\":\"replace\",\"path\":\"/rows/")
        text.append(decimal: index)
        text.append(literal: "\",\"value\":")
        text.append(row)
        text.append(UInt8(ascii: "}"))
      }
    }
    text.append(UInt8(ascii: "]"))
  }
}

extension Batch where Element == Bytes {
  /// Reads the ops of a change that this model has written; O(size).
  init(ops: JSONValue) {
    self.init()
    ops.forEachElement { _, op in
      let from = op.member("from")?.integer ?? 0
      let to = op.member("to")?.integer ?? 0
      let row = op.member("row")?.text ?? .empty
      switch op.member("op")?.string {
      case Bytes("delete"): deletes.append(from)
      case Bytes("move"): moves.append(Move(from: from, to: to))
      case Bytes("insert"): inserts.append(Insert(to: to, element: row))
      default: updates.append(Update(from: from, to: to, element: row))
      }
    }
  }
}

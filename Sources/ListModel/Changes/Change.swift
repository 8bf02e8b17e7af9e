import JSONText
import ListDiff

/// One step of a list from revision r−1 to r: what clients are told and what a store keeps.
public struct Change: Sendable {
  /// The revision that it leads to.
  public let revision: Int
  /// What made it.
  public let cause: Cause
  /// The change as it is sent (protocol §7), with its `ops` and without `tag`.
  public let text: Bytes

  init(revision: Int, cause: Cause, header: ListHeader, paramsChanged: Bool, batch: Batch<Row>) {
    self.revision = revision
    self.cause = cause
    var text = TextBuffer(capacity: 320 + batch.textSize)
    text.append(literal: "{\"revision\":")
    text.append(decimal: revision)
    text.append(literal: ",\"cause\":\"")
    text.append(literal: cause.literal)
    text.append(literal: "\",")
    header.appendProgress(to: &text)
    text.append(literal: ",\"selected\":")
    header.appendSelected(to: &text)
    text.append(literal: ",\"itemCount\":")
    text.append(decimal: header.itemCount)
    text.append(literal: ",\"rowCount\":")
    text.append(decimal: header.rowCount)
    if paramsChanged {
      text.append(literal: ",\"params\":")
      text.append(header.params)
    }
    text.append(literal: ",\"ops\":")
    batch.appendOps(to: &text)
    text.append(UInt8(ascii: "}"))
    self.text = Bytes(text.array())
  }

  /// A change as it was kept: from its own text; nil where that is none.
  public init?(stored text: Bytes) {
    let change = JSONValue(trusted: text)
    guard let revision = change.member(named: "revision")?.integer,
      let cause = change.member(named: "cause")?.string.flatMap({ Cause(rawValue: $0.string) })
    else { return nil }
    self.init(revision: revision, cause: cause, text: text)
  }

  init(revision: Int, cause: Cause, text: Bytes) {
    self.revision = revision
    self.cause = cause
    self.text = text
  }

  /// The same change with the client's own mark, so that it knows it again.
  public func tagged(_ tag: Bytes) -> Change {
    var text = text.array
    text.removeLast()
    text.append(literal: ",\"tag\":")
    text.append(jsonString: tag)
    text.append(UInt8(ascii: "}"))
    return Change(revision: revision, cause: cause, text: Bytes(text))
  }
}

extension Batch where Element == Row {
  /// About how many bytes the ops take; O(ops).
  var textSize: Int {
    inserts.reduce((deletes.count + moves.count) * 48) { $0 + $1.element.text.count + 40 }
      + updates.reduce(0) { $0 + $1.element.text.count + 60 }
  }

  /// Appends the ops of protocol §4 as a JSON array, in their order.
  func appendOps(to text: inout TextBuffer) {
    text.append(UInt8(ascii: "["))
    var isFirst = true
    func begin(_ name: StaticString, _ text: inout TextBuffer) {
      if isFirst { isFirst = false } else { text.append(UInt8(ascii: ",")) }
      text.append(literal: name)
    }
    for from in deletes {
      begin("{\"op\":\"delete\",\"from\":", &text)
      text.append(decimal: from)
      text.append(UInt8(ascii: "}"))
    }
    for move in moves {
      begin("{\"op\":\"move\",\"from\":", &text)
      text.append(decimal: move.from)
      text.append(literal: ",\"to\":")
      text.append(decimal: move.to)
      text.append(UInt8(ascii: "}"))
    }
    for insert in inserts {
      begin("{\"op\":\"insert\",\"to\":", &text)
      text.append(decimal: insert.to)
      text.append(literal: ",\"row\":")
      text.append(insert.element.text)
      text.append(UInt8(ascii: "}"))
    }
    for update in updates {
      begin("{\"op\":\"update\",\"from\":", &text)
      text.append(decimal: update.from)
      text.append(literal: ",\"to\":")
      text.append(decimal: update.to)
      text.append(literal: ",\"row\":")
      text.append(update.element.text)
      text.append(UInt8(ascii: "}"))
    }
    text.append(UInt8(ascii: "]"))
  }
}

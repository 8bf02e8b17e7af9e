import JSONText
import ListDiff

// Changes that no list can be taken through any more, since they lie before the last one that was saved: they are
// checked backwards, each against the number of rows that it must have led to.
extension ListState {
  /// The changes of these texts, oldest first, of which the last led to this list; O(size).
  ///
  /// - Throws: where one has not the form of protocol §7, or does not lead to the next.
  public func changes(before texts: [Bytes]) throws(DamagedText) -> [Change] {
    var changes: [Change] = []
    changes.reserveCapacity(texts.count)
    var rowCount = shown.header.rowCount
    for text in texts.reversed() {
      let change = try JSONValue(kept: text, "a change")
      if changes.isEmpty { try confirm(latest: change) }
      rowCount = try change.confirmForm(rowCountAfter: rowCount, rules)
      guard let change = Change(stored: text) else { throw DamagedText(what: "a change") }
      changes.append(change)
    }
    changes.reverse()
    return changes
  }

  /// Makes sure that the change which led here says of the list what it is.
  private func confirm(latest change: JSONValue) throws(DamagedText) {
    let again = JSONValue(
      trusted: Change(
        revision: revision, cause: try change.cause(), header: shown.header, paramsChanged: false,
        batch: Batch()
      ).text)
    var difference: Bytes?
    again.forEachMember { name, value in
      if name != "ops", change.member(name).map({ !$0.isEqual(to: value) }) ?? true { difference = name }
    }
    if let difference {
      throw DamagedText(
        what: "a change \(revision) that says what the list has come to (\(difference.string))")
    }
  }
}

extension JSONValue {
  /// Makes sure that this is a change (protocol §7); gives the number of rows before it.
  fileprivate func confirmForm(rowCountAfter: Int, _ rules: ListRules) throws(DamagedText) -> Int {
    _ = (try cause(), try tag())
    var names: Set<Bytes> = Self.required
    var ops = JSONValue.null
    try forEachMember { (name, value) throws(DamagedText) in
      names.remove(name)
      let isRight: Bool
      switch name {
      case "revision", "itemCount": isRight = value.keptNumber != nil
      case "rowCount": isRight = value.keptNumber == rowCountAfter
      case "cause", "tag": isRight = true
      case "state":
        isRight = value.string.map { BuiltInState.all.contains($0) || rules.look.states[$0] != nil } ?? false
      case "loading":
        isRight = value.kind == .null || value.string.flatMap { FetchKind(rawValue: $0.string) } != nil
      case "hasNext": isRight = value.kind == .bool
      case "error":
        isRight = value.kind == .null || value.kind == .object
        if value.kind == .object { try value.confirmError() }
      case "selected":
        isRight =
          value.kind == .null || value.string.map { !$0.isEmpty && $0.count <= Item.maximumIDLength } ?? false
      case "params":
        isRight = true
        try value.confirmParams()
      case "ops":
        isRight = value.kind == .array
        ops = value
      default: isRight = false
      }
      guard isRight else { throw DamagedText(what: "a change with the right \"\(name.string)\"") }
    }
    if let name = names.first { throw DamagedText(what: "a change with a \"\(name.string)\"") }
    try confirmCounts(rules)
    let batch = Batch<Bytes>(ops: ops)
    try ops.forEachElement { (_, op) throws(DamagedText) in try op.confirmOp() }
    let before = rowCountAfter - batch.inserts.count + batch.deletes.count
    guard before >= 0, (try? batch.validate(rowCountBefore: before)) != nil else {
      throw DamagedText(what: "ops that fit")
    }
    return before
  }

  private static let required: Set<Bytes> = [
    "revision", "cause", "state", "loading", "hasNext", "error", "selected", "itemCount", "rowCount", "ops",
  ]

  /// Makes sure that the numbers of items and rows go together, where the state says how.
  private func confirmCounts(_ rules: ListRules) throws(DamagedText) {
    let items = member(named: "itemCount")?.keptNumber ?? 0
    let others = (member(named: "rowCount")?.keptNumber ?? 0) - items
    let isRight: Bool
    switch (member(named: "state")?.string, rules.look.placeholder.mode) {
    case (BuiltInState.populated, .resident): isRight = others == 1
    case (BuiltInState.populated, .transient): isRight = (0...1).contains(others)
    case (BuiltInState.populated, .none): isRight = others == 0
    case (BuiltInState.empty, _): isRight = items == 0
    default: isRight = true
    }
    guard isRight else { throw DamagedText(what: "a change with the right \"itemCount\"") }
  }

  /// Makes sure that this is an op (protocol §4).
  private func confirmOp() throws(DamagedText) {
    let members = members
    let wanted: [Bytes]
    switch members.first(where: { $0.name == "op" })?.value.string {
    case "delete": wanted = ["op", "from"]
    case "move": wanted = ["op", "from", "to"]
    case "insert": wanted = ["op", "to", "row"]
    case "update": wanted = ["op", "from", "to", "row"]
    default: throw DamagedText(what: "an op")
    }
    guard members.count == wanted.count else { throw DamagedText(what: "an op") }
    for name in wanted {
      guard let value = members.first(where: { $0.name == name })?.value else {
        throw DamagedText(what: "an op")
      }
      switch name {
      case "op": break
      case "row": try value.confirmRow()
      default: guard value.keptNumber != nil else { throw DamagedText(what: "an op") }
      }
    }
  }

  /// Makes sure that this is a row (protocol §2).
  private func confirmRow() throws(DamagedText) {
    let members = members
    var names: Set<Bytes> = []
    for (name, value) in members {
      let isRight =
        switch name {
        case "id": value.string.map { !$0.isEmpty && $0.count <= Item.maximumIDLength } ?? false
        case "cell": value.string.map { $0.count <= Item.maximumCellLength } ?? false
        case "placeholder": value.kind == .string
        case "visible", "selectable": value.kind == .bool
        case "data", "presentation": true
        default: false
        }
      guard isRight else { throw DamagedText(what: "a row") }
      names.insert(name)
    }
    names.remove("presentation")
    guard
      names == ["id", "cell", "data"] || names == ["placeholder", "cell", "visible", "selectable", "data"]
    else {
      throw DamagedText(what: "a row")
    }
  }
}

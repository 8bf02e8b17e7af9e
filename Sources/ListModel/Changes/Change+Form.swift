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
      let (cause, batch) = try change.form(rowCountAfter: rowCount, rules)
      let before = rowCount - batch.inserts.count + batch.deletes.count
      guard before >= 0, (try? batch.validate(rowCountBefore: before)) != nil else {
        throw DamagedText(what: "ops that fit")
      }
      changes.append(Change(revision: revision - changes.count, cause: cause, text: text))
      guard change.member(named: "revision")?.keptNumber == changes.last?.revision else {
        throw DamagedText(what: "all changes")
      }
      rowCount = before
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
  /// The cause and the ops of a change, which has to have the form of protocol §7.
  ///
  /// Members are told apart by their number alone where the known ones are all there: no name comes twice.
  fileprivate func form(
    rowCountAfter: Int, _ rules: ListRules
  ) throws(DamagedText) -> (cause: Cause, ops: Batch<Bytes>) {
    var required = 10
    var (state, itemCount) = (Bytes.empty, 0)
    var cause: Cause?
    var ops = Batch<Bytes>()
    try forEachMember { (name, value) throws(DamagedText) in
      required -= 1
      let isRight: Bool
      switch name {
      case "revision": isRight = value.keptNumber != nil
      case "itemCount":
        itemCount = value.keptNumber ?? -1
        isRight = itemCount >= 0
      case "rowCount": isRight = value.keptNumber == rowCountAfter
      case "state":
        state = value.string ?? .empty
        isRight = BuiltInState.all.contains(state) || rules.look.states[state] != nil
      case "loading": isRight = value.kind == .null || value.isFetchKind
      case "hasNext": isRight = value.kind == .bool
      case "error":
        isRight = true
        if value.kind != .null { try value.confirmError() }
      case "selected": isRight = value.kind == .null || value.isItemID
      case "ops":
        isRight = value.kind == .array
        ops = try Batch(kept: value)
      case "cause":
        cause = value.string.flatMap { Cause(rawValue: $0.string) }
        isRight = cause != nil
      case "params":
        required += 1
        isRight = true
        try value.confirmParams()
      case "tag":
        required += 1
        isRight = value.isTag
      default: isRight = false
      }
      guard isRight else { throw DamagedText(what: "a change with the right \"\(name.string)\"") }
    }
    guard required == 0, let cause else { throw DamagedText(what: "a change with all its members") }
    let others = rowCountAfter - itemCount
    let isRight =
      switch (rules.look.placeholder.mode, state) {
      case (.resident, BuiltInState.populated): others == 1
      case (.transient, BuiltInState.populated): others == 0 || others == 1
      case (.none, BuiltInState.populated): others == 0
      case (_, BuiltInState.empty): itemCount == 0
      default: true
      }
    guard isRight else { throw DamagedText(what: "a change with the right \"itemCount\"") }
    return (cause, ops)
  }

  /// Whether this is a row (protocol §2).
  fileprivate var isRow: Bool {
    var (item, status, cell, presentation, others) = (0, 0, 0, 0, 0)
    forEachMember { name, value in
      switch name {
      case "id" where value.isItemID: item += 1
      case "placeholder" where value.kind == .string: status += 1
      case "visible" where value.kind == .bool, "selectable" where value.kind == .bool: status += 1
      case "cell" where value.string.map { $0.count <= Item.maximumCellLength } ?? false: cell += 1
      case "data": cell += 1
      case "presentation": presentation += 1
      default: others += 1
      }
    }
    guard others == 0, cell == 2 else { return false }
    return (item, status, presentation) == (1, 0, 0) || (item, status) == (0, 3)
  }

  private var isFetchKind: Bool { string.flatMap { FetchKind(rawValue: $0.string) } != nil }

  private var isItemID: Bool {
    string.map { !$0.isEmpty && $0.count <= Item.maximumIDLength } ?? false
  }
}

extension Batch where Element == Bytes {
  /// Reads ops, each of which has to have the form of protocol §4; O(size).
  fileprivate init(kept ops: JSONValue) throws(DamagedText) {
    self.init()
    try ops.forEachElement { (_, op) throws(DamagedText) in
      var (kind, row): (Bytes?, Bytes?)
      var (from, to, others) = (-1, -1, 0)
      op.forEachMember { name, value in
        switch name {
        case "op": kind = value.string
        case "from": from = value.keptNumber ?? -1
        case "to": to = value.keptNumber ?? -1
        case "row" where value.isRow: row = value.text
        default: others += 1
        }
      }
      let (hasFrom, hasTo) = (from >= 0, to >= 0)
      switch kind ?? .empty {
      case "delete" where hasFrom && !hasTo && row == nil: deletes.append(from)
      case "move" where hasFrom && hasTo && row == nil: moves.append(Move(from: from, to: to))
      case "insert" where !hasFrom && hasTo: inserts.append(Insert(to: to, element: row ?? .empty))
      case "update" where hasFrom && hasTo: updates.append(Update(from: from, to: to, element: row ?? .empty))
      default: others += 1
      }
      let wantsRow = (kind?.equals("insert") ?? false) || (kind?.equals("update") ?? false)
      guard others == 0, wantsRow == (row != nil) else { throw DamagedText(what: "ops in their form") }
    }
  }
}

/// Lets a switch compare names with literals as they stand: made `Bytes`, each would be allocated.
func ~= (literal: StaticString, name: Bytes) -> Bool { name.equals(literal) }

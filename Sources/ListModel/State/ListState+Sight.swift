import JSONText
import ListDiff

extension ListState {
  /// What clients see of a list, but for the items themselves.
  final class Sight: Sendable {
    let header: ListHeader
    let showsItems: Bool
    let statusRows: [StatusRow]

    init(header: ListHeader, showsItems: Bool, statusRows: [StatusRow]) {
      self.header = header
      self.showsItems = showsItems
      self.statusRows = statusRows
    }

    /// Whether both show the same status rows, each saying the same.
    func hasSameStatusRows(as other: Sight) -> Bool {
      guard statusRows.count == other.statusRows.count else { return false }
      for index in statusRows.indices
      where statusRows[index].identity != other.statusRows[index].identity
        || statusRows[index].text != other.statusRows[index].text
      {
        return false
      }
      return true
    }

    /// Before a list is made.
    static let nothing = Sight(header: ListHeader(), showsItems: false, statusRows: [])
  }

  /// What clients see now; O(1).
  var sight: Sight {
    let state = stateName
    let showsItems = self.showsItems
    let rows = statusRows(in: state)
    return Sight(
      header: ListHeader(
        state: state, loading: fetch?.kind, hasNext: hasNext, error: error, selected: selected,
        itemCount: items.count, rowCount: (showsItems ? items.count : 0) + rows.count, params: params),
      showsItems: showsItems, statusRows: rows)
  }

  /// The state by the table of protocol §2.
  var stateName: Bytes {
    switch mode {
    case .custom(let name, _): return name
    case .forced(let kind): return Bytes(kind.rawValue)
    case .natural:
      if items.count > 0 { return BuiltInState.populated }
      switch fetch?.kind {
      case .load, .refresh: return BuiltInState.loading
      case .loadMore: return BuiltInState.empty
      case nil: break
      }
      if error != nil { return BuiltInState.error }
      return hasBegun ? BuiltInState.empty : rules.look.initialState
    }
  }

  var showsItems: Bool {
    switch mode {
    case .natural: true
    case .forced: false
    case .custom(let name, _): rules.look.states[name]?.showsItems ?? false
    }
  }

  /// Whether items can be selected now.
  var isSelectable: Bool {
    switch mode {
    case .natural: true
    case .forced: false
    case .custom(let name, _): showsItems && (rules.look.states[name]?.isSelectable ?? false)
    }
  }

  /// What the placeholder says by the table of protocol §2, outside of custom states.
  private func placeholderKind(in state: Bytes) -> PlaceholderKind {
    if case .forced(let kind) = mode { return kind }
    if fetch?.kind == .loadMore { return .loadingMore }
    if items.count > 0 {
      if error != nil { return .retry }
      if hasNext { return .more }
      return rules.look.placeholder.kinds[.end] == nil ? .hidden : .end
    }
    if fetch != nil { return .loading }
    if error != nil { return .error }
    return state == BuiltInState.loading ? .loading : .empty
  }

  private func statusRows(in state: Bytes) -> [StatusRow] {
    if case .custom(let name, let data) = mode { return rules.rows(ofState: name, data: data) }
    let kind = placeholderKind(in: state)
    switch rules.look.placeholder.mode {
    case .none: return []
    case .transient where kind == .hidden: return []
    case .resident, .transient: return rules.placeholder(kind, error: error)
    }
  }

  // MARK: From one sight to the next

  /// Ends a command: gives the change from `before` to now, where there is one, its revision and its ops.
  mutating func conclude(_ step: Step, since before: Sight) -> Outcome {
    if let id = selected, !step.items.deletes.isEmpty, !items.contains(id) { selected = nil }
    let after = sight
    shown = after
    let rows = rowBatch(from: before, to: after, items: step.items)
    var outcome = Outcome(effect: step.effect, ids: step.ids)
    if !rows.isEmpty || !step.items.isEmpty || !after.header.isSame(as: before.header) {
      revision += 1
      outcome.change = Change(
        revision: revision, cause: step.cause, header: after.header,
        paramsChanged: before.header.params != after.header.params, batch: rows)
      if !before.showsItems || !after.showsItems { outcome.hidden = HiddenOps(step.items) }
    }
    if step.hasStarted, var started = fetch {
      started.startRevision = outcome.change?.revision
      started.name = outcome.change?.revision ?? step.voidedName ?? revision
      fetch = started
    }
    if step.hasStarted || step.hasJoined { outcome.fetch = fetchInFlight }
    return outcome
  }

  /// The ops on the rows that clients see, from those on the items and the two sights.
  func rowBatch(from before: Sight, to after: Sight, items batch: Batch<Row>) -> Batch<Row> {
    var rows = Batch<Row>()
    switch (before.showsItems, after.showsItems) {
    case (true, true): rows = batch
    case (true, false): rows.deletes = Array((0..<before.header.itemCount).reversed())
    case (false, true):
      rows.inserts.reserveCapacity(items.count + 1)
      items.list.forEach(in: 0..<items.count) {
        rows.inserts.append(Batch<Row>.Insert(to: rows.inserts.count, element: .item($0)))
      }
    case (false, false): break
    }
    if before.hasSameStatusRows(as: after) { return rows }
    let status = Batch<Row>(from: before.statusRows.map(Row.status), to: after.statusRows.map(Row.status))
    let from = before.showsItems ? before.header.itemCount : 0
    let to = after.showsItems ? after.header.itemCount : 0
    // Status rows stand behind the items in both lists, so each array stays in its order.
    rows.deletes.insert(contentsOf: status.deletes.map { $0 + from }, at: 0)
    for move in status.moves { rows.moves.append(Batch<Row>.Move(from: move.from + from, to: move.to + to)) }
    for insert in status.inserts {
      rows.inserts.append(Batch<Row>.Insert(to: insert.to + to, element: insert.element))
    }
    for update in status.updates {
      rows.updates.append(
        Batch<Row>.Update(from: update.from + from, to: update.to + to, element: update.element))
    }
    return rows
  }
}

/// The names of the built-in states.
public enum BuiltInState {
  /// The first page is awaited and there are no items.
  public static let loading: Bytes = "loading"
  /// No items, and nothing is wrong.
  public static let empty: Bytes = "empty"
  /// No items, because the last fetch failed.
  public static let error: Bytes = "error"
  /// Items.
  public static let populated: Bytes = "populated"
  /// All four.
  public static let all: [Bytes] = [loading, empty, error, populated]
}

// What a client sees of the list: protocol §2 and §3.
extension PlainList {
  /// Which row a row is, whatever its content.
  enum Identity: Hashable {
    case item(Text)
    case placeholder
    case row(ofState: Text, Int)
  }

  struct Row {
    var identity: Identity
    var document: PlainJSON
  }

  /// The state and the kind of the placeholder by the table of §2.
  var natural: (state: Text, kind: Text) {
    switch (items.isEmpty, fetch?.reading.kind) {
    case (true, "load"), (true, "refresh"): return ("loading", "loading")
    case (let isEmpty, "load-more"): return (isEmpty ? "empty" : "populated", "loading-more")
    case (true, _):
      if error != nil { return ("error", "error") }
      let state = hasBegun ? "empty" : table.initialState
      return (state, state == "loading" ? "loading" : "empty")
    case (false, _):
      if error != nil { return ("populated", "retry") }
      if hasNext { return ("populated", "more") }
      return ("populated", table.kinds["end"] == nil ? "hidden" : "end")
    }
  }

  var state: Text {
    switch entered {
    case .byItself: natural.state
    case .forced(let state): state
    case .custom(let state, _): state
    }
  }

  /// Whether the rows begin with the items.
  var showsItems: Bool {
    switch entered {
    case .byItself: true
    case .forced: false
    case .custom(let state, _): table.states[state]?.items ?? false
    }
  }

  /// "Whether rows are selectable (default false; built-in states: true)".
  var isSelectable: Bool {
    if case .custom(let state, _) = entered { table.states[state]?.selectable ?? false } else { true }
  }

  /// The kind of the placeholder; nil where a custom state's rows stand in its place.
  var kind: Text? {
    switch entered {
    case .byItself: natural.kind
    case .forced(let state): state
    case .custom(let state, _):
      table.mode == .resident && table.states[state]?.rows.isEmpty ?? true ? "hidden" : nil
    }
  }

  var rowCount: Int { (showsItems ? items.count : 0) + statusRows.count }

  var rows: [Row] { (showsItems ? items.map(PlainList.row) : []) + statusRows }

  static func row(_ item: Item) -> Row {
    Row(
      identity: .item(item.id),
      document: .object(["id": .string(item.id), "cell": .string(item.cell), "data": item.data]))
  }

  var statusRows: [Row] {
    if case .custom(let state, let data) = entered, kind == nil {
      let templates = table.states[state]?.rows ?? []
      return templates.enumerated().map { index, template in
        Row(
          identity: table.mode == .resident ? .placeholder : .row(ofState: state, index),
          document: status(state, "Cell", template, from: data, visible: true, selectable: false))
      }
    }
    guard let kind, hasPlaceholder else { return [] }
    let row = status(
      kind, PlainList.defaultCells[kind] ?? "", table.kinds[kind], from: error, visible: kind != "hidden",
      selectable: ["more", "retry", "error"].contains(kind))
    return [Row(identity: .placeholder, document: row)]
  }

  /// Whether the last row is the placeholder.
  var hasPlaceholder: Bool {
    switch table.mode {
    case .resident: true
    case .transient: if case .custom = entered { false } else { kind != "hidden" }
    case .none: false
    }
  }

  static let defaultCells: [Text: Text] = [
    "loading": "LoadingCell", "loading-more": "LoadingCell", "empty": "EmptyCell", "error": "RetryCell",
    "retry": "RetryCell", "more": "MoreCell", "end": "EndCell", "hidden": "HiddenCell",
  ]

  private func status(
    _ kind: Text, _ cell: Text, _ template: PlainTable.Template?, from source: PlainJSON?, visible: Bool,
    selectable: Bool
  ) -> PlainJSON {
    var row = PlainJSON.object([
      "placeholder": .string(kind), "cell": .string(template?.cell ?? cell), "visible": .bool(visible),
      "selectable": .bool(selectable), "data": template?.filled(from: source) ?? .object([:]),
    ])
    if let presentation = template?.presentation { row.set("presentation", presentation) }
    return row
  }

  // MARK: Documents

  /// The members that a change and a snapshot share, but for `revision` and `params`.
  var header: [(Text, PlainJSON)] {
    [
      ("state", .string(state)), ("loading", fetch.map { .string($0.reading.kind) } ?? .null),
      ("hasNext", .bool(hasNext)), ("error", error ?? .null), ("itemCount", .integer(items.count)),
      ("rowCount", .integer(rowCount)), ("selected", selected.map { .string($0) } ?? .null),
    ]
  }

  /// The full snapshot document of §6.
  var snapshot: PlainJSON {
    var document = PlainJSON.object([
      "session": .string("s"), "table": .string("t"), "params": params, "revision": .integer(revision),
    ])
    for (name, value) in header { document.set(name, value) }
    document.set("offset", .integer(0))
    document.set("rows", .array(rows.map(\.document)))
    return document
  }

  /// Whether a client is told of nothing: the same header, and the same items, shown or not.
  func isUnaltered(since before: PlainList) -> Bool {
    params == before.params && items.count == before.items.count
      && zip(header, before.header).allSatisfy { $0.1 == $1.1 }
      && zip(items, before.items).allSatisfy { $0.id == $1.id && $0.cell == $1.cell && $0.data == $1.data }
      && (items.isEmpty || showsItems == before.showsItems) && statusRows.count == before.statusRows.count
      && zip(statusRows, before.statusRows).allSatisfy {
        $0.document == $1.document && $0.identity == $1.identity
      }
  }
}

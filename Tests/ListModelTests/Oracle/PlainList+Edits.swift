// The five commands that edit items, alone and in a batch.
extension PlainList {
  mutating func apply(_ edits: [(pointer: String, edit: PlainCommand.Edit)], _ answer: inout Answer)
    throws(PlainRefusal)
  {
    let before = self
    for (pointer, edit) in edits { try apply(edit, pointer, &answer) }
    // "An id there before and after is the same item": where its data is equal, "the old text stays", and to a
    // fetch in flight it is neither inserted nor deleted.
    items = items.map { before.keeping($0) }
    guard var fetch, let old = before.fetch else { return }
    (fetch.inserted, fetch.deleted, fetch.updated) = (old.inserted, old.deleted, old.updated)
    for item in before.items where index(of: item.id) == nil { fetch.noteDeleted(item.id) }
    for item in items {
      guard let index = before.index(of: item.id) else {
        fetch.noteInserted(item.id)
        continue
      }
      if !before.items[index].isSame(as: item) { fetch.noteUpdated(item.id) }
    }
    self.fetch = fetch
  }

  mutating func apply(_ edit: PlainCommand.Edit, _ pointer: String, _ answer: inout Answer)
    throws(PlainRefusal)
  {
    switch edit {
    case .insert(let rows, let position): try insert(rows, position, pointer, &answer)
    case .deleteIDs(let ids):
      for (number, id) in ids.enumerated() where index(of: id) == nil {
        throw PlainRefusal("unknown-row", "\(pointer)/ids/\(number)")
      }
      remove(ids)
    case .deleteIndexes(let indexes):
      for (number, index) in indexes.enumerated() where !items.indices.contains(index) {
        let isPlaceholder = index == items.count && hasPlaceholder
        throw PlainRefusal(
          isPlaceholder ? "placeholder-row" : "index-out-of-range", "\(pointer)/indexes/\(number)")
      }
      remove(indexes.map { items[$0].id })
    case .deleteAll: remove(items.map(\.id))
    case .move(let id, let position): try move(id, position, pointer)
    case .update(let rows): try update(rows, "\(pointer)/rows")
    case .replace(let rows, let hasNext): try replace(rows, hasNext: hasNext, pointer)
    }
  }

  private mutating func insert(
    _ rows: [Item], _ position: PlainCommand.Position, _ pointer: String, _ answer: inout Answer
  ) throws(PlainRefusal) {
    let place: Int
    switch position {
    case .end: place = items.count
    case .index(let index):
      guard (0...items.count).contains(index) else {
        throw PlainRefusal("index-out-of-range", "\(pointer)/at")
      }
      place = index
    case .before(let id):
      guard let index = index(of: id) else { throw PlainRefusal("unknown-row", "\(pointer)/before") }
      place = index
    case .after(let id):
      guard let index = index(of: id) else { throw PlainRefusal("unknown-row", "\(pointer)/after") }
      place = index + 1
    }
    try refuseDuplicates(rows, andHeld: true, pointer)
    if items.count + rows.count > table.itemsPerSession {
      throw PlainRefusal("limit-exceeded", "\(pointer)/rows")
    }
    items.insert(contentsOf: rows, at: place)
    if !rows.isEmpty { hasBegun = true }
    for row in rows { fetch?.noteInserted(row.id) }
    answer.ids = (answer.ids ?? []) + rows.map(\.id)
  }

  private func refuseDuplicates(_ rows: [Item], andHeld: Bool, _ pointer: String) throws(PlainRefusal) {
    var used: Set<Text> = []
    for (number, row) in rows.enumerated() where !used.insert(row.id).inserted {
      throw PlainRefusal("duplicate-id", "\(pointer)/rows/\(number)/id")
    }
    let held = Set(andHeld ? items.map(\.id) : [])
    for (number, row) in rows.enumerated() where held.contains(row.id) {
      throw PlainRefusal("duplicate-id", "\(pointer)/rows/\(number)/id")
    }
  }

  private mutating func remove(_ ids: [Text]) {
    let ids = Set(ids)
    items.removeAll { ids.contains($0.id) }
    for id in ids { fetch?.noteDeleted(id) }
  }

  private mutating func move(_ id: Text, _ position: PlainCommand.Position, _ pointer: String)
    throws(PlainRefusal)
  {
    guard let from = index(of: id) else { throw PlainRefusal("unknown-row", "\(pointer)/id") }
    var rest = items
    let item = rest.remove(at: from)
    let to: Int
    switch position {
    case .index(let index):
      guard items.indices.contains(index) else { throw PlainRefusal("index-out-of-range", "\(pointer)/to") }
      to = index
    case .before(let other), .after(let other):
      var isAfter = false
      if case .after = position { isAfter = true }
      guard index(of: other) != nil else {
        throw PlainRefusal("unknown-row", "\(pointer)/\(isAfter ? "after" : "before")")
      }
      if other == id { return }
      to = (rest.firstIndex { $0.id == other } ?? 0) + (isAfter ? 1 : 0)
    case .end: to = rest.count
    }
    rest.insert(item, at: to)
    items = rest
  }

  private mutating func update(
    _ rows: [(id: Text, cell: Text?, content: PlainCommand.Content)], _ pointer: String
  ) throws(PlainRefusal) {
    let before = self
    for (number, row) in rows.enumerated() {
      guard let index = index(of: row.id) else {
        throw PlainRefusal("unknown-row", "\(pointer)/\(number)/id")
      }
      var new = items[index]
      let place: String
      switch row.content {
      case .data(let data):
        new.data = data
        place = "\(pointer)/\(number)/data"
      case .merge(let patch):
        new.data = new.data.merging(patch)
        place = "\(pointer)/\(number)/merge"
        if new.data.written > table.rowBytes { throw PlainRefusal("invalid-row", place) }
      }
      new.cell = row.cell ?? new.cell
      if let fault = table.fault(in: new.data, cell: new.cell) {
        throw PlainRefusal("invalid-row", place + fault)
      }
      items[index] = new
    }
    items = items.map { before.keeping($0) }
    for row in rows where index(of: row.id).map({ items[$0].isSame(as: before.items[$0]) }) == false {
      fetch?.noteUpdated(row.id)
    }
  }

  private mutating func replace(_ rows: [Item], hasNext more: Bool, _ pointer: String) throws(PlainRefusal) {
    try refuseDuplicates(rows, andHeld: false, pointer)
    if rows.count > table.itemsPerSession { throw PlainRefusal("limit-exceeded", "\(pointer)/rows") }
    items = rows.map { row in keeping(row) }
    hasNext = more
    error = nil
    failed = nil
    fetch = nil
    isLoaded = true
    hasBegun = true
  }

  /// The item with the text of the data held where that is equal, since then "the old text stays".
  func keeping(_ row: Item) -> Item {
    guard let index = index(of: row.id), items[index].data.isSame(as: row.data) else { return row }
    var row = row
    row.data = items[index].data
    return row
  }
}

extension PlainList.Item {
  func isSame(as other: PlainList.Item) -> Bool {
    id == other.id && cell == other.cell && data.isSame(as: other.data)
  }
}

import JSONText
import ListDiff

extension ListState {
  /// The list that `saved()` gave this text of; O(size of the rows).
  ///
  /// - Parameter rules: how it looks; the texts do not hold that.
  public init(saved text: Bytes, rules: ListRules) throws(DamagedText) {
    let saved = try JSONValue(stored: text)
    self.init(
      rules: rules, revision: try saved.number("revision"), params: try saved.value("params").text.compacted()
    )
    mode = .natural
    try takeHeader(saved)
    try takeMemo(try saved.value("memo"))
    if fetch != nil { try takeEdits(saved) }
    items = IndexedItems(ItemList(try [Item](saved: try saved.value("items").elements)))
    shown = sight
  }

  /// Takes the list through a change that was kept, as the command that made it did.
  ///
  /// What the list has come to must be what both texts say of it: a change that contradicts itself, or the list, is
  /// none. O(size of the change + ops · √n).
  ///
  /// - Parameters:
  ///   - text: the change's text, as clients were told it.
  ///   - delta: what `delta(of:)` gave.
  /// - Returns: the change.
  @discardableResult
  public mutating func replay(_ text: Bytes, delta: Bytes) throws(DamagedText) -> Change {
    let change = try JSONValue(kept: text, "a change")
    let delta = try JSONValue(kept: delta, "what belongs to a change")
    let (seen, present) = (shown, revision)
    revision = try change.number("revision")
    guard revision == present + 1 else { throw DamagedText(what: "all changes") }
    hasNext = false
    error = nil
    selected = nil
    try takeHeader(change)
    if let new = change.member("params") { params = new.text.compacted() }
    let hidden = delta.member("items")
    let ops: JSONValue
    if let hidden { ops = hidden } else { ops = try change.value("ops") }
    let batch = try itemBatch(Batch<Bytes>(ops: ops), isOfItems: hidden != nil)
    let before = fetch
    try takeMemo(hidden == nil ? delta : try delta.value("memo"))
    // Only a fetch that was in flight before, and is still, has anything to remember of this.
    let after = fetch
    fetch = nil
    if let before, let after, after.generation == before.generation {
      fetch = after
      fetch?.edits = before.edits
    }
    try apply(batch)
    if fetch == nil { fetch = after }
    shown = sight
    let cause = try confirm(change, delta, batch, since: seen)
    return Change(revision: revision, cause: cause, text: text)
  }

  // MARK: What clients see

  private mutating func takeHeader(_ text: JSONValue) throws(DamagedText) {
    hasNext = text.member("hasNext")?.bool ?? false
    if let value = text.member("error"), value.kind != .null {
      error = JSONValue(trusted: value.text.compacted())
    }
    if let value = text.member("selected"), value.kind != .null { selected = try value.stored("an id") }
  }

  // MARK: What clients do not see

  private mutating func takeMemo(_ memo: JSONValue) throws(DamagedText) {
    generation = try memo.number("generation")
    if let name = memo.member("state") {
      let name = try name.stored("a state")
      if let data = memo.member("data") {
        mode = .custom(name: name, data: JSONValue(trusted: data.text.compacted()))
      } else if case .custom(name, _) = mode {
        // The same state, with the same data.
      } else {
        throw DamagedText(what: "data")
      }
    } else if let kind = memo.member("forced") {
      guard let kind = PlaceholderKind(rawValue: try kind.stored("a kind").string) else {
        throw DamagedText(what: "a kind")
      }
      mode = .forced(kind)
    } else {
      mode = .natural
    }
    transitions = try memo.number("transitions", orElse: 0)
    hasBegun = memo.member("hasBegun") != nil
    isLoaded = memo.member("isLoaded") != nil
    place = try memo.member("place").map { (value) throws(DamagedText) in try Place(saved: value) } ?? .top
    loadedPages = try memo.number("loadedPages", orElse: 0)
    failed = try memo.member("failed").map { (value) throws(DamagedText) in
      FailedFetch(reading: try Reading(saved: value))
    }
    fetch = try memo.member("fetch").map { (value) throws(DamagedText) in try Fetch(saved: value) }
  }

  private mutating func takeEdits(_ saved: JSONValue) throws(DamagedText) {
    var edits = ConcurrentEdits()
    for kind in ConcurrentEdits.Kind.allCases {
      try saved.member(Bytes(kind.rawValue))?.forEachElement { (_, id) throws(DamagedText) in
        edits.note(kind, try id.stored("an id"))
      }
    }
    fetch?.edits = edits
  }

  // MARK: Items

  /// The ops of a change that are on items: status rows stand behind those.
  private func itemBatch(_ ops: Batch<Bytes>, isOfItems: Bool) throws(DamagedText) -> Batch<Item> {
    let before = items.count
    let deletes = isOfItems ? ops.deletes : ops.deletes.filter { $0 < before }
    let moves = isOfItems ? ops.moves : ops.moves.filter { $0.from < before }
    let inserts = isOfItems ? ops.inserts : ops.inserts.filter { $0.element.isItemRow }
    let updates = isOfItems ? ops.updates : ops.updates.filter { $0.element.isItemRow }
    let rows = inserts.map(\.element) + updates.map(\.element)
    let read = try [Item](rows: rows.map(JSONValue.init(trusted:)))
    return Batch<Item>(
      deletes: deletes, moves: moves,
      inserts: zip(inserts, read).map { Batch<Item>.Insert(to: $0.to, element: $1) },
      updates: zip(updates, read.dropFirst(inserts.count)).map {
        Batch<Item>.Update(from: $0.from, to: $0.to, element: $1)
      })
  }

  /// Applies a batch to the items, and tells the fetch in flight; O(ops · √n).
  private mutating func apply(_ batch: Batch<Item>) throws(DamagedText) {
    do {
      try batch.validate(rowCountBefore: items.count)
    } catch {
      throw DamagedText(what: "ops that fit: \(error)")
    }
    var moved: [Int: Item] = [:]
    for index in (batch.deletes + batch.moves.map(\.from)).sorted(by: >) {
      moved[index] = items.remove(at: index)
    }
    for index in batch.deletes {
      if let item = moved[index] { fetch?.edits.delete(item.id) }
    }
    let arrivals =
      batch.inserts.map { ($0.to, $0.element) }
      + batch.moves.compactMap { move in moved[move.from].map { (move.to, $0) } }
    for (index, item) in arrivals.sorted(by: { $0.0 < $1.0 }) {
      guard !items.containsID(of: item) else { throw DamagedText(what: "ids that are unique") }
      items.insert(item, at: index)
    }
    for insert in batch.inserts { fetch?.edits.insert(insert.element.id) }
    for update in batch.updates {
      guard items.list[update.to].hasSameID(as: update.element) else {
        throw DamagedText(what: "updates of the same rows")
      }
      items.update(at: update.to, with: update.element)
      fetch?.edits.update(update.element.id)
    }
  }
}

extension Fetch {
  fileprivate init(saved: JSONValue) throws(DamagedText) {
    let reading = try Reading(saved: try saved.value("reading"))
    guard let cause = Cause(rawValue: try saved.value("cause").stored("a cause").string) else {
      throw DamagedText(what: "a cause")
    }
    self.init(
      kind: reading.kind, cause: cause, generation: try saved.number("generation"), reading: reading)
    name = try saved.number("name")
    startRevision = try saved.member("start").map { (_) throws(DamagedText) in try saved.number("start") }
  }
}

extension Reading {
  fileprivate init(saved: JSONValue) throws(DamagedText) {
    guard let kind = FetchKind(rawValue: try saved.value("kind").stored("a kind").string) else {
      throw DamagedText(what: "a kind of fetch")
    }
    self.init(
      kind: kind,
      place: try saved.member("place").map { (value) throws(DamagedText) in try Place(saved: value) } ?? .top)
    if let id = saved.member("through") {
      extent = .through(try id.stored("an id"))
    } else if saved.member("loaded") != nil {
      extent = .loadedPages
    }
    pagesAtMost = try saved.number("pagesAtMost")
    emptyPages = try saved.number("emptyPages", orElse: 0)
  }
}

extension Place {
  fileprivate init(saved: JSONValue) throws(DamagedText) {
    self.init(
      read: try saved.number("read"), pages: try saved.number("pages"),
      token: try saved.member("token").map { (value) throws(DamagedText) in try value.stored("a token") })
  }
}

extension Bytes {
  /// Whether this text of a row is an item's: a status row has no id.
  fileprivate var isItemRow: Bool {
    starts(with: "{\"id\"") || JSONValue(trusted: self).member(named: "id") != nil
  }
}

extension [Item] {
  /// The items of these rows, in their order, in the storage that the text has, where they are as a list writes them;
  /// O(number of rows + size of their ids).
  fileprivate init(saved rows: [JSONValue]) throws(DamagedText) {
    self = []
    reserveCapacity(rows.count)
    for row in rows {
      guard let item = Item(written: row.text) else {
        self = try [Item](rows: rows)
        return
      }
      append(item)
    }
  }

  /// The items of these rows, in their order, in one storage; O(size of the rows).
  fileprivate init(rows: [JSONValue]) throws(DamagedText) {
    var storage = ItemStorage(capacity: rows.reduce(0) { $0 + $1.text.count + 16 })
    for row in rows {
      let id = try row.value("id").stored("an id")
      let cell = try row.value("cell").stored("a cell")
      guard !id.isEmpty, id.count <= Item.maximumIDLength, cell.count <= Item.maximumCellLength else {
        throw DamagedText(what: "an id")
      }
      storage.add(id: id, cell: cell, data: try row.value("data"))
    }
    self = storage.items()
  }
}

extension JSONValue {
  /// A text that a store has kept; not validated, for a list has written it.
  fileprivate init(stored text: Bytes) throws(DamagedText) {
    self.init(trusted: text)
    guard kind == .object else { throw DamagedText(what: "an object") }
  }

  fileprivate func value(_ name: StaticString) throws(DamagedText) -> JSONValue {
    guard let value = member(named: name) else { throw DamagedText(what: "\(name)") }
    return value
  }

  fileprivate func number(_ name: StaticString) throws(DamagedText) -> Int {
    guard let number = try value(name).keptNumber else {
      throw DamagedText(what: "a whole number below 2^53 as \(name)")
    }
    return number
  }

  fileprivate func number(_ name: StaticString, orElse absent: Int) throws(DamagedText) -> Int {
    member(named: name) == nil ? absent : try number(name)
  }

  /// A string, cut loose from the text that it stands in.
  fileprivate func stored(_ what: String) throws(DamagedText) -> Bytes {
    guard let string else { throw DamagedText(what: what) }
    return string.compacted()
  }
}

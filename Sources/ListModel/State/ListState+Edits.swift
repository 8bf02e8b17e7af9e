import JSONText
import ListDiff

// The five commands that edit items, and batches of them.
extension ListState {
  mutating func apply(_ edit: Edit, _ context: ListContext, _ step: inout Step) throws(Refusal) {
    do throws(Refusal) {
      switch edit.action {
      case .insert(let new, let position): try insert(new, at: position, context, &step)
      case .delete(let deletion): try delete(deletion, &step)
      case .move(let id, let position): try move(id, to: position, &step)
      case .update(let updates): try update(updates, context, &step)
      case .replace(let new, let hasNext): try replace(new, hasNext: hasNext, context, &step)
      }
    } catch {
      throw error.under(edit.pointer)
    }
  }

  /// All or nothing: each edit on the list that those before it left; then one minimal batch from before to after.
  mutating func apply(_ edits: [Edit], _ context: ListContext, _ step: inout Step) throws(Refusal) {
    var draft = self
    var parts: [Batch<Row>] = []
    for edit in edits {
      var part = Step(cause: .batch)
      try draft.apply(edit, context, &part)
      if let ids = part.ids { step.ids = (step.ids ?? []) + ids }
      if !part.items.isEmpty { parts.append(part.items) }
    }
    draft.settle(parts, from: items)
    step.items = Batch<Row>.composing(parts, over: ItemRows(items.list))
    for (position, update) in step.items.updates.enumerated() {
      guard case .item(let item) = update.element, let settled = draft.items.item(withID: item.id) else {
        continue
      }
      step.items.updates[position].element = .item(settled)
    }
    // To a fetch in flight a batch is what it comes to, not how it got there: an id there before and after is the
    // same item, and one that came and went was never there.
    if let edits = fetch?.edits { draft.fetch?.edits = edits }
    for index in step.items.deletes { draft.fetch?.edits.delete(items.list[index].id) }
    if step.items.isEmpty { draft.items = items }
    self = draft
    noteArrivals(step)
  }

  /// Gives items whose data is in the end what it was their old text again.
  private mutating func settle(_ parts: [Batch<Row>], from old: IndexedItems) {
    for row in parts.lazy.flatMap({ $0.inserts.map(\.element) + $0.updates.map(\.element) }) {
      guard case .item(let item) = row, let held = old.item(withID: item.id),
        let index = items.index(of: item.id)
      else { continue }
      let now = items.list[index]
      items.update(at: index, with: now.hasSameContent(as: held) ? held : now.keepingData(of: held))
    }
  }

  /// Tells the fetch in flight what a step has brought, so that its pages do not undo it.
  mutating func noteArrivals(_ step: Step) {
    for change in step.items.inserts {
      if case .item(let item) = change.element { fetch?.edits.insert(item.id) }
    }
    for change in step.items.updates {
      if case .item(let item) = change.element { fetch?.edits.update(item.id) }
    }
  }

  // MARK: One by one

  private mutating func insert(
    _ new: [Item], at position: Position, _ context: ListContext, _ step: inout Step
  ) throws(Refusal) {
    let start: Int
    switch position {
    case .end: start = items.count
    case .index(let index):
      guard index >= 0, index <= items.count else {
        throw Refusal(
          .indexOutOfRange, at: JSONPointer(tokens: ["at"]),
          "there are \(items.count) items: at is 0 to \(items.count)")
      }
      start = index
    case .before(let id): start = try index(of: id, "before")
    case .after(let id): start = try index(of: id, "after") + 1
    }
    try refuseDuplicates(in: new)
    for index in new.indices where items.containsID(of: new[index]) {
      throw duplicate(new[index].id, index)
    }
    try refuseExcess(items.count + new.count, context)
    for offset in new.indices {
      items.insert(new[offset], at: start + offset)
      step.items.inserts.append(Batch<Row>.Insert(to: start + offset, element: .item(new[offset])))
      fetch?.edits.insert(new[offset].id)
    }
    step.ids = new.map(\.id)
    if !new.isEmpty { hasBegun = true }
  }

  private mutating func delete(
    _ deletion: Deletion, _ step: inout Step
  ) throws(Refusal) {
    var indexes: Set<Int> = []
    switch deletion {
    case .all: indexes = Set(0..<items.count)
    case .ids(let ids):
      for (position, id) in ids.enumerated() {
        guard let index = items.index(of: id) else { throw unknown(["ids", Bytes(String(position))]) }
        indexes.insert(index)
      }
    case .indexes(let list):
      for (position, index) in list.enumerated() {
        guard index < 0 || index >= items.count else {
          indexes.insert(index)
          continue
        }
        let place = JSONPointer(tokens: ["indexes", Bytes(String(position))])
        if index == items.count, hasPlaceholder {
          throw Refusal(
            .placeholderRow, at: place, "index \(index) is the placeholder row; it cannot be deleted")
        }
        throw Refusal(.indexOutOfRange, at: place, "there are \(items.count) items, counted from 0")
      }
    }
    step.items.deletes = indexes.sorted(by: >)
    if indexes.count == items.count {
      if fetch != nil { items.list.forEach(in: 0..<items.count) { fetch?.edits.delete($0.id) } }
      items.removeAll()
      return
    }
    for index in step.items.deletes {
      let item = items.remove(at: index)
      fetch?.edits.delete(item.id)
    }
  }

  private mutating func move(
    _ id: Bytes, to position: Position, _ step: inout Step
  ) throws(Refusal) {
    let from = try index(of: id, "id")
    let to: Int
    switch position {
    case .end: to = items.count - 1
    case .index(let index):
      guard index >= 0, index < items.count else {
        throw Refusal(
          .indexOutOfRange, at: JSONPointer(tokens: ["to"]),
          "there are \(items.count) items: to is 0 to \(items.count - 1)")
      }
      to = index
    case .before(let other):
      let target = try index(of: other, "before")
      to = target > from ? target - 1 : target
    case .after(let other):
      let target = try index(of: other, "after")
      to = target >= from ? target : target + 1
    }
    guard to != from else { return }
    let item = items.remove(at: from)
    items.insert(item, at: to)
    step.items.moves = [Batch<Row>.Move(from: from, to: to)]
  }

  private mutating func update(
    _ updates: [RowUpdate], _ context: ListContext, _ step: inout Step
  ) throws(Refusal) {
    var drafts: [Int: Item] = [:]
    for (position, update) in updates.enumerated() {
      do throws(Refusal) {
        let index = try index(of: update.id, "id")
        drafts[index] = try rules.look.updated(drafts[index] ?? items.list[index], by: update, context)
      } catch {
        throw error.under(["rows", Bytes(String(position))])
      }
    }
    for (index, item) in drafts.sorted(by: { $0.key < $1.key })
    where !items.list[index].hasSameContent(as: item) {
      let item = item.keepingData(of: items.list[index])
      items.update(at: index, with: item)
      step.items.updates.append(Batch<Row>.Update(from: index, to: index, element: .item(item)))
      fetch?.edits.update(item.id)
    }
  }

  private mutating func replace(
    _ new: [Item], hasNext more: Bool, _ context: ListContext, _ step: inout Step
  ) throws(Refusal) {
    try refuseDuplicates(in: new)
    try refuseExcess(new.count, context)
    void(&step)
    error = nil
    failed = nil
    hasNext = more
    isLoaded = true
    hasBegun = true
    become(new, from: items.list.array, &step)
  }

  // MARK: Refusing

  private var hasPlaceholder: Bool {
    sight.statusRows.contains { $0.identity == .placeholder }
  }

  func index(of id: Bytes, _ member: StaticString) throws(Refusal) -> Int {
    guard let index = items.index(of: id) else { throw unknown([Bytes(member)]) }
    return index
  }

  private func unknown(_ tokens: [Bytes]) -> Refusal {
    Refusal(.unknownRow, at: JSONPointer(tokens: tokens), "no item has this id")
  }

  private func refuseDuplicates(in new: [Item]) throws(Refusal) {
    guard new.count > 1 else { return }
    var seen: Set<ItemID> = []
    for (index, item) in new.enumerated() where !seen.insert(item.listID).inserted {
      throw duplicate(item.id, index)
    }
  }

  private func duplicate(_ id: Bytes, _ index: Int) -> Refusal {
    Refusal(
      .duplicateID, at: JSONPointer(tokens: ["rows", Bytes(String(index)), "id"]),
      "the id \(id.string.debugDescription) is already used")
  }

  private func refuseExcess(_ count: Int, _ context: ListContext) throws(Refusal) {
    if count > context.itemsPerSession {
      throw Refusal(
        .limitExceeded, at: JSONPointer(tokens: ["rows"]),
        "a session holds at most \(context.itemsPerSession) items")
    }
  }
}

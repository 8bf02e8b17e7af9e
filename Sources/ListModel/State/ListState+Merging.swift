import JSONText
import ListDiff

// How pages come into the list as it is when they arrive (protocol §7, Fetches).
extension ListState {
  /// Updates held items in place and appends the others; edits made meanwhile stay; O(page · √n).
  ///
  /// - Returns: false where the session's limit left items out.
  mutating func merge(_ page: [Item], edits: ConcurrentEdits, limit: Int, _ step: inout Step) -> Bool {
    var fits = true
    var seen: Set<Bytes> = []
    var updates: [Int: Item] = [:]
    for item in page where seen.insert(item.id).inserted && edits[item.id] != .deleted {
      if let index = items.index(of: item.id) {
        let held = items.list[index]
        guard !edits.keepsContent(of: item.id), !held.hasSameContent(as: item) else { continue }
        let item = item.keepingData(of: held)
        items.update(at: index, with: item)
        updates[index] = item
      } else if items.count < limit {
        step.items.inserts.append(Batch<Row>.Insert(to: items.count, element: .item(item)))
        items.insert(item, at: items.count)
      } else {
        fits = false
      }
    }
    step.items.updates = updates.sorted { $0.key < $1.key }.map {
      Batch<Row>.Update(from: $0.key, to: $0.key, element: .item($0.value))
    }
    return fits
  }

  /// Makes the list what the upstream has, in its order, but for edits made meanwhile; O(n).
  ///
  /// - Returns: false where the session's limit left items out.
  mutating func replace(by upstream: [Item], edits: ConcurrentEdits, limit: Int, _ step: inout Step) -> Bool {
    let old = items.list.array
    var new: [Item] = []
    new.reserveCapacity(upstream.count)
    var seen: Set<Bytes> = []
    for item in upstream where seen.insert(item.id).inserted {
      switch edits[item.id] {
      case .deleted, .inserted: continue
      case .updated: new.append(items.item(withID: item.id) ?? item)
      case nil: new.append(item)
      }
    }
    let room = max(0, limit - edits.insertedCount)
    let fits = new.count <= room
    if !fits { new.removeSubrange(room...) }
    if edits.insertedCount > 0 {
      for (index, item) in old.enumerated() where edits[item.id] == .inserted {
        new.insert(item, at: min(index, new.count))
      }
    }
    become(new, from: old, &step)
    return fits
  }

  /// Puts `new` in the place of the present items; equal ones keep their old text; O(n).
  mutating func become(_ new: [Item], from old: [Item], _ step: inout Step) {
    let settled = new.enumerated().map { index, item in
      let held =
        index < old.count && old[index].hasSameID(as: item) ? old[index] : items.item(withID: item.id)
      guard let held else { return item }
      return held.hasSameContent(as: item) ? held : item.keepingData(of: held)
    }
    step.items = Batch<Row>(from: old.map(Row.item), to: settled.map(Row.item))
    if !step.items.isEmpty { items = IndexedItems(ItemList(settled)) }
  }
}

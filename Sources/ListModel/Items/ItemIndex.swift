import JSONText

/// Finds an item of an `ItemList` by its id: an open-addressing table from id hashes to leaf numbers.
///
/// It holds no ids: a hit is confirmed in the leaf itself, so the table costs 8 bytes a slot and is copied as plain
/// memory. Lists of one leaf need none and are searched. Hashes are seeded (`Hasher`), so that no choice of ids
/// makes probing slow.
struct ItemIndex: Sendable {
  private struct Slot {
    var hash: UInt32
    /// The leaf's number + 2; `free` and `removed` are not leaves.
    var leaf: UInt32
    static let free: UInt32 = 0
    static let removed: UInt32 = 1
  }

  private var slots: [Slot] = []
  private var used = 0  // slots that are not free
  private var live = 0  // slots that name a leaf
  /// For each leaf number, the number of the branch that holds it.
  private(set) var branchOfLeaf: [UInt32] = []

  /// Whether a table is kept; where not, the list has at most one leaf.
  var isBuilt: Bool { !slots.isEmpty }

  /// Forgets everything.
  mutating func clear() {
    self = ItemIndex()
  }

  /// Builds the table for `list`; O(n).
  mutating func build(for list: ItemList) {
    clear()
    reserve(list.count)
    for branch in list.branches {
      for leaf in branch.leaves {
        place(leaf: leaf.number, inBranch: branch.number)
        for item in leaf.items { insert(item.idHash, leaf: leaf.number) }
      }
    }
  }

  /// Notes which branch holds a leaf; O(1).
  mutating func place(leaf: UInt32, inBranch branch: UInt32) {
    while branchOfLeaf.count <= Int(leaf) { branchOfLeaf.append(0) }
    branchOfLeaf[Int(leaf)] = branch
  }

  /// Adds an item's hash; O(1) amortised.
  mutating func insert(_ hash: UInt32, leaf: UInt32) {
    if (used + 1) * 4 > slots.count * 3 { reserve(live + 1) }
    var position = Int(hash) & (slots.count - 1)
    while slots[position].leaf > Slot.removed { position = (position + 1) & (slots.count - 1) }
    if slots[position].leaf == Slot.free { used += 1 }
    slots[position] = Slot(hash: hash, leaf: leaf + 2)
    live += 1
  }

  /// Takes an item's hash out; O(1) expected.
  mutating func remove(_ hash: UInt32, leaf: UInt32) {
    guard let position = position(of: hash, leaf: leaf) else { return }
    slots[position].leaf = Slot.removed
    live -= 1
  }

  /// Says that the item has moved to another leaf; O(1) expected.
  mutating func move(_ hash: UInt32, from old: UInt32, to new: UInt32) {
    guard let position = position(of: hash, leaf: old) else { return }
    slots[position].leaf = new + 2
  }

  /// Calls `body` with the leaves that may hold an item of this hash until it returns true; O(1) expected.
  func candidates(_ hash: UInt32, until body: (UInt32) -> Bool) {
    guard isBuilt else { return }
    var position = Int(hash) & (slots.count - 1)
    while slots[position].leaf != Slot.free {
      let slot = slots[position]
      if slot.leaf != Slot.removed, slot.hash == hash, body(slot.leaf - 2) { return }
      position = (position + 1) & (slots.count - 1)
    }
  }

  private func position(of hash: UInt32, leaf: UInt32) -> Int? {
    guard isBuilt else { return nil }
    var position = Int(hash) & (slots.count - 1)
    while slots[position].leaf != Slot.free {
      if slots[position].leaf == leaf + 2, slots[position].hash == hash { return position }
      position = (position + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Makes room for `count` items at a load of at most a half, dropping the marks of removed ones.
  private mutating func reserve(_ count: Int) {
    var capacity = 128
    while capacity < count * 2 { capacity *= 2 }
    let old = slots
    slots = [Slot](repeating: Slot(hash: 0, leaf: Slot.free), count: capacity)
    used = 0
    live = 0
    for slot in old where slot.leaf > Slot.removed { insert(slot.hash, leaf: slot.leaf - 2) }
  }
}

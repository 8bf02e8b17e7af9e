import JSONText

/// The list that commands build on: items in order, and by id.
///
/// Copies of `list` are cheap and stay as they are (design: "two versions of one list"); a copy of the whole costs
/// one plain copy of the index at the next edit. Ids are unique: `insert` and `init` ask for that.
struct IndexedItems: Sendable {
  private(set) var list: ItemList
  private var index: ItemIndex

  init(_ list: ItemList = ItemList()) {
    self.list = list
    index = ItemIndex()
    if list.count > ItemList.leafCapacity { index.build(for: list) }
  }

  var count: Int { list.count }

  // MARK: Finding

  /// Whether an item has this id; O(√n).
  func contains(_ id: Bytes) -> Bool { path(of: id, hash: Item.hash(id)) != nil }

  /// Whether an item has the same id; O(√n).
  func containsID(of item: Item) -> Bool { path(of: item.id, hash: item.idHash) != nil }

  /// The index of the item with this id, counted from 0; O(√n).
  func index(of id: Bytes) -> Int? {
    path(of: id).map { list.index(of: $0) }
  }

  /// The item with this id; O(√n).
  func item(withID id: Bytes) -> Item? {
    path(of: id).map { list.branches[$0.branch].leaves[$0.leaf].items[$0.item] }
  }

  private func path(of id: Bytes) -> ItemList.Path? { path(of: id, hash: Item.hash(id)) }

  private func path(of id: Bytes, hash: UInt32) -> ItemList.Path? {
    guard index.isBuilt else {
      for (b, branch) in list.branches.enumerated() {
        for (l, leaf) in branch.leaves.enumerated() {
          if let i = leaf.items.firstIndex(where: { $0.hasID(id, hash: hash) }) {
            return ItemList.Path(branch: b, leaf: l, item: i)
          }
        }
      }
      return nil
    }
    var found: ItemList.Path?
    index.candidates(hash) { leafNumber in
      guard let (b, l) = place(ofLeaf: leafNumber),
        let i = list.branches[b].leaves[l].items.firstIndex(where: { $0.hasID(id, hash: hash) })
      else { return false }
      found = ItemList.Path(branch: b, leaf: l, item: i)
      return true
    }
    return found
  }

  private func place(ofLeaf number: UInt32) -> (branch: Int, leaf: Int)? {
    let branchNumber = index.branchOfLeaf[Int(number)]
    guard let b = list.branches.firstIndex(where: { $0.number == branchNumber }),
      let l = list.branches[b].leaves.firstIndex(where: { $0.number == number })
    else { return nil }
    return (b, l)
  }

  // MARK: Editing

  /// Puts new content in the place of the item at `index`, whose id it has; O(√n).
  mutating func update(at position: Int, with item: Item) {
    let path = list.path(to: position)
    list.branches[path.branch].leaves[path.leaf].items[path.item] = item
  }

  /// Inserts an item whose id is not in the list, so that it stands at `position`; O(√n).
  mutating func insert(_ item: Item, at position: Int) {
    // Leaf numbers are never used again: once they outnumber the items, all are given anew. O(1) amortised.
    if Int(list.nextLeafNumber) > 4096 + list.count { self = IndexedItems(ItemList(list.array)) }
    var path = list.path(to: position)
    // Between two leaves the end of the left one is the better place: appends then fill leaves.
    if path.item == 0, path.leaf > 0 {
      path.leaf -= 1
      path.item = list.branches[path.branch].leaves[path.leaf].items.count
    }
    if list.branches.isEmpty { addLeaf([], at: path, branchMissing: true) }
    if list.branches[path.branch].leaves[path.leaf].items.count == ItemList.leafCapacity {
      makeRoom(at: &path)
    }
    list.branches[path.branch].leaves[path.leaf].items.insert(item, at: path.item)
    list.branches[path.branch].count += 1
    list.count += 1
    if index.isBuilt {
      index.insert(item.idHash, leaf: list.branches[path.branch].leaves[path.leaf].number)
    } else if list.count > ItemList.leafCapacity {
      index.build(for: list)
    }
  }

  /// Removes and returns the item at `position`; O(√n).
  @discardableResult
  mutating func remove(at position: Int) -> Item {
    let path = list.path(to: position)
    let item = list.branches[path.branch].leaves[path.leaf].items.remove(at: path.item)
    list.branches[path.branch].count -= 1
    list.count -= 1
    index.remove(item.idHash, leaf: list.branches[path.branch].leaves[path.leaf].number)
    tidy(path)
    return item
  }

  /// Removes all items; O(1).
  mutating func removeAll() {
    self = IndexedItems()
  }

  /// Lets go of the index, for a list that is kept and not asked for ids.
  mutating func forgetIndex() {
    index.clear()
  }

  // MARK: Shape

  /// Splits a full leaf, or opens a new one behind it for an append, and makes `path` point to room.
  private mutating func makeRoom(at path: inout ItemList.Path) {
    let isAppend = path.item == ItemList.leafCapacity
    let cut = isAppend ? ItemList.leafCapacity : ItemList.leafCapacity / 2
    let old = list.branches[path.branch].leaves[path.leaf]
    let right = Array(old.items[cut...])
    list.branches[path.branch].leaves[path.leaf].items.removeSubrange(cut...)
    var next = path
    next.leaf += 1
    addLeaf(right, at: next, branchMissing: false)
    if index.isBuilt {
      let number = list.branches[path.branch].leaves[path.leaf + 1].number
      for item in right { index.move(item.idHash, from: old.number, to: number) }
    }
    if path.item >= cut {
      path.leaf += 1
      path.item -= cut
    }
    if list.branches[path.branch].leaves.count > ItemList.branchCapacity { splitBranch(holding: &path) }
  }

  private mutating func addLeaf(_ items: [Item], at path: ItemList.Path, branchMissing: Bool) {
    if branchMissing {
      list.branches.append(ItemList.Branch(number: list.nextBranchNumber, leaves: [], count: 0))
      list.nextBranchNumber += 1
    }
    let leaf = ItemList.Leaf(number: list.nextLeafNumber, items: items)
    list.nextLeafNumber += 1
    list.branches[path.branch].leaves.insert(leaf, at: path.leaf)
    if index.isBuilt { index.place(leaf: leaf.number, inBranch: list.branches[path.branch].number) }
  }

  private mutating func splitBranch(holding path: inout ItemList.Path) {
    let half = ItemList.branchCapacity / 2
    let moved = Array(list.branches[path.branch].leaves[half...])
    let count = moved.reduce(0) { $0 + $1.items.count }
    list.branches[path.branch].leaves.removeSubrange(half...)
    list.branches[path.branch].count -= count
    let branch = ItemList.Branch(number: list.nextBranchNumber, leaves: moved, count: count)
    list.nextBranchNumber += 1
    list.branches.insert(branch, at: path.branch + 1)
    if index.isBuilt {
      for leaf in moved { index.place(leaf: leaf.number, inBranch: branch.number) }
    }
    if path.leaf >= half {
      path.branch += 1
      path.leaf -= half
    }
  }

  /// Takes an empty leaf out, and joins a small one to its left neighbour, so that the tree stays shallow.
  private mutating func tidy(_ path: ItemList.Path) {
    let leaf = list.branches[path.branch].leaves[path.leaf]
    if leaf.items.isEmpty {
      list.branches[path.branch].leaves.remove(at: path.leaf)
      if list.branches[path.branch].leaves.isEmpty { list.branches.remove(at: path.branch) }
    } else if leaf.items.count <= ItemList.leafCapacity / 4, path.leaf > 0 {
      let left = list.branches[path.branch].leaves[path.leaf - 1]
      guard left.items.count <= ItemList.leafCapacity / 4 else { return }
      list.branches[path.branch].leaves[path.leaf - 1].items.append(contentsOf: leaf.items)
      list.branches[path.branch].leaves.remove(at: path.leaf)
      for item in leaf.items { index.move(item.idHash, from: leaf.number, to: left.number) }
    }
  }
}

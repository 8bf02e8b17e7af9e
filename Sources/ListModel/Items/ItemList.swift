/// Items in order, as a value: a B-tree of fixed height whose nodes are shared between versions.
///
/// The committed list and the one that commands build on are two values that share all nodes but those on the path
/// of an edit. An edit costs O(√n) at worst and copies at most one leaf, one branch and the array of branches; finding
/// by index the same. A leaf has a number that never changes, by which `ItemIndex` finds it again.
public struct ItemList: Sendable {
  /// Up to `leafCapacity` neighbouring items.
  struct Leaf: Sendable {
    let number: UInt32
    var items: [Item]
  }

  /// Up to `branchCapacity` neighbouring leaves.
  struct Branch: Sendable {
    let number: UInt32
    var leaves: [Leaf]
    var count: Int
  }

  /// A place in the tree.
  ///
  /// `item` equals the leaf's count where it stands behind its last item.
  struct Path: Equatable {
    var branch: Int
    var leaf: Int
    var item: Int
  }

  static let leafCapacity = 64
  static let branchCapacity = 64

  var branches: [Branch] = []
  /// The number of items.
  public internal(set) var count = 0
  var nextLeafNumber: UInt32 = 0
  var nextBranchNumber: UInt32 = 0

  /// No items.
  public init() {}

  /// These items, in full leaves; O(n).
  public init(_ items: some RandomAccessCollection<Item>) {
    var rest = items[...]
    while !rest.isEmpty {
      var branch = Branch(number: nextBranchNumber, leaves: [], count: 0)
      nextBranchNumber += 1
      while !rest.isEmpty, branch.leaves.count < Self.branchCapacity {
        let part = rest.prefix(Self.leafCapacity)
        branch.leaves.append(Leaf(number: nextLeafNumber, items: Array(part)))
        nextLeafNumber += 1
        branch.count += part.count
        rest = rest.dropFirst(part.count)
      }
      branches.append(branch)
      count += branch.count
    }
  }

  /// Whether there are none.
  public var isEmpty: Bool { count == 0 }

  /// The item at `index`, counted from 0; O(√n).
  public subscript(index: Int) -> Item {
    precondition(index >= 0 && index < count, "index outside the list")
    let path = self.path(to: index)
    return branches[path.branch].leaves[path.leaf].items[path.item]
  }

  /// All items; O(n).
  public var array: [Item] {
    var all: [Item] = []
    all.reserveCapacity(count)
    for branch in branches {
      for leaf in branch.leaves { all.append(contentsOf: leaf.items) }
    }
    return all
  }

  /// Calls `body` with the items in `range`, in order; O(√n + length).
  public func forEach(in range: Range<Int>, _ body: (Item) -> Void) {
    precondition(range.lowerBound >= 0 && range.upperBound <= count, "range outside the list")
    guard !range.isEmpty else { return }
    var path = self.path(to: range.lowerBound)
    var remaining = range.count
    while remaining > 0 {
      let items = branches[path.branch].leaves[path.leaf].items
      let end = min(items.count, path.item + remaining)
      for index in path.item..<end { body(items[index]) }
      remaining -= end - path.item
      path.item = 0
      path.leaf += 1
      if path.leaf == branches[path.branch].leaves.count {
        path.leaf = 0
        path.branch += 1
      }
    }
  }

  /// The index of the first item for which `predicate` holds; O(n).
  public func firstIndex(where predicate: (Item) -> Bool) -> Int? {
    var index = 0
    for branch in branches {
      for leaf in branch.leaves {
        for item in leaf.items {
          if predicate(item) { return index }
          index += 1
        }
      }
    }
    return nil
  }

  /// Where the item at `index` stands; for `count`, the place behind the last item; O(√n).
  func path(to index: Int) -> Path {
    guard index < count else {
      guard let branch = branches.indices.last, let leaf = branches[branch].leaves.indices.last else {
        return Path(branch: 0, leaf: 0, item: 0)
      }
      return Path(branch: branch, leaf: leaf, item: branches[branch].leaves[leaf].items.count)
    }
    var rest = index
    var branch = 0
    while rest >= branches[branch].count {
      rest -= branches[branch].count
      branch += 1
    }
    var leaf = 0
    while rest >= branches[branch].leaves[leaf].items.count {
      rest -= branches[branch].leaves[leaf].items.count
      leaf += 1
    }
    return Path(branch: branch, leaf: leaf, item: rest)
  }

  /// The index of the item at `path`; O(√n).
  func index(of path: Path) -> Int {
    var index = path.item
    for branch in branches[..<path.branch] { index += branch.count }
    for leaf in branches[path.branch].leaves[..<path.leaf] { index += leaf.items.count }
    return index
  }
}

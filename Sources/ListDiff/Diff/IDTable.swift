/// Finds rows of one list by id: open addressing over row indexes, so that ids are hashed once and never copied.
///
/// Hashes come from the standard `Hasher` with its seed per process: ids are made by clients, who cannot aim
/// at collisions. The table has room for the rows it was made for and does not grow.
@usableFromInline
struct IDTable<Element: ListElement> {
  /// The list to which the row indexes belong.
  @usableFromInline let rows: [Element]
  /// A power of two at least twice the rows to hold.
  ///
  /// 0 is free; else the upper bits of the hash above `rowBits` of row index + 1, so that most strangers are
  /// told apart without a look at their id.
  @usableFromInline var slots: [UInt64]
  /// The number of rows held.
  @usableFromInline private(set) var count = 0

  /// How many bits of a slot hold the row: lists end at 2⁴⁰ rows, far beyond any memory.
  @inlinable static var rowBits: UInt64 { 40 }
  @inlinable static var rowMask: UInt64 { (1 << rowBits) - 1 }

  /// An empty table with room for `capacity` of `rows`.
  @inlinable
  init(of rows: [Element], capacity: Int) {
    self.rows = rows
    var size = 4
    while size < capacity * 2 { size *= 2 }
    slots = [UInt64](repeating: 0, count: size)
  }

  /// Adds the row at `index`; false where one with the same id is there already, which stands.
  ///
  /// Expected O(1).
  @inlinable
  mutating func insert(_ index: Int) -> Bool {
    let (slot, found) = locate(rows[index])
    guard found == nil else { return false }
    slots[slot.index] = slot.tag | UInt64(index + 1)
    count += 1
    return true
  }

  /// The index of the row with the id of `element`.
  ///
  /// Expected O(1).
  @inlinable
  func index(of element: Element) -> Int? {
    locate(element).row
  }

  /// The slot where the id of `element` is or belongs, and its row if it is there.
  @inlinable
  func locate(_ element: Element) -> (slot: (index: Int, tag: UInt64), row: Int?) {
    let hash = UInt64(truncatingIfNeeded: element.listID.hashValue)
    let tag = hash & ~Self.rowMask
    let mask = slots.count - 1
    var index = Int(truncatingIfNeeded: hash) & mask
    while slots[index] != 0 {
      if slots[index] & ~Self.rowMask == tag {
        let row = Int(slots[index] & Self.rowMask) - 1
        if rows[row].hasSameID(as: element) { return ((index, tag), row) }
      }
      index = (index + 1) & mask
    }
    return ((index, tag), nil)
  }
}

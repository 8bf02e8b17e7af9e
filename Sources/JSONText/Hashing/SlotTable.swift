/// Finds indices of someone else's array by hash: open addressing with linear probing, at most half full.
struct SlotTable {
  /// Zero is a free slot.
  private struct Slot {
    var indexPlusOne: UInt32 = 0
    var hash: UInt32 = 0
  }

  /// As many as a power of two, or none.
  private var slots: [Slot] = []
  private(set) var count = 0

  /// An empty table, with room for `capacity` indices before it must grow.
  init(capacity: Int = 0) {
    if capacity > 0 { resize(toHold: capacity) }
  }

  /// The index put in under `hash` that `matches` takes; nil where there is none; O(1) on average.
  @inline(__always)
  func index(hash: UInt64, where matches: (Int) -> Bool) -> Int? {
    guard count > 0 else { return nil }
    let hash = UInt32(truncatingIfNeeded: hash)
    var place = home(hash)
    while slots[place].indexPlusOne != 0 {
      let index = Int(slots[place].indexPlusOne &- 1)
      if slots[place].hash == hash, matches(index) { return index }
      place = after(place)
    }
    return nil
  }

  /// Puts an index below 2³² − 1 in; O(1), amortised.
  mutating func insert(_ index: Int, hash: UInt64) {
    if (count + 1) * 2 > slots.count { resize(toHold: max(32, count * 2)) }
    place(Slot(indexPlusOne: UInt32(index + 1), hash: UInt32(truncatingIfNeeded: hash)))
    count += 1
  }

  /// Takes out an index that was put in under `hash`; O(1) on average.
  mutating func remove(_ index: Int, hash: UInt64) {
    guard count > 0 else { return }
    var hole = home(UInt32(truncatingIfNeeded: hash))
    while Int(slots[hole].indexPlusOne) != index + 1 {
      if slots[hole].indexPlusOne == 0 { return }
      hole = after(hole)
    }
    count -= 1
    // Those behind that a search would no longer reach across the hole move up into it.
    var next = after(hole)
    while slots[next].indexPlusOne != 0 {
      let distance = (next &- home(slots[next].hash)) & (slots.count &- 1)
      if distance >= (next &- hole) & (slots.count &- 1) {
        slots[hole] = slots[next]
        hole = next
      }
      next = after(next)
    }
    slots[hole] = Slot()
  }

  private mutating func resize(toHold capacity: Int) {
    let old = slots
    var size = 64
    while size < capacity * 2 { size *= 2 }
    slots = [Slot](repeating: Slot(), count: size)
    for slot in old where slot.indexPlusOne != 0 { place(slot) }
  }

  private mutating func place(_ slot: Slot) {
    var place = home(slot.hash)
    while slots[place].indexPlusOne != 0 { place = after(place) }
    slots[place] = slot
  }

  @inline(__always)
  private func home(_ hash: UInt32) -> Int { Int(hash) & (slots.count &- 1) }

  @inline(__always)
  private func after(_ place: Int) -> Int { (place &+ 1) & (slots.count &- 1) }
}

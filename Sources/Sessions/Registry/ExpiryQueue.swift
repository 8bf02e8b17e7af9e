import JSONText

/// Keys in the order in which something about them ends.
///
/// What is put in later is expected to end no earlier; what does all the same (a store told of it late) waits for those
/// before it.
///
/// A key may come more than once, and what it stands for may live on: whoever is handed a key looks before forgetting.
struct ExpiryQueue: Sendable {
  private var entries: [(key: Bytes, until: Int)] = []
  private var first = 0

  /// Adds a key whose time ends at `until`, in milliseconds since 1970.
  ///
  /// O(1) amortised.
  mutating func append(_ key: Bytes, until: Int) {
    entries.append((key, until))
  }

  /// Takes out the first key whose time is over; nil where there is none.
  ///
  /// O(1) amortised.
  mutating func popExpired(now: Int) -> Bytes? {
    guard first < entries.count, entries[first].until <= now else { return nil }
    defer {
      first += 1
      if first > 64, first * 2 > entries.count {
        entries.removeFirst(first)
        first = 0
      }
    }
    return entries[first].key
  }
}

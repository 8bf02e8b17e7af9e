/// Where each row that a batch keeps is afterwards.
@usableFromInline
struct Layout: Sendable {
  /// All rows that stay, moved ones among them, by rising `to`.
  @usableFromInline private(set) var runs: [Run] = []
  /// The number of rows after.
  @usableFromInline let rowCountAfter: Int

  /// Lays out the structural ops of a batch that fits `rowCountBefore` rows: deletes by falling index, moves
  /// and the places of inserts by rising `to`.
  ///
  /// O(k log k) for k ops, O(k) without moves.
  @usableFromInline
  init(deletes: [Int], moves: [RowMove], places: [Int], rowCountBefore: Int) {
    rowCountAfter = rowCountBefore - deletes.count + places.count
    var removed = Array(deletes.reversed())
    if !moves.isEmpty {
      removed.append(contentsOf: moves.map(\.from))
      removed.sort()
    }

    var removals = removed[...]
    var arrivals = moves[...]
    var places = places[...]
    var (from, to) = (0, 0)
    while true {
      if removals.first == from {
        removals.removeFirst()
        from += 1
      } else if let move = arrivals.first, move.to == to {
        arrivals.removeFirst()
        runs.join(Run(from: move.from, to: to, count: 1))
        to += 1
      } else if places.first == to {
        places.removeFirst()
        to += 1
      } else {
        let fromEnd = removals.first ?? rowCountBefore
        let toEnd = min(arrivals.first?.to ?? rowCountAfter, places.first ?? rowCountAfter)
        let count = min(fromEnd - from, toEnd - to)
        guard count > 0 else { break }
        runs.join(Run(from: from, to: to, count: count))
        from += count
        to += count
      }
    }
  }

  /// The index before of the row that is at `place` after; nil for an inserted one.
  ///
  /// O(log k).
  @inlinable
  func origin(of place: Int) -> Int? {
    runs.run(at: place).map { $0.from + (place - $0.to) }
  }
}

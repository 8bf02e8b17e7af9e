/// The deletes and the fewest possible moves that a list of runs means.
@usableFromInline
struct RunOrder: Sendable {
  /// Rows of the old list in no run, by falling index.
  @usableFromInline let deletes: [Int]
  /// Rows outside the longest part of the kept ones that stays in order, by rising `to`.
  @usableFromInline let moves: [RowMove]

  /// Orders `runs`, which stand by rising `to` and share no row, over a list that had `rowCountBefore` rows.
  /// O(deletes + moves + k log k) for k runs; O(deletes + k) where nothing moves.
  @usableFromInline
  init(_ runs: [Run], rowCountBefore: Int) {
    if zip(runs, runs.dropFirst()).allSatisfy({ $0.from < $1.from }) {
      deletes = Self.gaps(between: runs, rowCountBefore: rowCountBefore)
      moves = []
      return
    }
    let ranking = runs.indices.sorted { runs[$0].from < runs[$1].from }
    deletes = Self.gaps(between: ranking.map { runs[$0] }, rowCountBefore: rowCountBefore)
    moves = Self.moves(of: runs, ranking: ranking)
  }

  /// The rows between `runs`, which stand by rising `from`; the last first.
  private static func gaps(between runs: [Run], rowCountBefore: Int) -> [Int] {
    let kept = runs.reduce(0) { $0 + $1.count }
    guard kept < rowCountBefore else { return [] }
    var gaps: [Int] = []
    gaps.reserveCapacity(rowCountBefore - kept)
    var end = rowCountBefore
    for run in runs.reversed() {
      gaps.append(contentsOf: (run.fromEnd..<end).reversed())
      end = run.from
    }
    gaps.append(contentsOf: (0..<end).reversed())
    return gaps
  }

  /// Moves every row that is not in the heaviest rising sequence of runs.
  ///
  /// A longest rising sequence of rows holds a run wholly or not at all: its rows are neighbours on both sides,
  /// so whatever rises into or out of one of them does so for all. The same goes for runs that follow each other
  /// on both sides with only deletes and inserts between them; these are weighed as one stretch.
  private static func moves(of runs: [Run], ranking: [Int]) -> [RowMove] {
    var rank = [Int](repeating: 0, count: runs.count)
    for (position, run) in ranking.enumerated() { rank[run] = position }

    var stretches: [Stretch] = []
    for (index, run) in runs.enumerated() {
      if index > 0, rank[index] == rank[index - 1] + 1 {
        stretches[stretches.count - 1].runs = stretches[stretches.count - 1].runs.lowerBound..<(index + 1)
        stretches[stretches.count - 1].rowCount += run.count
      } else {
        stretches.append(Stretch(rank: rank[index], runs: index..<(index + 1), rowCount: run.count))
      }
    }

    let stays = heaviestRise(of: stretches, rankCount: runs.count)
    var moves: [RowMove] = []
    for (stretch, stays) in zip(stretches, stays) where !stays {
      for run in runs[stretch.runs] {
        for offset in 0..<run.count {
          moves.append(RowMove(from: run.from + offset, to: run.to + offset))
        }
      }
    }
    return moves
  }

  /// Runs that follow each other in both lists, with no other kept row between them.
  private struct Stretch {
    /// The place of the first run among all runs by rising `from`.
    var rank: Int
    /// The runs, by their index.
    var runs: Range<Int>
    /// How many rows they hold.
    var rowCount: Int
  }

  /// Which stretches are in a sequence of rising ranks that holds as many rows as any. O(k log k).
  private static func heaviestRise(of stretches: [Stretch], rankCount: Int) -> [Bool] {
    // For each stretch, the most rows of a rising sequence that ends with it, and the stretch before it there.
    var rowCount = [Int](repeating: 0, count: stretches.count)
    var previous = [Int?](repeating: nil, count: stretches.count)
    // A Fenwick tree over the ranks: the best end of a sequence among those of lower rank seen so far.
    var best = [Int?](repeating: nil, count: rankCount + 1)
    var last: Int?

    for (index, stretch) in stretches.enumerated() {
      var node = stretch.rank
      while node > 0 {
        if let end = best[node], rowCount[end] > rowCount[index] {
          rowCount[index] = rowCount[end]
          previous[index] = end
        }
        node &= node - 1
      }
      rowCount[index] += stretch.rowCount
      if last.map({ rowCount[$0] < rowCount[index] }) ?? true { last = index }
      node = stretch.rank + 1
      while node <= rankCount {
        if best[node].map({ rowCount[$0] < rowCount[index] }) ?? true { best[node] = index }
        node += node & -node
      }
    }

    var isInRise = [Bool](repeating: false, count: stretches.count)
    while let index = last {
      isInRise[index] = true
      last = previous[index]
    }
    return isInRise
  }
}

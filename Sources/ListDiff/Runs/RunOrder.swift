/// The deletes and the fewest possible moves that a list of runs means.
@usableFromInline
struct RunOrder: Sendable {
  /// Rows of the old list in no run, by falling index.
  @usableFromInline let deletes: [Int]
  /// Rows outside the longest part of the kept ones that stays in order, by rising `to`.
  @usableFromInline let moves: [RowMove]

  /// Orders `runs`, which stand by rising `to` and share no row, over a list that had `rowCountBefore` rows.
  ///
  /// O(deletes + k) for k runs where nothing moves, else O(deletes + moves + k log k + rowCountBefore / 64).
  @usableFromInline
  init(_ runs: [Run], rowCountBefore: Int) {
    if zip(runs, runs.dropFirst()).allSatisfy({ $0.from < $1.from }) {
      deletes = Self.gaps(between: runs, rowCountBefore: rowCountBefore)
      moves = []
      return
    }
    let ranks = Self.ranks(of: runs, rowCountBefore: rowCountBefore)
    var risingRuns = runs
    for (run, rank) in zip(runs, ranks) { risingRuns[rank] = run }
    deletes = Self.gaps(between: risingRuns, rowCountBefore: rowCountBefore)
    moves = Self.moves(of: runs, ranks: ranks)
  }

  /// The deletes alone.
  ///
  /// O(deletes + k log k) for k runs in any order.
  @usableFromInline
  static func deletes(around runs: [Run], rowCountBefore: Int) -> [Int] {
    gaps(between: runs.sorted { $0.from < $1.from }, rowCountBefore: rowCountBefore)
  }

  /// The place of each run among all by rising `from`.
  ///
  /// Read off a bit for each old row: most changes leave long lists of runs that nearly rise, and this is many
  /// times faster on them than sorting.
  private static func ranks(of runs: [Run], rowCountBefore: Int) -> [Int] {
    var starts = Bits(in: 0..<rowCountBefore)
    for run in runs { starts[run.from] = true }
    let countsBeforeWords = starts.countsBeforeWords
    return runs.map { starts.count(before: $0.from, countsBeforeWords) }
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

  /// Moves every row that is not in the heaviest rising sequence of stretches.
  private static func moves(of runs: [Run], ranks: [Int]) -> [RowMove] {
    let stretches = Stretch.all(in: runs, ranks: ranks)
    var moves: [RowMove] = []
    for (stretch, stays) in zip(stretches, Stretch.heaviestRise(of: stretches)) where !stays {
      for run in runs[stretch.runs] {
        for offset in 0..<run.count {
          moves.append(RowMove(from: run.from + offset, to: run.to + offset))
        }
      }
    }
    return moves
  }
}

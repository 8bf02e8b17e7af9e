/// Runs that follow each other in both lists, with no other kept row between them on either side.
///
/// A longest rising sequence of rows holds a stretch wholly or not at all: its rows are neighbours, among the kept
/// ones, on both sides, so whatever rises into or out of one of them does so for all. So the fewest moves are
/// found among stretches, each as heavy as its rows, and these are few where little has moved.
struct Stretch {
  /// Its place among all stretches by where they were in the old list.
  var rank: Int
  /// The runs, by their index in the new list.
  var runs: Range<Int>
  /// How many rows they hold.
  var rowCount: Int

  /// The stretches of `runs`, in the order of the new list.
  ///
  /// `ranks` are the places of the runs by rising `from`. O(k) for k runs.
  static func all(in runs: [Run], ranks: [Int]) -> [Stretch] {
    var stretches: [Stretch] = []
    // For each rank of a run, the stretch that begins there.
    var beginners = [Int?](repeating: nil, count: runs.count)
    var start = 0
    for index in runs.indices where index + 1 == runs.count || ranks[index + 1] != ranks[index] + 1 {
      let members = start..<(index + 1)
      beginners[ranks[start]] = stretches.count
      stretches.append(Stretch(rank: 0, runs: members, rowCount: runs[members].reduce(0) { $0 + $1.count }))
      start = index + 1
    }
    for (rank, stretch) in beginners.lazy.compactMap({ $0 }).enumerated() { stretches[stretch].rank = rank }
    return stretches
  }

  /// Which of `stretches` are in a sequence of rising ranks that holds as many rows as any.
  ///
  /// O(k log k).
  static func heaviestRise(of stretches: [Stretch]) -> [Bool] {
    // Stretches count from 1 here, and 0 is the sequence of none.
    // For each, the most rows of a rising sequence that ends with it, and the stretch before it there.
    var rowCounts = [0]
    var previous = [0]
    rowCounts.reserveCapacity(stretches.count + 1)
    previous.reserveCapacity(stretches.count + 1)
    // A Fenwick tree over the ranks: the heaviest of the sequences so far that end at or below one.
    var heaviest = [Int](repeating: 0, count: stretches.count + 1)
    var last = 0

    for (number, stretch) in zip(1..., stretches) {
      var before = 0
      var node = stretch.rank
      while node > 0 {
        if rowCounts[heaviest[node]] > rowCounts[before] { before = heaviest[node] }
        node &= node - 1
      }
      previous.append(before)
      rowCounts.append(rowCounts[before] + stretch.rowCount)
      if rowCounts[number] > rowCounts[last] { last = number }
      node = stretch.rank + 1
      while node < heaviest.count {
        if rowCounts[number] > rowCounts[heaviest[node]] { heaviest[node] = number }
        node += node & -node
      }
    }

    var isInRise = [Bool](repeating: false, count: stretches.count)
    while last > 0 {
      isInRise[last - 1] = true
      last = previous[last]
    }
    return isInRise
  }
}

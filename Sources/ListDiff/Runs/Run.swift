/// Neighbouring rows of the old list that are neighbours in the new one too, in the same order.
///
/// A list of runs by rising `to` says everything about which rows stay and where: what no run covers in the old
/// list is deleted, and what no run covers in the new list is inserted.
@usableFromInline
struct Run: Hashable, Sendable {
  /// The index of the first row in the old list.
  @usableFromInline var from: Int
  /// The index of the first row in the new list.
  @usableFromInline var to: Int
  /// The number of rows, 1 or more.
  @usableFromInline var count: Int

  @inlinable
  init(from: Int, to: Int, count: Int) {
    self.from = from
    self.to = to
    self.count = count
  }

  /// One past the last row in the old list.
  @inlinable var fromEnd: Int { from + count }
  /// One past the last row in the new list.
  @inlinable var toEnd: Int { to + count }
}

extension [Run] {
  /// Appends `run`, as part of the last one where it only goes on with it.
  @inlinable
  mutating func join(_ run: Run) {
    if let last, last.fromEnd == run.from, last.toEnd == run.to {
      self[count - 1].count += run.count
    } else {
      append(run)
    }
  }

  /// The run that holds the row at `place` in the new list, of runs by rising `to`; nil where none does.
  ///
  /// O(log n).
  @inlinable
  func run(at place: Int) -> Run? {
    let index = partitionPoint { $0.toEnd > place }
    return index < count && self[index].to <= place ? self[index] : nil
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first index whose element satisfies `predicate`, in a collection where all that do stand behind all
  /// that do not; `endIndex` where none does.
  ///
  /// O(log n).
  @inlinable
  func partitionPoint(where predicate: (Element) -> Bool) -> Int {
    var low = startIndex
    var high = endIndex
    while low < high {
      let middle = low + (high - low) / 2
      if predicate(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}

extension Batch where Element: ListElement {
  /// The minimal batch that makes `new` of `old` (protocol §4).
  ///
  /// It has no op for a row that only shifted, as few moves as possible (kept rows − longest rising run), one
  /// delete for each id that went and one insert for each that came, and an update where content differs.
  ///
  /// Expected O(n + k log k) for k runs of rows that stayed together. An identical list, an append or an insert
  /// at the head costs one comparison a row and hashes nothing. Arrays are not copied; other collections are.
  @inlinable
  public init(
    from old: some RandomAccessCollection<Element>, to new: some RandomAccessCollection<Element>
  ) {
    let new = Array(new)
    let pairing = Pairing(old: Array(old), new: new)
    let order = RunOrder(pairing.runs, rowCountBefore: pairing.old.count)
    self.init(
      deletes: order.deletes,
      moves: order.moves,
      inserts: Self.inserts(of: new, between: pairing.runs),
      updates: pairing.changed.map { Update(from: $0.from, to: $0.to, element: new[$0.to]) })
  }

  /// The elements of `new` that are in none of `runs`, which stand by rising `to`.
  @inlinable
  static func inserts(of new: [Element], between runs: [Run]) -> [Insert] {
    let kept = runs.reduce(0) { $0 + $1.count }
    guard kept < new.count else { return [] }
    var inserts: [Insert] = []
    inserts.reserveCapacity(new.count - kept)
    var start = 0
    for run in runs {
      for index in start..<run.to { inserts.append(Insert(to: index, element: new[index])) }
      start = run.toEnd
    }
    for index in start..<new.count { inserts.append(Insert(to: index, element: new[index])) }
    return inserts
  }
}

/// A batch as rows after: which stayed, from where, which are new, which have new content.
///
/// Unlike a batch it does not say which of the kept rows move; that is worked out last, once, from the runs.
@usableFromInline
struct Arrangement<Element: Sendable>: Sendable {
  @usableFromInline typealias Insert = Batch<Element>.Insert
  @usableFromInline typealias Update = Batch<Element>.Update

  /// The number of rows before.
  @usableFromInline let rowCountBefore: Int
  /// The rows that stay, by rising `to`.
  @usableFromInline var runs: [Run] = []
  /// The rows that are new, by rising `to`.
  @usableFromInline var inserts: [Insert] = []
  /// The rows that stay and have new content, by rising `to`.
  @usableFromInline var updates: [Update] = []

  /// All `rowCountBefore` rows as they are.
  @inlinable
  init(rowCountBefore: Int) {
    self.rowCountBefore = rowCountBefore
    if rowCountBefore > 0 { runs = [Run(from: 0, to: 0, count: rowCountBefore)] }
  }

  /// What `batch`, which fits, makes of `rowCountBefore` rows.
  @inlinable
  init(_ batch: Batch<Element>, rowCountBefore: Int) {
    self.rowCountBefore = rowCountBefore
    runs = batch.layout(rowCountBefore: rowCountBefore).runs
    inserts = batch.inserts
    updates = batch.updates
  }

  /// The batch with the fewest moves for this arrangement.
  @inlinable
  var batch: Batch<Element> {
    let order = RunOrder(runs, rowCountBefore: rowCountBefore)
    return Batch(deletes: order.deletes, moves: order.moves, inserts: inserts, updates: updates)
  }
}

// MARK: - One after the other

extension Arrangement {
  /// This arrangement, then `later` on what it left.
  ///
  /// O(k log k) for k runs and ops of both, whatever the rows.
  @inlinable
  func followed(by later: Arrangement) -> Arrangement {
    var result = Arrangement(rowCountBefore: rowCountBefore)
    result.runs = []
    var arrivals = later.inserts[...]
    var changes = later.updates[...]
    for run in later.runs {
      while let arrival = arrivals.first, arrival.to < run.to {
        result.inserts.append(arrival)
        arrivals.removeFirst()
      }
      let end = changes.partitionPoint { $0.to >= run.toEnd }
      result.carry(run, of: self, changes: changes[..<end])
      changes = changes[end...]
    }
    result.inserts.append(contentsOf: arrivals)
    return result
  }

  /// Appends what `earlier` had in the rows that `run` keeps, with the `changes` made to them since.
  @inlinable
  mutating func carry(_ run: Run, of earlier: Arrangement, changes: ArraySlice<Update>) {
    let shift = run.to - run.from
    let range = run.from..<run.fromEnd

    let first = earlier.runs.partitionPoint { $0.toEnd > range.lowerBound }
    for kept in earlier.runs[first...].prefix(while: { $0.to < range.upperBound }) {
      let part = (kept.to..<kept.toEnd).clamped(to: range)
      let from = kept.from + (part.lowerBound - kept.to)
      runs.join(Run(from: from, to: part.lowerBound + shift, count: part.count))
    }

    var fresh = earlier.inserts[earlier.inserts.partitionPoint { $0.to >= range.lowerBound }...]
    var altered = earlier.updates[earlier.updates.partitionPoint { $0.to >= range.lowerBound }...]
    /// Carries the earlier inserts and updates before `place`.
    func carry(before place: Int, into target: inout Arrangement) {
      while let insert = fresh.first, insert.to < place {
        target.inserts.append(Insert(to: insert.to + shift, element: insert.element))
        fresh.removeFirst()
      }
      while let update = altered.first, update.to < place {
        target.updates.append(Update(from: update.from, to: update.to + shift, element: update.element))
        altered.removeFirst()
      }
    }
    for change in changes {
      let place = change.to - shift
      carry(before: place, into: &self)
      if fresh.first?.to == place {
        inserts.append(Insert(to: change.to, element: change.element))
        fresh.removeFirst()
      } else if let kept = runs.run(at: change.to) {
        let from = kept.from + (change.to - kept.to)
        updates.append(Update(from: from, to: change.to, element: change.element))
        if altered.first?.to == place { altered.removeFirst() }
      }
    }
    carry(before: range.upperBound, into: &self)
  }
}

// MARK: - With the rows at hand

extension Arrangement where Element: ListElement {
  /// Brings together what only the rows themselves tell: a row deleted and inserted again with its old id has
  /// stayed, and an update to the old content is none.
  ///
  /// O(k log k) for k ops.
  @inlinable
  mutating func settle(over rows: some RandomAccessCollection<Element>) {
    func row(_ index: Int) -> Element { rows[rows.index(rows.startIndex, offsetBy: index)] }
    updates.removeAll { row($0.from).hasSameContent(as: $0.element) }

    let deletes = inserts.isEmpty ? [] : RunOrder.deletes(around: runs, rowCountBefore: rowCountBefore)
    if deletes.isEmpty { return }
    // Where an id comes twice, the first of both sides are taken for the same row.
    var positions: [Element.ID: Int] = [:]
    for (position, insert) in inserts.enumerated().reversed() { positions[insert.element.listID] = position }
    var returned: Set<Int> = []
    for from in deletes.reversed() {
      guard let position = positions.removeValue(forKey: row(from).listID) else { continue }
      let insert = inserts[position]
      returned.insert(position)
      runs.append(Run(from: from, to: insert.to, count: 1))
      if !row(from).hasSameContent(as: insert.element) {
        updates.append(Update(from: from, to: insert.to, element: insert.element))
      }
    }
    if returned.isEmpty { return }
    inserts = inserts.indices.lazy.filter { !returned.contains($0) }.map { inserts[$0] }
    runs.sort { $0.to < $1.to }
    updates.sort { $0.to < $1.to }
  }
}

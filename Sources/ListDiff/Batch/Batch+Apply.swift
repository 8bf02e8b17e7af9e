extension Batch {
  /// The most structural ops for which rows are shifted one by one; beyond, the list is put together anew.
  @inlinable static var mostSingleShifts: Int { 4 }

  /// Makes the rows after of the rows before.
  ///
  /// O(n + k log k) for k ops, and O(k) where there are only updates.
  ///
  /// - Throws: `BatchError` where the batch does not fit `rows`, which then stay as they were.
  @inlinable
  public func apply(to rows: inout [Element]) throws(BatchError) {
    let layout = try layout(checkedFor: rows.count)
    if deletes.count + moves.count + inserts.count <= Self.mostSingleShifts {
      shift(&rows)
    } else {
      rows = arranged(rows, by: layout)
    }
    for update in updates { rows[update.to] = update.element }
  }

  /// Takes single rows out and puts single rows in, in the words of the protocol.
  @inlinable
  func shift(_ rows: inout [Element]) {
    var arrivals = inserts
    arrivals.append(contentsOf: moves.map { Insert(to: $0.to, element: rows[$0.from]) })
    arrivals.sort { $0.to < $1.to }
    for index in (deletes + moves.map(\.from)).sorted(by: >) { rows.remove(at: index) }
    for arrival in arrivals { rows.insert(arrival.element, at: arrival.to) }
  }

  /// The rows after, updates left aside, from the runs that stay and the inserts between them.
  @inlinable
  func arranged(_ rows: [Element], by layout: Layout) -> [Element] {
    var result: [Element] = []
    result.reserveCapacity(layout.rowCountAfter)
    var arrivals = inserts[...]
    for run in layout.runs {
      while let arrival = arrivals.first, arrival.to < run.to {
        result.append(arrival.element)
        arrivals.removeFirst()
      }
      result.append(contentsOf: rows[run.from..<run.fromEnd])
    }
    result.append(contentsOf: arrivals.lazy.map(\.element))
    return result
  }
}

extension Batch {
  /// One batch with the outcome of `batches`, each on what the one before it left.
  ///
  /// What comes and goes within the run is not in it: a row inserted and deleted vanishes, one inserted and updated
  /// is inserted with its last content, one updated twice is updated once, and moves are the fewest for the order
  /// that results. Only counts and ops are known here, no rows: where one batch deletes a row and a later one
  /// inserts its id again, both ops stay, and so does an update back to the first content.
  /// `composing(_:over:)` knows better.
  ///
  /// The first batch must fit `rowCountBefore` rows and each of the others what was left (`validate` tells).
  /// O(k log k log m) for k ops in m batches, however many the rows.
  @inlinable
  public static func composing(_ batches: some Collection<Batch>, rowCountBefore: Int) -> Batch {
    arrangement(of: batches, rowCountBefore: rowCountBefore).batch
  }

  /// What a run of batches makes of `rowCountBefore` rows.
  @inlinable
  static func arrangement(
    of batches: some Collection<Batch>, rowCountBefore: Int
  ) -> Arrangement<Element> {
    var rowCount = rowCountBefore
    var parts = batches.map { batch in
      defer { rowCount += batch.rowCountDifference }
      return Arrangement(batch, rowCountBefore: rowCount)
    }
    // Neighbours in pairs, then pairs of pairs: each op is carried through log m merges instead of m.
    while parts.count > 1 {
      parts = stride(from: 0, to: parts.count, by: 2).map { index in
        index + 1 < parts.count ? parts[index].followed(by: parts[index + 1]) : parts[index]
      }
    }
    return parts.first ?? Arrangement(rowCountBefore: rowCountBefore)
  }
}

extension Batch where Element: ListElement {
  /// The minimal batch with the outcome of `batches`, the first of them on `rows`.
  ///
  /// The same as the diff of `rows` and what the batches make of them, at a cost that does not grow with the rows:
  /// O(k log k log m) for k ops in m batches, and at most k looks at `rows`.
  ///
  /// The first batch must fit `rows` and each of the others what was left (`validate` tells).
  @inlinable
  public static func composing(
    _ batches: some Collection<Batch>, over rows: some RandomAccessCollection<Element>
  ) -> Batch {
    var arrangement = arrangement(of: batches, rowCountBefore: rows.count)
    arrangement.settle(over: rows)
    return arrangement.batch
  }
}

extension Batch {
  /// Checks that the batch fits a list of `rowCountBefore` rows: every index in range, every array in its order,
  /// no row taken twice, no place taken twice, every update on one and the same row.
  ///
  /// Whether it is minimal, and whether ids are unique, is not looked at. O(k log k) for k ops.
  @inlinable
  public func validate(rowCountBefore: Int) throws(BatchError) {
    _ = try layout(checkedFor: rowCountBefore)
  }

  /// The layout of a batch whose ops are known to fit.
  @inlinable
  func layout(rowCountBefore: Int) -> Layout {
    Layout(deletes: deletes, moves: moves, places: inserts.map(\.to), rowCountBefore: rowCountBefore)
  }

  /// The layout, once every op has been checked.
  @inlinable
  func layout(checkedFor rowCountBefore: Int) throws(BatchError) -> Layout {
    try StructureCheck(
      deletes: deletes, moves: moves, places: inserts.map(\.to), updatePlaces: updates.map(\.to),
      rowCountBefore: rowCountBefore
    ).run()
    let layout = layout(rowCountBefore: rowCountBefore)
    for (position, update) in updates.enumerated() where layout.origin(of: update.to) != update.from {
      let isRow = (0..<rowCountBefore).contains(update.from)
      throw BatchError(isRow ? .otherRow : .outOfRange, .update, at: position)
    }
    return layout
  }
}

/// The part of the check that does not look at rows, and so is compiled once for all of them.
@usableFromInline
struct StructureCheck {
  let deletes: [Int]
  let moves: [RowMove]
  let places: [Int]
  let updatePlaces: [Int]
  let rowCountBefore: Int

  @usableFromInline
  init(deletes: [Int], moves: [RowMove], places: [Int], updatePlaces: [Int], rowCountBefore: Int) {
    self.deletes = deletes
    self.moves = moves
    self.places = places
    self.updatePlaces = updatePlaces
    self.rowCountBefore = rowCountBefore
  }

  @usableFromInline
  func run() throws(BatchError) {
    try check(deletes.reversed(), .delete, below: rowCountBefore) { deletes.count - 1 - $0 }
    // All deletes are distinct rows, so this is not negative.
    let rowCountAfter = rowCountBefore - deletes.count + places.count
    try check(moves.map(\.to), .move, below: rowCountAfter)
    try check(places, .insert, below: rowCountAfter)
    try check(updatePlaces, .update, below: rowCountAfter)
    try checkThatRowsAreTakenOnce()
    try checkThatPlacesAreTakenOnce()
  }

  /// Checks that `indexes` rise and lie in `0..<bound`.
  private func check(
    _ indexes: [Int], _ kind: BatchError.Kind, below bound: Int, position: (Int) -> Int = { $0 }
  ) throws(BatchError) {
    var previous = -1
    for (offset, index) in indexes.enumerated() {
      guard index >= 0 && index < bound else { throw BatchError(.outOfRange, kind, at: position(offset)) }
      guard index > previous else { throw BatchError(.outOfOrder, kind, at: position(offset)) }
      previous = index
    }
  }

  private func checkThatRowsAreTakenOnce() throws(BatchError) {
    let origins = moves.indices.sorted { moves[$0].from < moves[$1].from }
    var deletes = deletes.reversed()[...]
    var previous = -1
    for position in origins {
      let from = moves[position].from
      guard from >= 0 && from < rowCountBefore else { throw BatchError(.outOfRange, .move, at: position) }
      while let row = deletes.first, row < from { deletes.removeFirst() }
      guard from != previous && from != deletes.first else {
        throw BatchError(.rowTakenTwice, .move, at: position)
      }
      previous = from
    }
  }

  private func checkThatPlacesAreTakenOnce() throws(BatchError) {
    var moves = moves[...]
    for (position, place) in places.enumerated() {
      while let move = moves.first, move.to < place { moves.removeFirst() }
      guard place != moves.first?.to else { throw BatchError(.placeTakenTwice, .insert, at: position) }
    }
  }
}

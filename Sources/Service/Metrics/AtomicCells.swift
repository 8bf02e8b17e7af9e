import Synchronization

/// A fixed number of counters that any thread may raise at any time without waiting.
///
/// Each is exact; a reader sees them at slightly different moments, as is usual for metrics.
final class AtomicCells: Sendable {
  // Atomics cannot live in an array (they are not copyable). The cells are made in `init`, freed in `deinit`, never moved
  // meanwhile, and touched by atomic operations alone: that is why this may be shared.
  nonisolated(unsafe) private let cells: UnsafeMutablePointer<Atomic<Int>>
  let count: Int

  init(count: Int) {
    self.count = count
    cells = .allocate(capacity: count)
    for index in 0..<count { (cells + index).initialize(to: Atomic(0)) }
  }

  deinit {
    cells.deinitialize(count: count)
    cells.deallocate()
  }

  func add(_ amount: Int, at index: Int) {
    precondition(index >= 0 && index < count, "cell outside the table")
    cells[index].wrappingAdd(amount, ordering: .relaxed)
  }

  subscript(index: Int) -> Int {
    precondition(index >= 0 && index < count, "cell outside the table")
    return cells[index].load(ordering: .relaxed)
  }
}

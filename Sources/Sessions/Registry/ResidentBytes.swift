import Synchronization

/// About how many bytes of memory sessions take, counted up as they are filled and measured now and then.
final class ResidentBytes: Sendable {
  private let count = Atomic<Int>(0)

  /// Adds what was filled.
  func add(_ bytes: Int) {
    count.wrappingAdd(bytes, ordering: .relaxed)
  }

  /// Whether more may be taken than `limit`.
  func isAbove(_ limit: Int) -> Bool { count.load(ordering: .relaxed) > limit }

  /// Says what was measured.
  func settle(at bytes: Int) {
    count.store(bytes, ordering: .relaxed)
  }
}

import Synchronization

/// About how many bytes of memory sessions take, counted up as they are filled and measured now and then.
final class ResidentBytes: Sendable {
  private let count = Atomic<Int>(0)
  /// What was let go of since the system was last given memory back.
  private let free = Atomic<Int>(0)

  /// Bytes that are worth giving back.
  private static let share = 4 << 20

  /// Adds what was filled.
  func add(_ bytes: Int) {
    count.wrappingAdd(bytes, ordering: .relaxed)
  }

  /// Takes away what was let go of.
  func letGo(_ bytes: Int) {
    count.wrappingSubtract(bytes, ordering: .relaxed)
    free.wrappingAdd(bytes, ordering: .relaxed)
  }

  /// Whether so much was let go of that the system may have it back; once.
  func takeShare() -> Bool {
    guard free.load(ordering: .relaxed) >= Self.share else { return false }
    free.store(0, ordering: .relaxed)
    return true
  }

  /// Whether more may be taken than `limit`.
  func isAbove(_ limit: Int) -> Bool { count.load(ordering: .relaxed) > limit }

  /// Says what was measured.
  func settle(at bytes: Int) {
    count.store(bytes, ordering: .relaxed)
  }
}

import CThreads
import Glibc

/// Wakes the one thread that waits for it; rings that nobody has waited for yet are one.
///
/// Unchecked: `semaphore` is the only member. POSIX makes its calls safe from any thread; it is made before and
/// destroyed after every other use, in `init` and `deinit`.
public final class Bell: @unchecked Sendable {
  private let semaphore: UnsafeMutablePointer<sem_t>

  /// A bell that has not been rung.
  public init() {
    semaphore = .allocate(capacity: 1)
    // It fails only for a count above SEM_VALUE_MAX, or when shared between processes where that is not possible.
    sem_init(semaphore, 0, 0)
  }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  /// Wakes who waits, or who waits next.
  public func ring() { sem_post(semaphore) }

  /// Waits for a ring.
  public func wait() {
    while sem_wait(semaphore) != 0 && errno == EINTR {}
    forgetRings()
  }

  /// Waits for a ring no longer than `seconds`, whatever is done to the clock; false where none came.
  public func wait(seconds: Int) -> Bool {
    var until = timespec()
    clock_gettime(CLOCK_MONOTONIC, &until)
    until.tv_sec += seconds
    while sem_clockwait(semaphore, CLOCK_MONOTONIC, &until) != 0 {
      if errno != EINTR { return false }
    }
    forgetRings()
    return true
  }

  private func forgetRings() {
    while sem_trywait(semaphore) == 0 {}
  }
}

import CSQLite
import Glibc

/// Wakes the one thread that waits for it.
///
/// Unchecked: `semaphore` is the only member. POSIX makes `sem_post` and `sem_wait` safe from any thread; it is made
/// before and destroyed after every other use, in `init` and `deinit`.
final class Bell: @unchecked Sendable {
  private let semaphore: UnsafeMutablePointer<sem_t>

  init() {
    semaphore = .allocate(capacity: 1)
    // It fails only for a count above SEM_VALUE_MAX, or when shared between processes where that is not possible.
    sem_init(semaphore, 0, 0)
  }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func ring() { sem_post(semaphore) }

  /// Waits for a ring, at most `seconds`; it may come back without either, so callers look at what they wait for.
  func wait(seconds: Int?) {
    guard let seconds else {
      sem_wait(semaphore)
      return
    }
    var until = timespec()
    clock_gettime(CLOCK_MONOTONIC, &until)
    until.tv_sec += seconds
    sem_clockwait(semaphore, CLOCK_MONOTONIC, &until)
  }
}

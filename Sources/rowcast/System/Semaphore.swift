import Glibc

/// A POSIX semaphore.
///
/// Unchecked: the semaphore itself is made to be used by any thread. It is freed with this object.
final class Semaphore: @unchecked Sendable {
  private let handle = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(handle, 0, 0) }

  deinit {
    sem_destroy(handle)
    handle.deallocate()
  }

  func post() { sem_post(handle) }

  func wait() {
    while sem_wait(handle) != 0 && errno == EINTR {}
    // Posts that came meanwhile ask for nothing more.
    while sem_trywait(handle) == 0 {}
  }

  /// Waits no longer than this; false where the time ran out.
  func wait(seconds: Int) -> Bool {
    var end = timespec()
    clock_gettime(CLOCK_REALTIME, &end)
    end.tv_sec += seconds
    while sem_timedwait(handle, &end) != 0 {
      if errno != EINTR { return false }
    }
    return true
  }
}

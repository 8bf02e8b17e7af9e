import EventLoop
import Glibc
import Service
import Synchronization

/// The thread that writes the log, so that a reader of standard error who stalls holds nobody up but this thread.
///
/// It sleeps until there is a line, lets more gather for a moment, and writes them all. What comes while it is stuck
/// gathers in the log, which drops and counts lines beyond its capacity.
final class LogThread: Sendable {
  private let bell = Semaphore()
  private let ended = Semaphore()
  private let isEnding = Atomic<Bool>(false)

  /// How long lines gather before they are written, in microseconds.
  private static let pause: UInt32 = 50_000

  /// There is something to write.
  func wake() { bell.post() }

  /// Begins to write `log`, whose `wake` is this thread's.
  func start(_ log: Log) throws(ServerError) {
    try Thread.start("log") { [self] in
      while !isEnding.load(ordering: .acquiring) {
        bell.wait()
        if !isEnding.load(ordering: .acquiring) { usleep(Self.pause) }
        log.drain()
      }
      ended.post()
    }.detach()
  }

  /// Has what is left written, and waits for that a second at most: nobody may be reading.
  func end() {
    isEnding.store(true, ordering: .releasing)
    bell.post()
    _ = ended.wait(seconds: 1)
  }
}

/// A POSIX semaphore.
///
/// Unchecked: the semaphore itself is made to be used by any thread. It is freed with this object.
private final class Semaphore: @unchecked Sendable {
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

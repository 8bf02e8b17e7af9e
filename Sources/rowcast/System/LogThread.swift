import Glibc
import Service
import Synchronization
import Threads

/// The thread that writes the log, so that a reader of standard error who stalls holds nobody up but this thread.
///
/// It sleeps until there is a line, lets more gather for a moment, and writes them all. What comes while it is stuck
/// gathers in the log, which drops and counts lines beyond its capacity.
final class LogThread: Sendable {
  private let bell = Bell()
  private let ended = Bell()
  private let isEnding = Atomic<Bool>(false)

  /// How long lines gather before they are written, in microseconds.
  private static let pause: UInt32 = 50_000

  /// There is something to write.
  func wake() { bell.ring() }

  /// Begins to write `log`, whose `wake` is this thread's.
  func start(_ log: Log) throws(ThreadFailure) {
    try Thread.start("log") { [self] in
      while !isEnding.load(ordering: .acquiring) {
        bell.wait()
        if !isEnding.load(ordering: .acquiring) { usleep(Self.pause) }
        log.drain()
      }
      ended.ring()
    }.detach()
  }

  /// Has what is left written, and waits for that a second at most: nobody may be reading.
  func end() {
    isEnding.store(true, ordering: .releasing)
    bell.ring()
    _ = ended.wait(seconds: 1)
  }
}

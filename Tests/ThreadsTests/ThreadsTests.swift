import Foundation
import Synchronization
import Testing
import Threads

@Suite("Threads and bells", .timeLimit(.minutes(5)))
struct ThreadsTests {
  @Test("A thread runs its closure once, under its name, and can be waited for")
  func runs() throws {
    let names = Mutex<[String]>([])
    let thread = try Threads.Thread.start("a-name-of-more-than-15") {
      let name = (try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)) ?? ""
      names.withLock { $0.append(name) }
    }
    thread.join()
    #expect(names.withLock { $0 } == ["a-name-of-more-\n"])
  }

  @Test("A thread takes no signals but those of its own faults, and leaves its maker's mask as it was")
  func signals() throws {
    @Sendable func blocked() -> [Int32] {
      var mask = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &mask)
      return [SIGTERM, SIGHUP, SIGPIPE, SIGINT, SIGSEGV, SIGBUS, SIGABRT].filter {
        sigismember(&mask, $0) == 1
      }
    }
    let before = blocked()
    let inside = Mutex<[Int32]>([])
    try Threads.Thread.start("signals") { inside.withLock { $0 = blocked() } }.join()
    #expect(inside.withLock { $0 } == [SIGTERM, SIGHUP, SIGPIPE, SIGINT])
    #expect(blocked() == before)
  }

  @Test("What is not waited for has run all the same")
  func detached() throws {
    let bell = Bell()
    try Threads.Thread.start("alone") { bell.ring() }.detach()
    #expect(bell.wait(seconds: 10))
  }

  @Test("Rings that nobody waited for are one, and none is lost")
  func rings() throws {
    let bell = Bell()
    for _ in 1...5 { bell.ring() }
    bell.wait()
    #expect(!bell.wait(seconds: 0))
    // Each number is seen, though a ring may stand for several.
    let written = Atomic<Int>(0)
    let read = Atomic<Int>(0)
    let reader = try Threads.Thread.start("reader") {
      while read.load(ordering: .relaxed) < 20_000 {
        bell.wait()
        read.store(written.load(ordering: .acquiring), ordering: .relaxed)
      }
    }
    for number in 1...20_000 {
      written.store(number, ordering: .releasing)
      bell.ring()
    }
    reader.join()
    #expect(read.load(ordering: .relaxed) == 20_000)
  }
}

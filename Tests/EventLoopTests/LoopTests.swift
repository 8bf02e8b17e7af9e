import EventLoop
import Foundation
import HTTP1
import Testing

extension EventLoopTests {
  @Suite struct LoopTests {
    /// A loop on a thread of its own for the time of one test.
    private func looping(_ test: (Loop) throws -> Void) throws {
      let loop = try Loop()
      let ended = Box<Void>()
      onThread {
        loop.run()
        ended.put(())
      }
      try test(loop)
      loop.stop()
      try ended.take("the end of the loop")
    }

    @Test("Jobs of many threads all run, on the loop, each thread's in order")
    func execute() throws {
      try looping { (loop) throws in
        #expect(!loop.isCurrent)
        let results = Box<[Int]>()
        let counter = Counter()
        for thread in 0..<8 {
          onThread {
            for number in 0..<2_000 {
              loop.execute { if loop.isCurrent { counter.note(thread, number) } }
            }
            loop.execute { results.put(counter.seen(thread)) }
          }
        }
        for _ in 0..<8 { #expect(try results.take() == Array(0..<2_000)) }
      }
    }

    @Test("A job given by a job runs after it")
    func nested() throws {
      try looping { (loop) throws in
        let order = Box<Int>()
        loop.execute {
          loop.execute { order.put(2) }
          order.put(1)
        }
        #expect(try order.take(2) == [1, 2])
      }
    }

    @Test("Timers run in the order of their times, and not before")
    func timers() throws {
      try looping { (loop) throws in
        let order = Box<Int>()
        let (numbers, spent) = try timed {
          for number in [3, 1, 2] { loop.schedule(after: Double(number) * 0.1) { order.put(number) } }
          return try order.take(3)
        }
        #expect(numbers == [1, 2, 3])
        #expect(spent > 0.28)
        loop.schedule(after: -5) { order.put(4) }
        loop.schedule(after: .nan) { order.put(4) }
        #expect(try order.take(2) == [4, 4])
      }
    }

    @Test("A cancelled timer never runs; who comes too late is told so")
    func cancelling() throws {
      try looping { (loop) throws in
        let fired = Box<String>()
        let jobs = (0..<1000).map { number in
          loop.schedule(after: number % 2 == 0 ? 0.05 : 1000) { fired.put("cancelled") }
        }
        #expect(jobs.allSatisfy { $0.cancel() })
        #expect(jobs.allSatisfy { !$0.cancel() })
        let ran = loop.schedule(after: 0.1) { fired.put("kept") }
        #expect(try fired.take() == "kept")
        #expect(!ran.cancel())
        #expect(fired.count == 0)
      }
    }

    @Test("Jobs and timers that never run are released with what they hold")
    func released() throws {
      final class Held: Sendable {}
      weak var inTimer: Held?
      weak var inJob: Held?
      weak var loopAfter: Loop?
      func scope() throws {
        let loop = try Loop()
        let ended = Box<Void>()
        onThread {
          loop.run()
          ended.put(())
        }
        let first = Held()
        let second = Held()
        inTimer = first
        inJob = second
        loopAfter = loop
        loop.schedule(after: 1000) { withExtendedLifetime(first) {} }
        loop.stop()
        try ended.take()
        loop.execute { withExtendedLifetime(second) {} }
      }
      try scope()
      #expect(inTimer == nil)
      #expect(inJob == nil)
      let limit = Date(timeIntervalSinceNow: 60)
      while loopAfter != nil, Date() < limit { sched_yield() }
      #expect(loopAfter == nil)
    }

    @Test("A signal runs its handler on the loop, each time")
    func signals() throws {
      try looping { (loop) throws in
        let came = Box<Bool>()
        let ready = Box<Void>()
        loop.onSignal(SIGUSR2) { came.put(loop.isCurrent) }
        loop.execute { ready.put(()) }
        try ready.take()
        for _ in 0..<2 {
          kill(getpid(), SIGUSR2)
          #expect(try came.take())
        }
      }
    }
  }
}

/// What each thread's jobs noted; touched on the loop only.
private final class Counter: @unchecked Sendable {
  private var notes: [Int: [Int]] = [:]
  func note(_ thread: Int, _ number: Int) { notes[thread, default: []].append(number) }
  func seen(_ thread: Int) -> [Int] { notes[thread] ?? [] }
}

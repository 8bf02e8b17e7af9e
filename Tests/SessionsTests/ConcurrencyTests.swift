import Foundation
import JSONText
import ListModel
import Sessions
import Synchronization
import Testing

/// Protocol §10: commands on one session are serial; revisions rise by one, without gaps.
@Suite(.timeLimit(.minutes(5)))
struct ConcurrencyTests {
  @Test("Many threads on one session: every answer tells of one change of its own, and none is missing")
  func revisionsRiseByOne() throws {
    let session = try House().session("notes")
    let seen = Mutex<[Int]>([])
    try onThreads(8) { number in
      for step in 0..<200 {
        let answer = try? session.send(
          .insert, #"{"rows":[{"id":"\#(number)-\#(step)","data":{}}],"at":0}"#, tag: Bytes("\(number)")
        ).answer()
        guard let answer, let change = answer.changes.first, answer.changes.count == 1 else {
          Issue.record("no change")
          return
        }
        if member("tag", of: change) != "\"\(number)\""
          || answer.snapshot?.version.revision != answer.revision
        {
          Issue.record("another's change")
        }
        seen.withLock { $0 += revisions([change]) }
      }
    }
    #expect(seen.withLock { $0.sorted() } == Array(1...1600))
    #expect(try session.read().version.itemCount == 1600)
  }

  @Test("Of many commands under one If-Match one is done")
  func oneWins() throws {
    let session = try House().session("notes")
    for round in 0..<100 {
      let done = Atomic<Int>(0)
      try onThreads(4) { number in
        let body = #"{"rows":[{"id":"\#(round)-\#(number)","data":{}}]}"#
        if (try? session.send(.insert, body, ifMatch: .revisions([round])).answer()) != nil {
          done.add(1, ordering: .relaxed)
        }
      }
      #expect(done.load(ordering: .relaxed) == 1)
    }
  }

  @Test("One key on many threads is done once")
  func oneKey() throws {
    let session = try House().session("notes")
    try onThreads(4) { _ in
      for round in 0..<100 { session.send(.insert, #"{"rows":[{"data":{}}]}"#, key: "\(round)") }
    }
    #expect(try session.read().version.itemCount == 100)
  }

  @Test("A poller that goes on from answer to answer sees every change once")
  func polling() throws {
    let house = House()
    let session = try house.session("notes")
    let last = 600
    let failures = Mutex<[String]>([])
    try onThreads(6) { number in
      if number < 3 {
        for step in 0..<(last / 3) {
          session.send(.insert, #"{"rows":[{"id":"\#(number)-\#(step)","data":1}]}"#)
        }
        return
      }
      var since = 0
      while since < last {
        do {
          let page = try session.poll(after: since, wait: 60).wait().get()
          if revisions(page.changes) != Array((since + 1)..<(page.revision + 1)) || page.changes.isEmpty {
            failures.withLock { $0.append("after \(since): \(revisions(page.changes))") }
            return
          }
          since = page.revision
        } catch {
          failures.withLock { $0.append("after \(since): \(error)") }
          return
        }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(house.world.timerCount == 0, "no timer outlives what it was for")
  }

  @Test("Fetches from a source on its own thread: everyone who waits is answered, nothing is left behind")
  func fetching() throws {
    let house = House()
    let session = try house.session()
    let isOver = Atomic<Bool>(false)
    let over = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
      while !isOver.load(ordering: .acquiring) {
        if house.source.heldCount > 0 {
          house.source.release(ids: ["a"], hasNext: true)
        } else {
          sched_yield()
        }
      }
      over.signal()
    }
    let failures = Mutex<[String]>([])
    try onThreads(4) { number in
      for step in 0..<100 {
        do {
          let name: CommandName = (number + step) % 3 == 0 ? .loadMore : .refresh
          let answer = try session.send(name, wait: step % 4 == 0 ? 0 : 30).wait().get()
          if answer.changes.count > 2 { failures.withLock { $0.append("\(revisions(answer.changes))") } }
        } catch let failed as FailedAnswer where failed.name == "busy" {
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    isOver.store(true, ordering: .releasing)
    #expect(over.wait(timeout: .now() + 60) == .success)
    while house.source.heldCount > 0 { house.source.release(ids: ["a"]) }
    #expect(failures.withLock { $0 } == [])
    #expect(house.world.timerCount == 0)
    #expect(try !session.read().version.isLoading)
  }

  @Test("DELETE from many threads ends a session once")
  func ending() throws {
    let house = House()
    for _ in 0..<100 {
      let session = try house.session("notes")
      let ended = Atomic<Int>(0)
      try onThreads(3) { _ in
        if (try? house.registry.end(session.id)) != nil { ended.add(1, ordering: .relaxed) }
      }
      #expect(ended.load(ordering: .relaxed) == 1)
    }
    #expect(house.registry.count == 0)
  }
}

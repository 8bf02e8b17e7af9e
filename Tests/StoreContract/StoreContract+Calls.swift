import Dispatch
import Foundation
import JSONText
import Sessions
import Synchronization
import TestSupport

/// Clauses about many calls: their order, their callers, crashes between them.
extension StoreContract {
  static func verifyOrder(_ store: any ChangeStore) throws {
    try store.write(.new("a", 1))
    for round in 0..<40 {
      let told = Answer<Int>()
      let order = Mutex<[Int]>([])
      for step in 1...5 {
        store.commit([.step("a", round * 5 + step)]) { _ in
          let all = order.withLock { order in
            order.append(step)
            return order
          }
          if all.count == 5 { told.come(all == [1, 2, 3, 4, 5] ? 0 : 1) }
        }
      }
      // The commits are not waited for.
      store.commit([.record(scope: "s", key: "k", .sample(Bytes("\(round)")))]) { _ in }
      try require(store.kept("s", "k")?.answer, equals: Bytes("\(round)"))
      try require(store.session("a")?.state.revision, equals: round * 5 + 5)
      try require(told.wait(), equals: 0, "completions came out of order")
    }
    store.commit([.end(session: "a", StoredTombstone(revision: 200, until: 5))]) { _ in }
    try require(store.tomb("a")?.revision, equals: 200)
  }

  static func verifyCallers(_ subject: inout some StoreUnderTest) throws {
    let (callers, steps) = (16, 50)
    let store = subject.store
    let failures = Mutex<[String]>([])
    onThreads(callers) { number in
      let id = Bytes("s\(number)")
      do {
        try store.write(.new(id, number + 1))
        for revision in 1...steps {
          try store.write(.step(id, revision))
          if revision % 10 == 0 {
            try store.write(.snapshot(session: id, revision: revision, text: Bytes("\(revision)")))
            try require(store.session(id)?.changes.count, equals: revision)
          }
          // A conflict of one caller is nobody else's.
          try require(store.outcome(.step(id, revision))?.code, equals: .conflict)
        }
      } catch {
        failures.withLock { $0.append("caller \(number): \(error)") }
      }
    }
    try require(failures.withLock { $0 }, equals: [])
    try subject.crash()
    for number in 0..<callers {
      let session = try subject.store.session(Bytes("s\(number)"))
      try require(session?.changes.map(\.revision), equals: Array(1...steps), "caller \(number)")
      try require(session?.snapshot, equals: Bytes("\(steps)"))
    }
  }

  static func verifyRace(_ store: any ChangeStore) throws {
    try store.write(.new("a", 1))
    let wins = Mutex<[Int: Int]>([:])
    onThreads(8) { _ in
      for revision in 1...40 {
        if (try? store.outcome(.step("a", revision))) == .some(nil) {
          wins.withLock { $0[revision, default: 0] += 1 }
        }
      }
    }
    let counts = wins.withLock { $0 }
    try require(counts.values.allSatisfy { $0 == 1 }, "a revision was appended twice: \(counts)")
    try require(store.session("a")?.changes.count, equals: counts.count)
  }

  static func verifyCrashes(_ subject: inout some StoreUnderTest) throws {
    let calls: [[StoreWrite]] = [
      [.new("a", 1)],
      [.step("a", 1), .record(scope: "a", key: "k", .sample("", expires: .max))],
      [.step("a", 2)],
      [.record(scope: "a", key: "k", .sample("answer", expires: .max))],
      [.new("b", 2, table: "u"), .step("b", 1)],
      [.snapshot(session: "a", revision: 2, text: "two"), .trim(session: "a", through: 1)],
      [.step("a", 3), .step("b", 7)],
      [.touch(session: "a", time: 77)],
      [.end(session: "a", StoredTombstone(revision: 2, until: 99))],
      [.new("a", 3, revision: 10)],
      [.step("a", 11)],
      [.end(session: "b", StoredTombstone(revision: 1, until: 99))],
    ]
    let reference = MemoryStore()
    for (number, call) in calls.enumerated() {
      let expected = try reference.outcome(of: call)?.code
      try require(subject.store.outcome(of: call)?.code, equals: expected, "call \(number)")
      try subject.crash()
      try compare(subject.store, reference, "a crash after call \(number)")
    }
  }

  static func verifyRandomCalls(_ subject: inout some StoreUnderTest) throws {
    let seed = UInt64.random(in: 1...1_000_000)
    var random = Seeded(seed)
    let reference = MemoryStore()
    var sequence = 0
    var revisions: [Int: Int] = [:]
    for number in 0..<400 {
      var call: [StoreWrite] = []
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        let session = Int.random(in: 0..<6, using: &random)
        let id = Bytes("s\(session)")
        let revision = (revisions[session] ?? 0) + Int.random(in: 0...8, using: &random) / 7
        switch Int.random(in: 0..<20, using: &random) {
        case 0, 1:
          sequence += Int.random(in: 0...3, using: &random) > 0 ? 1 : 0
          call.append(
            .new(
              id, sequence, table: Bytes("t\(session % 3)"), look: Bytes("\(number % 4)"), revision: number))
        case 2: call.append(.end(session: id, StoredTombstone(revision: revision, until: number)))
        case 3: call.append(.touch(session: id, time: number))
        case 4: call.append(.trim(session: id, through: revision - 2))
        case 5, 6: call.append(.snapshot(session: id, revision: revision, text: Bytes("snapshot \(number)")))
        case 7, 8: call.append(.record(scope: id, key: Bytes("\(number % 3)"), .sample(Bytes("\(number)"))))
        default:
          call.append(.step(id, revision + 1, touched: number))
          revisions[session] = revision + 1
        }
      }
      let expected = try reference.outcome(of: call)?.code
      try require(
        subject.store.outcome(of: call)?.code, equals: expected, "seed \(seed), call \(number): \(call)")
      for session in 0..<6 {
        revisions[session] = try reference.session(Bytes("s\(session)"))?.state.revision
      }
      if number % 50 == 49 { try subject.crash() }
      if number % 5 == 4 { try compare(subject.store, reference, "seed \(seed), call \(number)") }
    }
  }

  private static func compare(_ store: any ChangeStore, _ reference: MemoryStore, _ place: String) throws {
    for id in ["a", "b", "s0", "s1", "s2", "s3", "s4", "s5"] as [Bytes] {
      try require(store.session(id), equals: reference.session(id), "\(place), session \(id)")
      try require(store.tomb(id), equals: reference.tomb(id), "\(place), tombstone of \(id)")
      for key in ["k", "0", "1", "2"] as [Bytes] {
        try require(store.kept(id, key), equals: reference.kept(id, key), "\(place), record \(id) \(key)")
      }
    }
    try require(store.page(), equals: reference.page(), place)
    for time in [0, 20, 50, 200, .max] {
      let times: [Bytes: Int] = ["t": time, "t0": time, "t1": time / 2]
      try require(store.unused(times), equals: reference.unused(times), place)
    }
  }
}

/// Runs `body` on so many real threads and waits until all have ended.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
  let ended = DispatchSemaphore(value: 0)
  for number in 0..<count {
    Thread.detachNewThread {
      body(number)
      ended.signal()
    }
  }
  for _ in 0..<count { ended.wait() }
}

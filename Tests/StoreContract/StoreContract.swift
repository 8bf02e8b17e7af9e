import JSONText
import Sessions

/// A store that a test can have crash.
package protocol StoreUnderTest {
  /// The store as it is now.
  var store: any ChangeStore { get }

  /// Has the store's process die at this moment and another one open what is left.
  mutating func crash() throws
}

/// What every `ChangeStore` must do, clause by clause; a suite runs all clauses against each kind of store.
package enum StoreContract: String, CaseIterable, Sendable, CustomStringConvertible {
  case aNewSessionIsReadBack
  case changesAreReadBackInOrder
  case onlyTheNextRevisionIsAppended
  case aCallIsDoneWhollyOrNotAtAll
  case aSnapshotTakesThePlaceOfTheOneBefore
  case whatLiesBehindTheSnapshotIsNeverTrimmed
  case pagesListEverySessionOnceInOrder
  case theEndLeavesATombstone
  case aNewLifeHasNothingOfTheOldOne
  case aSequenceIsGivenOnce
  case recordsAreReplacedAndExpire
  case unusedSessionsAreFoundByTable
  case bytesStayBytes
  case anotherStoresSessionIsTakenIn
  case readsSeeWhatWasCalledBefore
  case manyCallersWriteAtOnce
  case ofManyWhoAppendTheSameOneWins
  case aCrashBetweenAnyTwoCallsLosesNothing
  case randomCallsDoWhatTheReferenceDoes

  package var description: String { rawValue }

  package func verify(on subject: some StoreUnderTest) throws {
    var subject = subject
    defer { subject.store.close() }
    let store = subject.store
    switch self {
    case .aNewSessionIsReadBack: try Self.verifyNew(store)
    case .changesAreReadBackInOrder: try Self.verifyChanges(store)
    case .onlyTheNextRevisionIsAppended: try Self.verifyConflicts(store)
    case .aCallIsDoneWhollyOrNotAtAll: try Self.verifyAtomicity(store)
    case .aSnapshotTakesThePlaceOfTheOneBefore: try Self.verifySnapshots(store)
    case .whatLiesBehindTheSnapshotIsNeverTrimmed: try Self.verifyTrimming(store)
    case .pagesListEverySessionOnceInOrder: try Self.verifyList(store)
    case .theEndLeavesATombstone: try Self.verifyEnd(store)
    case .aNewLifeHasNothingOfTheOldOne: try Self.verifyNewLife(store)
    case .aSequenceIsGivenOnce: try Self.verifySequences(&subject)
    case .recordsAreReplacedAndExpire: try Self.verifyRecords(store)
    case .unusedSessionsAreFoundByTable: try Self.verifyUnused(store)
    case .bytesStayBytes: try Self.verifyBytes(&subject)
    case .anotherStoresSessionIsTakenIn: try Self.verifyAdoption(store)
    case .readsSeeWhatWasCalledBefore: try Self.verifyOrder(store)
    case .manyCallersWriteAtOnce: try Self.verifyCallers(&subject)
    case .ofManyWhoAppendTheSameOneWins: try Self.verifyRace(store)
    case .aCrashBetweenAnyTwoCallsLosesNothing: try Self.verifyCrashes(&subject)
    case .randomCallsDoWhatTheReferenceDoes: try Self.verifyRandomCalls(&subject)
    }
  }
}

extension StoreContract {
  private static func verifyNew(_ store: any ChangeStore) throws {
    try require(store.session("a") == nil, "a session is there that never was")
    try store.write(.new("a", 7, look: #"{"cell":"C"}"#, revision: 1_700_000_000_000))
    let session = try store.session("a")
    try require(session?.head.sequence, equals: 7)
    try require(session?.head.table, equals: "t")
    try require(session?.head.look, equals: #"{"cell":"C"}"#)
    try require(session?.head.firstRevision, equals: 1_700_000_000_000)
    try require(session?.state.revision, equals: 1_700_000_000_000)
    try require(session?.state.state, equals: "loading")
    try require(session?.state.touched, equals: 10)
    try require(session?.snapshot, equals: "[]")
    try require(session?.changes.count, equals: 0)
    try require(store.session("A") == nil, "ids are compared by their bytes")
  }

  private static func verifyChanges(_ store: any ChangeStore) throws {
    try store.write(.new("a", 1), .step("a", 1))
    for revision in 2...120 { try store.write(.step("a", revision)) }
    try store.write(.touch(session: "a", time: 99), .touch(session: "nobody", time: 99))
    let session = try store.session("a")
    try require(session?.changes, equals: (1...120).map { .sample("a", $0) })
    try require(
      session?.state, equals: StoredState(revision: 120, state: "populated", itemCount: 120, touched: 99))
    try require(session?.snapshotRevision, equals: 0)
  }

  private static func verifyConflicts(_ store: any ChangeStore) throws {
    try store.write(.new("a", 1, revision: 5), .step("a", 6))
    for revision in [.min, -1, 0, 5, 6, 8, .max] {
      try require(store.outcome(.step("a", revision))?.code, equals: .conflict, "revision \(revision)")
    }
    try require(store.outcome(.step("b", 1))?.code, equals: .conflict, "there is no such session")
    try require(
      store.outcome(.snapshot(session: "a", revision: 7, text: "x"))?.code, equals: .conflict,
      "a snapshot of what is still to come")
    try store.write(.step("a", 7))
    try require(store.session("a")?.changes.map(\.revision), equals: [6, 7])
  }

  private static func verifyAtomicity(_ store: any ChangeStore) throws {
    try store.write(.new("a", 1), .record(scope: "a", key: "k", .sample("old")))
    let before = try store.session("a")
    let failure = try store.outcome(
      .step("a", 1), .touch(session: "a", time: 999), .snapshot(session: "a", revision: 1, text: "[1]"),
      .trim(session: "a", through: 1), .record(scope: "a", key: "k", .sample("new")), .new("b", 2),
      .step("a", 3))
    try require(failure?.code, equals: .conflict)
    try require(store.session("a"), equals: before)
    try require(store.kept("a", "k"), equals: .sample("old"))
    try require(store.session("b") == nil, "half of a call was done")
    try store.write(.step("a", 1))
  }

  private static func verifySnapshots(_ store: any ChangeStore) throws {
    try store.write(.new("a", 1))
    for revision in 1...9 { try store.write(.step("a", revision)) }
    try store.write(.snapshot(session: "a", revision: 6, text: "six"))
    try store.write(.snapshot(session: "a", revision: 4, text: "four"))
    try store.write(.snapshot(session: "nobody", revision: 4, text: "four"))
    var session = try store.session("a")
    try require(session?.snapshot, equals: "six", "an older snapshot came late")
    try require(session?.snapshotRevision, equals: 6)
    try require(session?.changes.map(\.revision), equals: Array(1...9))
    try store.write(.snapshot(session: "a", revision: 9, text: "nine"))
    session = try store.session("a")
    try require(session?.snapshot, equals: "nine")
    try require(store.session("nobody") == nil, "a snapshot made a session")
  }

  private static func verifyTrimming(_ store: any ChangeStore) throws {
    try store.write(.new("a", 1))
    for revision in 1...9 { try store.write(.step("a", revision)) }
    try store.write(.snapshot(session: "a", revision: 6, text: "six"), .trim(session: "a", through: 3))
    try require(store.session("a")?.changes.map(\.revision), equals: Array(4...9))
    try store.write(.trim(session: "a", through: 2), .trim(session: "nobody", through: 2))
    try require(store.session("a")?.changes.map(\.revision), equals: Array(4...9))
    try store.write(.trim(session: "a", through: .max))
    try require(store.session("a")?.changes.map(\.revision), equals: [7, 8, 9])
    try store.write(.step("a", 10))
  }

  private static func verifyList(_ store: any ChangeStore) throws {
    try require(store.page().count, equals: 0)
    // Not created in the order of their sequences, nor in that of their ids.
    for number in [5, 3, 9, 1, 7, 2, 8, 4, 6] {
      try store.write(
        .new(Bytes("s\(9 - number)"), number, table: number % 2 == 0 ? "even" : "odd", look: "look"))
    }
    try store.write(.step("s4", 1), .end(session: "s7", StoredTombstone(revision: 0, until: 50)))
    for limit in 1...10 {
      var (seen, cursor): ([StoredSummary], Int) = ([], 0)
      while let last = try store.page(after: cursor, limit: limit).last {
        seen += try store.page(after: cursor, limit: limit)
        cursor = last.head.sequence
      }
      try require(seen.map(\.head.sequence), equals: [1, 3, 4, 5, 6, 7, 8, 9], "limit \(limit)")
      try require(seen[3].state.revision, equals: 1)
      try require(seen[3].state.itemCount, equals: 1)
      try require(seen.map { $0.head.table.count }, equals: [3, 3, 4, 3, 4, 3, 4, 3])
    }
  }

  private static func verifyEnd(_ store: any ChangeStore) throws {
    try store.write(.new("a", 1), .step("a", 1), .record(scope: "a", key: "k", .sample("x")))
    try store.write(.record(scope: "other", key: "k", .sample("y")))
    try store.write(.end(session: "a", StoredTombstone(revision: 1, until: 50)))
    try require(store.session("a") == nil, "the session is still there")
    try require(store.tomb("a"), equals: StoredTombstone(revision: 1, until: 50))
    try require(store.tomb("b") == nil, "there is a tombstone for nobody")
    try require(store.kept("a", "k") == nil, "a record outlives its session")
    try require(store.kept("other", "k"), equals: .sample("y"))
    try require(store.outcome(.step("a", 2))?.code, equals: .conflict)
    store.forget(before: 49)
    try store.write(.touch(session: "a", time: 0))
    try require(store.tomb("a") != nil, "the tombstone has gone too early")
    store.forget(before: 50)
    // Forgetting is done in the order of the calls.
    try store.write(.touch(session: "a", time: 0))
    try require(store.tomb("a") == nil, "the tombstone stands for ever")
  }

  private static func verifyNewLife(_ store: any ChangeStore) throws {
    try store.write(.new("a", 1), .step("a", 1), .end(session: "a", StoredTombstone(revision: 1, until: 50)))
    try store.write(.new("a", 2, revision: 30))
    try require(store.tomb("a") == nil, "the living have no tombstone")
    try require(store.session("a")?.changes.count, equals: 0)
    try store.write(.step("a", 31), .record(scope: "a", key: "k", .sample("x")))
    try store.write(.new("a", 3, table: "u", revision: 60))
    let session = try store.session("a")
    try require(session?.head.table, equals: "u")
    try require(session?.changes.count, equals: 0)
    try require(session?.state.revision, equals: 60)
    try require(store.kept("a", "k") == nil, "a record of the life before")
    try require(store.page().map(\.head.sequence), equals: [3])
  }

  private static func verifySequences(_ subject: inout some StoreUnderTest) throws {
    try subject.store.write(.new("a", 41), .new("b", 12))
    try require(subject.store.outcome(.new("c", 12))?.code, equals: .conflict, "a sequence given twice")
    try subject.store.write(.end(session: "a", StoredTombstone(revision: 0, until: 5)))
    try subject.crash()
    try require(subject.store.census.sessions, equals: 1)
    try require(subject.store.census.lastSequence, equals: 41, "the sequence of a session that has ended")
  }

  private static func verifyRecords(_ store: any ChangeStore) throws {
    try require(store.kept("s", "k") == nil, "a record of nothing")
    try store.write(.record(scope: "s", key: "k", .sample("", expires: 100)))
    try require(store.kept("s", "k", now: 99), equals: .sample("", expires: 100))
    try require(store.kept("s", "k", now: 100) == nil, "it has expired")
    try store.write(.record(scope: "s", key: "k", .sample("x", expires: 200)))
    try require(store.kept("s", "k", now: 100), equals: .sample("x", expires: 200))
    try require(
      store.kept("s", "K") == nil && store.kept("S", "k") == nil, "keys are compared by their bytes")
    for number in 0..<2500 { try store.write(.record(scope: "s", key: Bytes("\(number)"), .sample("y"))) }
    store.forget(before: 150)
    try store.write(.touch(session: "a", time: 0))
    try require(store.kept("s", "k", now: 150), equals: .sample("x", expires: 200))
  }

  private static func verifyUnused(_ store: any ChangeStore) throws {
    for number in 1...9 {
      try store.write(
        .new(Bytes("s\(number)"), number, table: ["t", "u", "v"][number % 3], touched: number * 10))
    }
    try require(store.unused([:]), equals: [])
    try require(store.unused(["nothing": .max]), equals: [])
    try require(store.unused(["t": 60, "u": .max]), equals: ["s1", "s3", "s4", "s7"])
    try require(store.unused(["t": 61, "u": 10]), equals: ["s3", "s6"])
    try require(store.unused(["t": 61, "u": .max], limit: 2).count, equals: 2)
    try store.write(.touch(session: "s3", time: 500), .step("s6", 1, touched: 500))
    try require(store.unused(["t": 100]), equals: ["s9"])
  }

  private static func verifyBytes(_ subject: inout some StoreUnderTest) throws {
    let all = Bytes((0...255).map { UInt8($0) })
    let samples = [
      .empty, all, Bytes([0]), "é", "e\u{301}", Bytes([0xFF, 0xFE]), "'; DROP TABLE sessions; --",
    ]
    let large = Bytes((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    for (number, bytes) in samples.enumerated() {
      try subject.store.write(
        .create(
          StoredHead(
            session: bytes, sequence: number + 1, table: bytes, look: bytes, created: .min, firstRevision: 0),
          StoredState(revision: 0, state: bytes, itemCount: .max, touched: .max), snapshot: bytes),
        .change(
          StoredChange(session: bytes, revision: 1, text: bytes, delta: large),
          summary: StoredState(revision: 1, state: bytes, itemCount: 0, touched: .min)),
        .record(
          scope: bytes, key: bytes, StoredRecord(fingerprint: bytes, answer: bytes, expires: .max)))
    }
    try subject.crash()
    for bytes in samples {
      let session = try subject.store.session(bytes)
      try require(session?.head.session, equals: bytes)
      try require(session?.head.table, equals: bytes)
      try require(session?.head.look, equals: bytes)
      try require(session?.head.created, equals: .min)
      try require(session?.snapshot, equals: bytes)
      try require(session?.state.state, equals: bytes)
      try require(session?.changes.first?.text, equals: bytes)
      try require(session?.changes.first?.delta == large, "3 MB came back changed")
      try require(subject.store.kept(bytes, bytes)?.answer, equals: bytes)
    }
  }

  private static func verifyAdoption(_ store: any ChangeStore) throws {
    let head = StoredHead(
      session: "a", sequence: 5, table: "t", look: "{}", created: 3, firstRevision: 100)
    let session = StoredSession(
      head: head, state: StoredState(revision: 140, state: "populated", itemCount: 3, touched: 9),
      snapshot: "[1]", snapshotRevision: 130, changes: (121...140).map { .sample("a", $0) })
    try store.write(.new("a", 1), .end(session: "a", StoredTombstone(revision: 0, until: 5)))
    try store.write(.adopt(session))
    try require(store.session("a"), equals: session)
    try require(store.tomb("a") == nil, "the living have no tombstone")
    try store.write(.step("a", 141))
    try require(store.census.lastSequence >= 0, "there is a census")
  }
}

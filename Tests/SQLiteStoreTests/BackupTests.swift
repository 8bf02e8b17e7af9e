import Foundation
import JSONText
import SQLiteStore
import Sessions
import StoreContract
import Testing
import TestSupport

/// Copies and archives, made beside a server.
@Suite(.timeLimit(.minutes(5)))
struct BackupTests {
  @Test("A backup beside a busy server is a store of one moment")
  func copiesBesideServer() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.path("s.db"), synchronous: .off)
    defer { store.close() }
    let large = Bytes([UInt8](repeating: 65, count: 20_000))
    for number in 1...50 {
      store.commit([.new(Bytes("s\(number)"), number, look: large), .new(Bytes("x\(number)"), 1000 + number)])
      { _ in
      }
    }
    try store.write(.step("s1", 1), .step("s2", 1))
    let busy = Answer<Int>()
    Thread.detachNewThread {
      var revision = 1
      while revision < 3000 {
        revision += 1
        // Both or none.
        guard (try? store.outcome(.step("s1", revision), .step("s2", revision))) == .some(nil) else { break }
      }
      busy.come(revision)
    }
    for round in 1...5 {
      var calls = 0
      try SQLiteStore.backup(from: folder.path("s.db"), to: folder.path("b\(round).db")) { _, _ in calls += 1
      }
      #expect(calls > 0)
      let copy = try SQLiteStore(path: folder.path("b\(round).db"))
      #expect(copy.census.sessions == 100)
      let (one, two) = (try copy.session("s1"), try copy.session("s2"))
      #expect(one?.state == two?.state)
      #expect(one?.changes.count == one?.state.revision)
      copy.close()
    }
    #expect(try busy.wait() == 3000)
    #expect(try !folder.names().contains { $0.contains("unfinished") })
    #expect(throws: StoreFileFailure.self) {
      try SQLiteStore.backup(from: folder.path("s.db"), to: folder.path("b1.db"))
    }
    #expect(throws: StoreFileFailure.self) {
      try SQLiteStore.backup(from: folder.path("none.db"), to: folder.path("c.db"))
    }
    #expect(throws: StoreFileFailure.self) {
      try SQLiteStore.backup(from: folder.path("s.db"), to: folder.path("no/c.db"))
    }
  }

  @Test("Who reads beside a server sees what it has written, and writes nothing")
  func readsBeside() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.path("s.db"))
    try store.write(.new("a", 1), .step("a", 1))
    let beside = try SQLiteStore(readingBeside: folder.path("s.db"))
    #expect(beside.census.sessions == 1)
    try store.write(.step("a", 2))
    let first = try store.session("a")
    #expect(try beside.session("a") == first)
    // All that it reads is of one moment.
    try store.write(.step("a", 3), .new("b", 2))
    #expect(try beside.session("a") == first)
    #expect(try beside.session("b") == nil)
    #expect(try beside.outcome(.step("a", 4))?.code == .unavailable)
    beside.close()
    store.close()
    let names = try folder.names()
    #expect(names == ["s.db", "s.db.lock"])
    try SQLiteStore(readingBeside: folder.path("s.db")).close()
    #expect(try folder.names() == names)
  }

  @Test("A session comes back from an archive as it was")
  func archives() throws {
    let session = StoredSession(
      head: StoredHead(
        session: "é\"1", sequence: 3, table: "t", look: #"{"cell":"A\n"}"#, created: 5, firstRevision: 2),
      state: StoredState(revision: 9, state: "populated", itemCount: 4, touched: 6),
      snapshot: #"{"items":[{"id":"1","data":{"n":1.50}}]}"#, snapshotRevision: 7,
      changes: (5...9).map {
        StoredChange(
          session: "é\"1", revision: $0, text: Bytes("{\"r\":\($0)}"), delta: $0 == 6 ? "" : "{\"d\":[]}")
      })
    for line in [ArchiveLine.header, .session(session), .end(sessions: 1)] {
      let text = try line.text()
      #expect(text.firstIndex(of: 10) == text.count - 1)
      #expect(try ArchiveLine(Bytes(Array(text.dropLast()))) == line)
      for cut in stride(from: 0, to: text.count - 1, by: 3) {
        #expect(throws: ArchiveLine.Fault.self) { try ArchiveLine(Bytes(Array(text[..<cut]))) }
      }
    }
    var torn = session
    torn.changes.removeLast()
    let text = try ArchiveLine.session(torn).text()
    #expect(throws: ArchiveLine.Fault.self) { try ArchiveLine(Bytes(Array(text.dropLast()))) }
  }
}

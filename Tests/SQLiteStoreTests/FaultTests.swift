import Foundation
import JSONText
import SQLiteStore
import Sessions
import StoreContract
import Synchronization
import Testing
import TestSupport

/// Disks that are full, writes that fail, processes that die.
@Suite(.timeLimit(.minutes(5)))
struct FaultTests {
  @Test(
    "A full disk refuses, keeps reading, and recovers by itself",
    .enabled(if: Mount.isPossible, "mounting needs root"))
  func fullDisk() throws {
    let mount = try Mount(megabytes: 8)
    defer { withExtendedLifetime(mount) {} }
    let store = try SQLiteStore(path: mount.path("s.db"))
    defer { store.close() }
    try store.write(.new("a", 1))
    mount.fill()
    var revision = 0
    var failure: StoreFailure?
    while failure == nil, revision < 2000 {
      failure = try store.outcome(Self.large("a", revision + 1))
      if failure == nil { revision += 1 }
    }
    #expect(failure?.code == .unavailable, "\(failure?.detail ?? "none") after \(revision)")
    #expect(!store.isWritable)
    #expect(try store.session("a")?.state.revision == revision)
    #expect(try store.outcome(Self.large("a", revision + 1)) != nil)
    mount.makeRoom()
    // Nobody writes, and yet it is noticed.
    let limit = Date() + 10
    while !store.isWritable, Date() < limit { usleep(10_000) }
    #expect(store.isWritable)
    try store.write(Self.large("a", revision + 1))
    #expect(try store.session("a")?.changes.map(\.revision) == Array(1...(revision + 1)))
  }

  @Test("A change that fails half-way leaves nothing, and takes nobody with it")
  func halfway() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("s.db")
    let store = try SQLiteStore(path: path)
    defer { store.close() }
    for (number, session) in ["a", "b"].enumerated() { try store.write(.new(Bytes(session), number + 1)) }
    // The change is there when the session's own row is refused.
    let trigger = """
      CREATE TRIGGER refusal BEFORE UPDATE ON sessions WHEN NEW.id = X'61' AND NEW.revision = 1
      BEGIN SELECT RAISE(ABORT, 'no'); END
      """
    try #require(try sql(trigger, on: path) == 0)
    let outcomes = Mutex<[String: StoreFailure?]>([:])
    for session in ["b", "a"] {
      store.commit([Self.large(Bytes(session), 1)]) { failure in
        outcomes.withLock { $0[session] = .some(failure) }
      }
    }
    let limit = Date() + 10
    while outcomes.withLock({ $0.count }) < 2, Date() < limit { usleep(1_000) }
    let told = outcomes.withLock { $0 }
    #expect(told["a"]??.code == .unavailable && told["b"] == .some(nil))
    #expect(try store.session("a")?.changes.isEmpty == true)
    #expect(try store.session("b")?.changes.map(\.revision) == [1])
    try #require(try sql("DROP TRIGGER refusal", on: path) == 0)
    try store.write(Self.large("a", 1))
    #expect(store.isWritable)
    #expect(try store.session("a")?.changes.map(\.revision) == [1])
  }

  @Test("An I/O error at the commit leaves an open question, and the file in order")
  func ioError() async {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      let folder = try TemporaryFolder()
      let store = try SQLiteStore(path: folder.path("s.db"))
      try store.write(.new("a", 1))
      setFileSizeLimit(200_000)
      var revision = 0
      var failure: StoreFailure?
      while failure == nil, revision < 1000 {
        failure = try store.outcome(FaultTests.large("a", revision + 1))
        if failure == nil { revision += 1 }
      }
      try require(failure?.code, equals: .unknown, "revision \(revision)")
      try require(!store.isWritable, "it seems to work")
      // The question is settled by reading: it is there or it is not, and nothing else.
      let settled = try store.session("a")?.state.revision
      try require(settled == revision || settled == revision + 1, "\(settled ?? -1) after \(revision)")
      setFileSizeLimit(.max)
      let next = try store.session("a").map { $0.state.revision + 1 } ?? 0
      try store.write(FaultTests.large("a", next))
      try require(store.isWritable, "it works again")
      try require(store.session("a")?.changes.map(\.revision), equals: Array(1...next))
      store.close()
      let again = try SQLiteStore(path: folder.path("s.db"))
      try require(again.session("a")?.changes.map(\.revision), equals: Array(1...next))
      again.close()
    }
  }

  @Test("An I/O error before the commit has done nothing, and the file is looked at anew")
  func ioErrorWithin() async {
    await #expect(processExitsWith: .success) {
      signal(SIGXFSZ, SIG_IGN)
      let folder = try TemporaryFolder()
      let store = try SQLiteStore(path: folder.path("s.db"))
      try store.write(.new("a", 1))
      setFileSizeLimit(1_000_000)
      // More than SQLite keeps in memory: it writes to the log before the commit.
      let many = (1...400).map { FaultTests.large("a", $0) }
      try require(store.outcome(of: many)?.code, equals: .unavailable, "the outcome is known")
      try require(!store.isWritable, "it seems to work")
      setFileSizeLimit(.max)
      // Whose mark has changed meanwhile is no store any more; who does not look writes on.
      try sql("PRAGMA application_id = 5", on: folder.path("s.db"))
      try require(store.outcome(.step("a", 1))?.code, equals: .unavailable, "it was not looked at")
      try sql("PRAGMA application_id = \(0x5243_5354)", on: folder.path("s.db"))
      try require(store.session("a")?.state.revision, equals: 0, "half of it is there")
      try store.write(.step("a", 1))
      try require(store.isWritable, "it works again")
      store.close()
    }
  }

  @Test("What was answered is there after kill -9")
  func killed() async throws {
    let folder = try TemporaryFolder()
    setenv("ROWCAST_TEST_FOLDER", folder.path, 1)
    var found: [String: Int] = [:]
    for round in 1...5 {
      await #expect(processExitsWith: .signal(SIGKILL)) {
        let folder = try #require(ProcessInfo.processInfo.environment["ROWCAST_TEST_FOLDER"])
        try writeUntilKilled(folder: folder)
      }
      let told = try String(contentsOfFile: folder.path("told"), encoding: .utf8)
      let store = try SQLiteStore(path: folder.path("s.db"))
      var last: [String: Int] = [:]
      for line in told.split(separator: "\n") {
        let parts = line.split(separator: " ")
        if parts.count == 2, let revision = Int(parts[1]) { last[String(parts[0])] = revision }
      }
      #expect(!last.isEmpty)
      for (id, revision) in last {
        let session = try #require(try store.session(Bytes(id)), "round \(round), \(id)")
        #expect(session.state.revision >= revision, "round \(round), \(id)")
        #expect(session.changes.map(\.revision) == Array(1...session.state.revision), "round \(round), \(id)")
        // One at most was done and not told since the round before.
        #expect(session.state.revision - max(revision, found[id] ?? 0) <= 1, "round \(round), \(id)")
        found[id] = session.state.revision
      }
      store.close()
    }
  }

  @Test("A file that is removed under the store takes no more writes")
  func removed() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.path("s.db"))
    defer { store.close() }
    try store.write(.new("a", 1))
    try FileManager.default.moveItem(atPath: folder.path("s.db"), toPath: folder.path("t.db"))
    #expect(try store.outcome(.step("a", 1))?.code == .unavailable)
    #expect(!store.isWritable)
    try FileManager.default.moveItem(atPath: folder.path("t.db"), toPath: folder.path("s.db"))
    try store.write(.step("a", 1))
    #expect(store.isWritable)
  }

  @Test("The log stays small through 20,000 commands, with someone reading all the while")
  func boundedLog() throws {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(path: folder.path("s.db"), synchronous: .off)
    defer { store.close() }
    for number in 1...21 { try store.write(.new(Bytes("s\(number)"), number)) }
    for revision in 1...1000 { try store.write(FaultTests.large("s21", revision)) }
    // Each of these reads begins when the one before it ends: without them being held up the log never begins anew.
    let readings = [Readings(of: "s21", in: store), Readings(of: "s21", in: store)]
    for reading in readings { reading.goOn() }
    var largest = 0
    for revision in 1...1000 {
      let answers = (1...20).map { number in
        let answer = Answer<StoreFailure?>()
        store.commit([FaultTests.large(Bytes("s\(number)"), revision, 300)], answer.come)
        return answer
      }
      for answer in answers { #expect(try answer.wait() == nil) }
      if revision % 50 == 0 {
        for number in 1...20 {
          let id = Bytes("s\(number)")
          store.commit([
            .snapshot(session: id, revision: revision, text: "[]"),
            .trim(session: id, through: revision - 50),
          ]) { _ in }
        }
      }
      var status = stat()
      if stat(folder.path("s.db-wal"), &status) == 0 { largest = max(largest, Int(status.st_size)) }
    }
    #expect(largest < 12 << 20, "the log grew to \(largest) bytes")
    for reading in readings { #expect(try reading.stop() > 0) }
  }

  static func large(_ id: Bytes, _ revision: Int, _ count: Int = 9000) -> StoreWrite {
    .change(
      StoredChange(
        session: id, revision: revision, text: Bytes([UInt8](repeating: 65, count: count)), delta: "d"),
      summary: StoredState(revision: revision, state: "populated", itemCount: 1, touched: 1))
  }
}

/// Reads a session again and again until it is told to stop.
private final class Readings: Sendable {
  private let store: SQLiteStore
  private let session: Bytes
  private let state = Mutex((count: 0, isStopped: false))
  private let end = Answer<Result<Int, StoreFailure>>()

  init(of session: Bytes, in store: SQLiteStore) {
    (self.store, self.session) = (store, session)
  }

  func goOn() {
    store.restore(session) { [self] outcome in
      if case .failure(let failure) = outcome { return end.come(.failure(failure)) }
      let (count, isStopped) = state.withLock { state in
        state.count += 1
        return state
      }
      if isStopped { end.come(.success(count)) } else { goOn() }
    }
  }

  /// How often it has read.
  func stop() throws -> Int {
    state.withLock { $0.isStopped = true }
    return try end.wait().get()
  }
}

func setFileSizeLimit(_ bytes: rlim_t) {
  var limit = rlimit()
  getrlimit(__rlimit_resource_t(1), &limit)
  limit.rlim_cur = min(bytes, limit.rlim_max)
  setrlimit(__rlimit_resource_t(1), &limit)
}

/// Four writers note what they were told, and one of them kills the process in the midst of it.
func writeUntilKilled(folder: String) throws {
  let store = try SQLiteStore(path: folder + "/s.db", synchronous: .normal)
  let told = open(folder + "/told", O_WRONLY | O_CREAT | O_APPEND, 0o600)
  let left = Atomic(Int.random(in: 50...1000))
  for number in 1...4 {
    Thread.detachNewThread {
      let id = Bytes("s\(number)")
      do {
        var revision = try store.session(id)?.state.revision ?? -1
        if revision < 0 {
          try store.write(.new(id, number))
          revision = 0
        }
        while true {
          revision += 1
          try store.write(.step(id, revision))
          let line = Array("s\(number) \(revision)\n".utf8)
          write(told, line, line.count)
          if left.subtract(1, ordering: .relaxed).newValue == 0 { kill(getpid(), SIGKILL) }
        }
      } catch {
        exit(3)
      }
    }
  }
  while true { pause() }
}

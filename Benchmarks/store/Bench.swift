import Glibc
import JSONText
import SQLiteStore
import Sessions
import Synchronization

/// The measures; each has a file of its own in the folder, removed behind it.
final class Bench {
  private let folder: String
  private(set) var hasMissed = false

  init(folder: String) { self.folder = folder }

  // MARK: Commits

  /// One-row changes a second, each waited for by its caller, as 1 and as 32 callers get them.
  func commits() throws {
    let floor = try syncsPerSecond()
    tell("write and fdatasync of 8 KiB, one after the other", "\(Int(floor)) a second")
    for synchronous in Synchronous.allCases {
      let one = try commitsPerSecond(callers: 1, synchronous)
      let many = try commitsPerSecond(callers: 32, synchronous)
      tell("synchronous=\(synchronous), 1 caller", "\(Int(one)) commits a second")
      let isBoundByDisk = synchronous == .full && one < 0.5 * Double(1_000_000 / 50)
      tell(
        "synchronous=\(synchronous), 32 callers",
        "\(Int(many)) commits a second, \(rounded(many / one)) × one's",
        goal: isBoundByDisk ? (">= 8 ×", many >= 8 * one) : nil)
    }
  }

  private func commitsPerSecond(callers: Int, _ synchronous: Synchronous) throws -> Double {
    try withStore("commits.db", synchronous) { store in
      for caller in 0..<callers { try store.write([.new(caller)]) }
      let seconds = 2.0
      let count = Atomic(0)
      let ended = Atomic(0)
      let end = now() + seconds
      // Each caller's next change goes out when the one before is on the disk, as commands of a client do.
      @Sendable func go(_ caller: Int, _ revision: Int) {
        guard now() < end else {
          ended.add(1, ordering: .relaxed)
          return
        }
        store.commit([.step(caller, revision)]) { failure in
          guard failure == nil else {
            ended.add(1, ordering: .relaxed)
            return
          }
          count.add(1, ordering: .relaxed)
          go(caller, revision + 1)
        }
      }
      for caller in 0..<callers { go(caller, 1) }
      while ended.load(ordering: .relaxed) < callers { usleep(1000) }
      return Double(count.load(ordering: .relaxed)) / seconds
    }
  }

  private func syncsPerSecond() throws -> Double {
    let path = folder + "/sync"
    let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
    defer {
      close(descriptor)
      unlink(path)
    }
    let block = [UInt8](repeating: 1, count: 8192)
    let start = now()
    var count = 0
    while now() < start + 1 {
      // In place, as a log that starts anew is written.
      pwrite(descriptor, block, block.count, off_t(count % 512) * 8192)
      fdatasync(descriptor)
      count += 1
    }
    return Double(count) / (now() - start)
  }

  // MARK: Restoring

  /// A list of 1,000 items with 1,000 changes, read back while nobody writes and while somebody does.
  func restoring() throws {
    try withStore("restore.db", .full) { store in
      let row = #"{"id":"0123456789","cell":"Cell","data":{"title":"Rows come and go","n":1}},"#
      try store.write([.new(0, snapshot: Bytes("[" + String(repeating: row, count: 1000) + "0]"))])
      for revision in 1...1000 { try store.write([.step(0, revision)]) }
      let quiet = try quantiles(of: 200) { try store.restored(0) }
      tell(
        "restore of 1,000 items and 1,000 changes", "\(milliseconds(quiet.median))",
        goal: ("< 20 ms", quiet.median < 0.02))
      let isEnded = Atomic(false)
      for caller in 1...32 {
        try store.write([.new(caller)])
        @Sendable func go(_ revision: Int) {
          guard !isEnded.load(ordering: .relaxed) else { return }
          store.commit([.step(caller, revision)]) { if $0 == nil { go(revision + 1) } }
        }
        go(1)
      }
      let busy = try quantiles(of: 200) { try store.restored(0) }
      isEnded.store(true, ordering: .relaxed)
      tell(
        "the same while 32 callers write, p99",
        "\(milliseconds(busy.p99)), without them \(milliseconds(quiet.p99))")
    }
  }

  // MARK: Many sessions

  /// What 100,000 sessions on the disk cost a server that starts.
  func manySessions() throws {
    let count = 100_000
    let path = folder + "/many.db"
    defer { remove("many.db") }
    let row =
      #"{"id":"0123456789","cell":"Cell","data":{"title":"Rows come and go, and what stays is said"}},"#
    let snapshot = Bytes("[" + String(repeating: row, count: 20) + "0]")
    let filling = try SQLiteStore(path: path, synchronous: .off)
    let start = now()
    for base in stride(from: 0, to: count, by: 500) {
      try filling.write((base..<(base + 500)).map { .new($0, snapshot: snapshot) })
    }
    tell("100,000 sessions written", "\(rounded(now() - start)) s")
    filling.close()
    let before = residentBytes()
    let opening = now()
    let store = try SQLiteStore(path: path)
    defer { store.close() }
    let opened = now() - opening
    tell(
      "opening it with \(store.census.sessions) sessions", milliseconds(opened),
      goal: ("< 1000 ms", opened < 1))
    _ = try store.restored(77_777)
    tell(
      "memory that takes",
      "\((residentBytes() - before) >> 10) KiB more, \(residentBytes() >> 20) MiB in all",
      goal: ("<= 30 MiB in all", residentBytes() <= 30 << 20))
    let looking = now()
    _ = try wait { store.expired(["t": 1], limit: 100, $0) }.get()
    tell("looking for unused ones", milliseconds(now() - looking))
    let listing = now()
    _ = try wait { store.list(after: 50_000, limit: 100, $0) }.get()
    tell("a page of 100 of the list", milliseconds(now() - listing))
  }

  // MARK: Helpers

  private func withStore<Value>(
    _ name: String, _ synchronous: Synchronous, _ body: (SQLiteStore) throws -> Value
  ) throws -> Value {
    remove(name)
    let store = try SQLiteStore(path: folder + "/" + name, synchronous: synchronous)
    defer {
      store.close()
      remove(name)
    }
    return try body(store)
  }

  private func remove(_ name: String) {
    for suffix in ["", "-wal", "-shm", ".lock"] { unlink(folder + "/" + name + suffix) }
  }

  private func tell(_ what: String, _ figure: String, goal: (String, Bool)? = nil) {
    let verdict = goal.map { " (goal: \($0.0), \($0.1 ? "met" : "missed"))" } ?? ""
    print("\(what): \(figure)\(verdict)")
    if goal?.1 == false { hasMissed = true }
  }

  private func quantiles(of count: Int, _ body: () throws -> Void) throws -> (median: Double, p99: Double) {
    var times: [Double] = []
    for _ in 0..<count {
      let start = now()
      try body()
      times.append(now() - start)
    }
    times.sort()
    return (times[count / 2], times[count * 99 / 100])
  }
}

/// Seconds of a clock that only goes forward.
private func now() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

private func rounded(_ value: Double) -> String { "\((value * 10).rounded() / 10)" }

private func milliseconds(_ seconds: Double) -> String { "\(rounded(seconds * 1000)) ms" }

private func residentBytes() -> Int {
  let descriptor = open("/proc/self/statm", O_RDONLY)
  defer { close(descriptor) }
  var block = [UInt8](repeating: 0, count: 128)
  let count = read(descriptor, &block, block.count)
  let fields = block.prefix(max(count, 0)).split(separator: UInt8(ascii: " "))
  guard fields.count > 1 else { return 0 }
  return (Int(String(decoding: fields[1], as: UTF8.self)) ?? 0) * sysconf(Int32(_SC_PAGESIZE))
}

private final class Answer<Value: Sendable>: Sendable {
  let value = Mutex<Value?>(nil)
}

private func wait<Value: Sendable>(_ call: (@escaping @Sendable (Value) -> Void) -> Void) -> Value {
  let answer = Answer<Value>()
  call { value in answer.value.withLock { $0 = value } }
  while true {
    if let value = answer.value.withLock({ $0 }) { return value }
    sched_yield()
  }
}

extension SQLiteStore {
  fileprivate func write(_ writes: [StoreWrite]) throws {
    if let failure = wait({ commit(writes, $0) }) { throw failure }
  }

  fileprivate func restored(_ number: Int) throws {
    guard try wait({ restore(id(number), $0) }).get() != nil else {
      throw StoreFailure(.unavailable, detail: "a session is not there")
    }
  }
}

private func id(_ number: Int) -> Bytes { Bytes("session-0123456789-\(number)") }

extension StoreWrite {
  fileprivate static func new(_ number: Int, snapshot: Bytes = "[]") -> StoreWrite {
    .create(
      StoredHead(
        session: id(number), sequence: number + 1, table: "t", look: #"{"cell":"Cell"}"#, created: 1,
        firstRevision: 0),
      StoredState(revision: 0, state: "populated", itemCount: 20, touched: 1), snapshot: snapshot)
  }

  fileprivate static func step(_ number: Int, _ revision: Int) -> StoreWrite {
    .change(
      StoredChange(
        session: id(number), revision: revision,
        text:
          #"{"cause":"insert","ops":[{"op":"insert","index":0,"row":{"id":"0123","data":{"title":"A row"}}}]}"#,
        delta: "{}"),
      summary: StoredState(revision: revision, state: "populated", itemCount: revision, touched: revision))
  }
}

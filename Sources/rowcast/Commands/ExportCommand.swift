import Glibc
import JSONText
import SQLiteStore
import Service
import Sessions

/// `rowcast export`: writes the sessions of a store as JSON Lines, also while a server has it.
enum ExportCommand {
  static func run(_ selection: StoreSelection, file: String?, environment: [String: String]) -> Int32 {
    StoreTool.run(selection, environment: environment) { path, _ throws(StoreTool.Failure) in
      let store = try StoreTool.using { () throws(StoreFileFailure) in try SQLiteStore(readingBeside: path) }
      defer { store.close() }
      guard let file else {
        var export = Export(store: store, descriptor: STDOUT_FILENO)
        try export.run()
        return try export.tellUnreadable()
      }
      try write(store, to: file)
    }
  }

  private static func write(_ store: SQLiteStore, to file: String) throws(StoreTool.Failure) {
    guard access(file, F_OK) != 0 else { throw .failed("\(file) is there already") }
    let unfinished = file + ".unfinished"
    let descriptor = open(unfinished, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .failed("\(unfinished) cannot be made: \(systemReason())") }
    defer { close(descriptor) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      throw .failed("\(unfinished) is being written by another export")
    }
    var export = Export(store: store, descriptor: descriptor)
    try export.goOn(behind: unfinished)
    try export.run()
    guard fsync(descriptor) == 0, rename(unfinished, file) == 0 else {
      throw .failed("\(file) cannot be written: \(systemReason())")
    }
    Terminal.print("exported \(export.count) sessions\n")
    try export.tellUnreadable()
  }
}

/// An export on its way.
private struct Export {
  let store: SQLiteStore
  let descriptor: Int32
  private var isBegun = false
  private(set) var count = 0
  /// Sessions that are damaged, and left out.
  private(set) var unreadable = 0
  private var cursor = 0

  init(store: SQLiteStore, descriptor: Int32) {
    self.store = store
    self.descriptor = descriptor
  }

  /// Keeps what an earlier export has left, as far as it is what this one would write, and goes on behind it.
  mutating func goOn(behind path: String) throws(StoreTool.Failure) {
    var kept = 0
    guard var lines = LineReader(path: path) else { return }
    reading: while let line = lines.next(), lines.isTerminated {
      guard let read = try? ArchiveLine(line) else { break }
      switch read {
      case .header where !isBegun: isBegun = true
      case .session(let session) where isBegun:
        guard try isNext(session) else { break reading }
        (count, cursor) = (count + 1, session.head.sequence)
      default: break reading
      }
      kept = lines.offset
    }
    guard ftruncate(descriptor, kept) == 0, lseek(descriptor, kept, SEEK_SET) == kept else {
      throw .failed("\(path) cannot be written: \(systemReason())")
    }
  }

  /// Whether a session is the next one of the store, and there as it stands in the archive.
  private func isNext(_ session: StoredSession) throws(StoreTool.Failure) -> Bool {
    let (store, cursor, id) = (store, cursor, session.head.session)
    let next = try get(Answer.wait { store.list(after: cursor, limit: 1, $0) }).first
    guard next?.head == session.head else { return false }
    return try get(Answer.wait { store.restore(id, $0) }) == session
  }

  mutating func run() throws(StoreTool.Failure) {
    var progress = Progress()
    defer { progress.end() }
    if !isBegun { try write(.header, "the header") }
    while true {
      let store = store
      let page = try get(Answer.wait { [cursor] in store.list(after: cursor, limit: 100, $0) })
      guard let last = page.last else { break }
      for summary in page {
        let id = summary.head.session
        let session: StoredSession
        do throws(StoreFailure) {
          guard let stored = try Answer.wait(for: { store.restore(id, $0) }).get() else { continue }
          session = stored
        } catch {
          // The others are wanted all the more.
          progress.end()
          unreadable += 1
          if unreadable <= 10 {
            Terminal.complain("rowcast: session \"\(id)\" cannot be read: \(error.detail)")
          }
          continue
        }
        try write(.session(session), "session \"\(id)\"")
        count += 1
        progress.show("export: \(count) of \(max(count, store.census.sessions)) sessions")
      }
      cursor = last.head.sequence
    }
    try write(.end(sessions: count), "the end")
  }

  /// - Throws: where sessions are left out.
  func tellUnreadable() throws(StoreTool.Failure) {
    guard unreadable > 0 else { return }
    throw .failed("\(unreadable) sessions cannot be read and are left out")
  }

  private func get<Value>(_ result: Result<Value, StoreFailure>) throws(StoreTool.Failure) -> Value {
    do { return try result.get() } catch { throw .failed(error.detail) }
  }

  private func write(_ line: ArchiveLine, _ what: String) throws(StoreTool.Failure) {
    let text: [UInt8]
    do { text = try line.text() } catch { throw .failed("\(what) cannot be written: \(error.problem)") }
    var rest = text[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written < 0 && errno == EINTR { continue }
      guard written > 0 else { throw .failed("\(what) cannot be written: \(systemReason())") }
      rest = rest.dropFirst(written)
    }
  }
}

/// What the system says of its last failure.
private func systemReason() -> String {
  strerror(errno).map { String(cString: $0) } ?? "error \(errno)"
}

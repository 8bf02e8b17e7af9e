import JSONText
import SQLiteStore
import Service
import Sessions

/// `rowcast import`: takes sessions from JSON Lines into a store that no server has.
enum ImportCommand {
  static func run(_ selection: StoreSelection, file: String, environment: [String: String]) -> Int32 {
    StoreTool.run(selection, environment: environment) { path, synchronous throws(StoreTool.Failure) in
      var progress = Progress()
      defer { progress.end() }
      // Nothing is taken, nor a store made, before the whole file has been looked at.
      var (sessions, seen): (Int, Set<Bytes>) = (0, [])
      try read(file) { session, line throws(StoreTool.Failure) in
        try check(session, "\(file):\(line)")
        guard seen.insert(session.head.session).inserted else {
          throw .wrongData("\(file):\(line): session \"\(session.head.session)\" came before")
        }
        sessions += 1
        progress.show("import: \(sessions) sessions looked at")
      }
      let store = try StoreTool.using { () throws(StoreFileFailure) in
        try SQLiteStore(path: path, synchronous: synchronous)
      }
      defer { store.close() }
      var present: Set<Bytes> = []
      try read(file) { session, line throws(StoreTool.Failure) in
        if try isPresent(session, in: store, "\(file):\(line)") { present.insert(session.head.session) }
      }
      var (done, sequence) = (0, store.census.lastSequence)
      try read(file) { session, line throws(StoreTool.Failure) in
        done += 1
        progress.show("import: \(done) of \(sessions) sessions")
        guard !present.contains(session.head.session) else { return }
        sequence += 1
        var session = session
        session.head.sequence = sequence
        let writes = [StoreWrite.adopt(session)]
        if let failure = Answer.wait(for: { store.commit(writes, $0) }) {
          throw .failed("\(file):\(line): \(failure.detail)")
        }
      }
      progress.end()
      Terminal.print("imported \(sessions - present.count) sessions, \(present.count) were there already\n")
    }
  }

  /// Makes sure that a server could go on with the session.
  private static func check(_ session: StoredSession, _ place: String) throws(StoreTool.Failure) {
    guard session.head.session.isClientName else {
      throw .wrongData("\(place): a session's id is 1 to 64 of A–Z a–z 0–9 _ -")
    }
    guard session.head.table.isTableName else {
      throw .wrongData("\(place): a table's name is 1 to 128 bytes without control characters")
    }
    do {
      try session.verify(.service)
    } catch {
      throw .wrongData("\(place): session \"\(session.head.session)\" lacks \(error.what)")
    }
  }

  /// Whether the store has the session already, at this revision.
  ///
  /// - Throws: where it has another one of the id.
  private static func isPresent(
    _ session: StoredSession, in store: SQLiteStore, _ place: String
  ) throws(StoreTool.Failure) -> Bool {
    let id = session.head.session
    let present: StoredSession?
    do {
      present = try Answer.wait { store.restore(id, $0) }.get()
    } catch {
      throw .failed(error.detail)
    }
    guard var present else { return false }
    // The sequence is each store's own.
    present.head.sequence = session.head.sequence
    guard present == session else {
      throw .wrongData(
        "\(place): the store has another session \"\(id)\", at revision \(present.state.revision)")
    }
    return true
  }

  /// Shows every session of a file to `body`, with the number of its line.
  private static func read(
    _ file: String, _ body: (StoredSession, _ line: Int) throws(StoreTool.Failure) -> Void
  ) throws(StoreTool.Failure) {
    guard var lines = LineReader(path: file) else { throw .wrongData("\(file) cannot be read") }
    var (number, sessions, isEnded) = (0, 0, false)
    while let text = lines.next() {
      number += 1
      let line: ArchiveLine
      do { line = try ArchiveLine(text) } catch { throw .wrongData("\(file):\(number): \(error.problem)") }
      switch line {
      case .header where number == 1: break
      case .session(let session) where number > 1 && !isEnded:
        sessions += 1
        try body(session, number)
      case .end(let count) where number > 1 && !isEnded:
        guard count == sessions else {
          throw .wrongData("\(file):\(number): \(sessions) sessions came before, not \(count)")
        }
        isEnded = true
      default: throw .wrongData("\(file):\(number): this line does not belong here")
      }
    }
    guard !lines.hasFailed else { throw .failed("\(file) cannot be read to its end") }
    guard isEnded else { throw .wrongData("\(file):\(number + 1): the file ends too early") }
  }
}

import JSONText
import Sessions
import Synchronization
import Threads

/// The thread that reads, on a connection of its own: reading never waits for a commit, nor a commit for it.
final class Reader: Sendable {
  /// A read: looks something up, and gives what is then to be called with it.
  typealias Job = @Sendable (Result<Connection, SQLiteError>) -> @Sendable () -> Void

  private struct State {
    var jobs: [Job] = []
    var isClosed = false
  }

  private let file: StoreFile
  private let state = Mutex(State())
  private let bell = Bell()
  /// Opened when it is first needed.
  ///
  /// The lock is held while a job reads, and by the writer where it wants no read to go on.
  private let connection = Mutex<Connection?>(nil)

  /// Reads that may wait.
  private static let limit = 65_536

  /// Who reads beside others sees one moment's state, that of the first read.
  private let staysAtOneMoment: Bool
  /// Whether a write-ahead log is left as it is at the end, by one who only reads beside others.
  private let leavesLog: Bool

  init(_ file: StoreFile, staysAtOneMoment: Bool = false, leavesLog: Bool = false) {
    self.file = file
    self.staysAtOneMoment = staysAtOneMoment
    self.leavesLog = leavesLog
  }

  /// Adds a read; false where too many wait or the store is closed.
  func add(_ job: @escaping Job) -> Bool {
    let isAdded = state.withLock { state -> Bool in
      guard !state.isClosed, state.jobs.count < Self.limit else { return false }
      state.jobs.append(job)
      return true
    }
    if isAdded { bell.ring() }
    return isAdded
  }

  /// Serves reads until it is closed and none is left.
  func run() {
    while true {
      let (jobs, isClosed) = state.withLock { state -> ([Job], Bool) in
        var jobs: [Job] = []
        swap(&jobs, &state.jobs)
        return (jobs, state.isClosed)
      }
      for job in jobs { serve(job)() }
      guard jobs.isEmpty else { continue }
      if isClosed { break }
      bell.wait()
    }
    // Often the last connection: what is in the log then goes into the file.
    dropConnection(leavingLog: leavesLog)
  }

  private func serve(_ job: Job) -> @Sendable () -> Void {
    connection.withLock { connection in
      do throws(SQLiteError) {
        let used = if let connection { connection } else { try open() }
        connection = used
        let call = job(.success(used))
        if used.isSuspect, !staysAtOneMoment {
          used.close(leavingLog: true)
          connection = nil
        }
        return call
      } catch {
        return job(.failure(error))
      }
    }
  }

  private func open() throws(SQLiteError) -> Connection {
    let connection = try file.openAgain(readingOnly: true)
    if staysAtOneMoment { try connection.run(.begin) }
    return connection
  }

  /// Runs `body` when the read that goes on is done, and holds up the next one meanwhile.
  func betweenReads(_ body: () -> Void) {
    connection.withLock { _ in body() }
  }

  /// Closes the connection; the next read opens the file anew.
  func dropConnection(leavingLog: Bool) {
    connection.withLock { connection in
      connection?.close(leavingLog: leavingLog)
      connection = nil
    }
  }

  /// Refuses further reads and lets `run` end behind the last one.
  func close() {
    state.withLock { $0.isClosed = true }
    bell.ring()
  }
}

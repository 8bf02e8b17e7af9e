import Sessions
import Synchronization

/// Whether writing works, as far as is known.
final class WriterStatus: Sendable {
  private let works = Atomic(true)

  var isWritable: Bool {
    get { works.load(ordering: .acquiring) }
    set { works.store(newValue, ordering: .releasing) }
  }
}

/// Writes what waits, in groups, on the thread that owns it.
///
/// All calls that came while a transaction ran go into the next one: many callers share one wait for the disk. A
/// conflict fails its call alone.
struct Writer: ~Copyable {
  let file: StoreFile
  let queue: WriteQueue
  let reader: Reader
  let status: WriterStatus
  /// Those of who is told.
  let turns: Turns
  /// Nil after an I/O error: what the memory of this process has of the file is not to be trusted then.
  var connection: Connection?

  /// Pages that the write-ahead log had when it was last brought into the file.
  private var checkpointed = 0

  /// Pages by which the write-ahead log grows before it is brought into the file: 4 MiB.
  private static let checkpointPages = 1000

  init(
    _ file: StoreFile, _ queue: WriteQueue, _ reader: Reader, _ status: WriterStatus, _ turns: Turns,
    _ connection: Connection
  ) {
    self.file = file
    self.queue = queue
    self.reader = reader
    self.status = status
    self.turns = turns
    self.connection = connection
  }

  /// Writes until the queue is closed and empty.
  mutating func run() {
    // While writing does not work it is tried every second, so that it is noticed when it does again.
    while let batch = queue.takeBatch(waiting: status.isWritable ? nil : 1) {
      if batch.isEmpty { probe() } else { work(batch) }
      checkpoint()
    }
    connection?.close()
    connection = nil
  }

  private mutating func work(_ batch: [WriteQueue.Call]) {
    let outcomes = write(batch)
    // Before the answers: whoever has one of a later call finds forgotten what is over.
    for case .forget(let now) in batch where !forget(before: now) { queue.forget(before: now) }
    queue.finish(batch)
    turns.onLoop { [reader] in
      for (call, outcome) in zip(batch, outcomes) {
        switch call {
        case .commit(_, let completion): completion(outcome)
        case .read(let job, _): if !reader.add(job) { job(.failure(.tooMuch))() }
        case .forget: break
        }
      }
    }
  }

  // MARK: Transactions

  /// Writes all commits of a batch in one transaction; gives the outcome of each call.
  private mutating func write(_ batch: [WriteQueue.Call]) -> [StoreFailure?] {
    var outcomes = [StoreFailure?](repeating: nil, count: batch.count)
    let hasCommits = batch.contains { if case .commit = $0 { true } else { false } }
    guard hasCommits else { return outcomes }
    var failure: StoreFailure?
    // A savepoint costs as much as a change, and one that conflicts has written nothing. So most calls go without; where
    // one of those fails half-way all are written once more, each with its own.
    var (hasFailedHalfway, savesAll) = (false, false)
    repeat {
      savesAll = hasFailedHalfway
      hasFailedHalfway = false
      failure = transaction { connection throws(SQLiteError) in
        for (index, call) in batch.enumerated() {
          guard case .commit(let writes, _) = call else { continue }
          if savesAll || !writes.isChangeAlone {
            outcomes[index] = try Self.write(writes, on: connection)
            continue
          }
          do throws(SQLiteError) {
            outcomes[index] = try connection.apply(writes[0])?.failure
          } catch {
            hasFailedHalfway = error.isLocal
            throw error
          }
        }
      }
    } while hasFailedHalfway
    // What was a conflict beside changes that did not come to stay is none that could be told.
    if let failure { for index in outcomes.indices { outcomes[index] = failure } }
    return outcomes
  }

  /// Writes one call's share, wholly or not at all, whatever becomes of the others.
  private static func write(
    _ writes: [StoreWrite], on connection: Connection
  ) throws(SQLiteError) -> StoreFailure? {
    var failure: StoreFailure?
    try connection.run(.openCall)
    do {
      for write in writes where failure == nil { failure = try connection.apply(write)?.failure }
    } catch {
      guard error.isLocal, connection.isInTransaction else { throw error }
      failure = error.failure
    }
    if failure != nil { try connection.run(.dropCall) }
    try connection.run(.keepCall)
    return failure
  }

  /// Runs `body` in a transaction and commits it; gives the failure where that does not work.
  private mutating func transaction(_ body: (Connection) throws(SQLiteError) -> Void) -> StoreFailure? {
    do throws(SQLiteError) {
      let connection = try openConnection()
      guard !connection.hasMoved else { throw .moved }
      try connection.run(.beginImmediate)
      let before = connection.writtenRows
      try body(connection)
      let writes = connection.writtenRows != before
      do {
        try connection.run(.commit)
      } catch  where !error.isRefusal {
        // The commit may be on the disk, or be found there when the log is next read.
        status.isWritable = false
        abandonConnection()
        return StoreFailure(.unknown, detail: "the store: \(error.detail); whether it was written is unknown")
      }
      // A transaction without writes proves nothing.
      if writes { status.isWritable = true }
      return nil
    } catch {
      fail(error)
      return error.failure
    }
  }

  /// Undoes what is open after a failure.
  private mutating func fail(_ error: SQLiteError) {
    status.isWritable = false
    guard let connection else { return }
    do throws(SQLiteError) {
      if connection.isInTransaction { try connection.run(.rollback) }
      if error.isInputOutput { abandonConnection() }
    } catch {
      abandonConnection()
    }
  }

  /// Lets go of the file without touching it; the next transaction finds out anew what is in it.
  private mutating func abandonConnection() {
    // As long as any connection of the process is open, what SQLite thinks of the log is not read again.
    reader.dropConnection(leavingLog: true)
    connection?.close(leavingLog: true)
    connection = nil
  }

  private mutating func openConnection() throws(SQLiteError) -> Connection {
    if let connection { return connection }
    let opened = try file.openAgain(readingOnly: false)
    connection = opened
    return opened
  }

  // MARK: On the side

  /// Finds out whether writing works again.
  private mutating func probe() {
    _ = transaction { connection throws(SQLiteError) in try connection.run(.probe) }
  }

  /// Forgets what is over; false where there is more.
  private mutating func forget(before now: Int) -> Bool {
    var hasMore = false
    let failure = transaction { connection throws(SQLiteError) in hasMore = try connection.forget(before: now)
    }
    // Best effort: the next call forgets what this one could not.
    return failure != nil || !hasMore
  }

  /// Keeps the write-ahead log small, after the callers have had their answers.
  ///
  /// Under a read the log cannot begin anew, and where reads follow each other without a pause it never would. So a log
  /// of twice the size keeps them out for as long as it is brought into the file. Other programs' reads stay free.
  private mutating func checkpoint() {
    guard let connection else { return }
    let pages = connection.loggedPages
    if pages < checkpointed { checkpointed = 0 }
    guard pages - checkpointed >= Self.checkpointPages else { return }
    checkpointed = pages
    // Where the file cannot be written now, the log holds everything, and the next checkpoint tries again.
    if pages < 2 * Self.checkpointPages {
      try? connection.checkpoint()
    } else {
      reader.betweenReads { try? connection.checkpoint() }
    }
  }
}

extension [StoreWrite] {
  /// Whether it is one change and nothing else, as most calls are.
  fileprivate var isChangeAlone: Bool {
    if count == 1, case .change = self[0] { true } else { false }
  }
}

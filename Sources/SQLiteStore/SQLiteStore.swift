import JSONText
import Sessions
import Synchronization
import Threads

/// Keeps sessions in a SQLite file, for one server at a time.
///
/// A thread writes: all commits that come while a transaction runs go into the next one, and a completion comes when
/// its transaction is on the disk. Another thread reads meanwhile, on a connection of its own. Write-ahead logging
/// lets other programs read beside them.
public final class SQLiteStore: ChangeStore {
  let queue: WriteQueue
  let reader: Reader
  private let status: WriterStatus
  /// What `close()` takes, once.
  private let running: Mutex<Running?>

  /// The number of sessions at the start, and the highest sequence that was ever given.
  public let census: (sessions: Int, lastSequence: Int)

  /// Opens the store at `path`, made with its folders where it is not there.
  ///
  /// Reads no session; a file of up to 64 MiB is checked for damage first, O(size).
  ///
  /// - Parameter turns: those of the loops that use it, on which completions then run.
  /// - Throws: what is wrong with the file, which then is as it was.
  public init(
    path: String, synchronous: Synchronous = .full, turns: Turns = .none
  ) throws(StoreFileFailure) {
    let path = try StorePath(path, makesFolders: true)
    // Before the lock: what is no file gets none.
    _ = try path.size()
    try path.refuseOtherNames()
    let lock = try LockFile(for: path)
    let file = StoreFile(path: path, synchronous: synchronous)
    let connection = try file.openForServing()
    do throws(SQLiteError) {
      census = try connection.census()
    } catch {
      throw StoreFileFailure(path: path.given, error)
    }
    let (queue, reader, status) = (WriteQueue(turns: turns), Reader(file), WriterStatus())
    let handover = Handover(connection)
    let writing = try? Thread.start("store-write") {
      guard let connection = handover.take() else { return }
      var writer = Writer(file, queue, reader, status, turns, connection)
      writer.run()
    }
    let reading = try? Thread.start("store-read") { reader.run() }
    self.queue = queue
    self.reader = reader
    self.status = status
    running = Mutex(Running(lock: lock, writing: writing, reading: reading))
    guard writing != nil, reading != nil else {
      close()
      throw StoreFileFailure(.path, path: path.given, "cannot be served: the system gives no more threads")
    }
  }

  /// Opens the store at `path` for reading alone, whether or not a server has it.
  ///
  /// Commits are refused. The file is not changed. What is read is of one moment, that of the first read; meanwhile the
  /// server's log grows by what it writes.
  public init(readingBeside path: String) throws(StoreFileFailure) {
    let path = try StorePath(path, makesFolders: false)
    let file = StoreFile(path: path, synchronous: .full)
    let leavesLog = path.logSize > 0
    let connection = try file.openBeside()
    defer { connection.close(leavingLog: leavesLog) }
    do throws(SQLiteError) {
      census = try connection.census()
    } catch {
      throw StoreFileFailure(path: path.given, error)
    }
    let reader = Reader(file, staysAtOneMoment: true, leavesLog: leavesLog)
    queue = WriteQueue(turns: .none)
    queue.close()
    status = WriterStatus()
    status.isWritable = false
    self.reader = reader
    let reading = try? Thread.start("store-read") { reader.run() }
    running = Mutex(Running(lock: nil, writing: nil, reading: reading))
    guard reading != nil else {
      throw StoreFileFailure(.path, path: path.given, "cannot be read: the system gives no more threads")
    }
  }

  deinit { close() }

  /// Whether the last write worked.
  public var isWritable: Bool { status.isWritable }

  /// Writes what is pending and lets go of the file; calls after the first do nothing.
  public func close() {
    // The lock goes last, when nobody here uses the file any more.
    guard let running = running.withLock({ $0.take() }) else { return }
    queue.close()
    running.writing?.join()
    reader.close()
    running.reading?.join()
  }
}

/// What lives as long as the store is open.
private struct Running: ~Copyable {
  let lock: LockFile?
  let writing: Thread?
  let reading: Thread?
}

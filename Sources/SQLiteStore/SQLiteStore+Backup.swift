import Glibc

extension SQLiteStore {
  /// Copies the store at `path` into a new file, whether or not a server has it.
  ///
  /// The copy is of one moment, and whole: it is made under another name, checked, and gets its own at the very end.
  /// The server goes on writing meanwhile; its log grows by what it writes. O(size).
  ///
  /// - Parameters:
  ///   - file: where nothing is yet.
  ///   - progress: pages that are copied, of all.
  public static func backup(
    from path: String, to file: String, progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws(StoreFileFailure) {
    let source = StoreFile(path: try StorePath(path, makesFolders: false), synchronous: .full)
    let leavesLog = source.path.logSize > 0
    let connection = try source.openBeside()
    defer { connection.close(leavingLog: leavesLog) }
    let (target, unfinished) = try outputs(file)
    do throws(StoreFileFailure) {
      try copy(connection, to: StoreFile(path: unfinished, synchronous: .full), progress)
      guard rename(unfinished.file, target.file) == 0 else {
        throw StoreFileFailure(path: file, "cannot be made", errno: errno)
      }
    } catch {
      for suffix in ["", "-journal", "-wal", "-shm"] { unlink(unfinished.file + suffix) }
      // What is wrong with the source was found when it was opened, or is damage.
      throw error.code == .damaged ? error : .output(error, file)
    }
    target.syncFolder()
  }

  /// The file to be made, and the one that is made first.
  private static func outputs(
    _ file: String
  ) throws(StoreFileFailure) -> (target: StorePath, unfinished: StorePath) {
    do throws(StoreFileFailure) {
      let target = try StorePath(file, makesFolders: false)
      guard try target.size() == nil else {
        throw StoreFileFailure(.output, path: file, "is there already")
      }
      let unfinished = try StorePath(target.file + ".unfinished-\(getpid())", makesFolders: false)
      try unfinished.make()
      return (target, unfinished)
    } catch {
      throw .output(error, file)
    }
  }

  private static func copy(
    _ source: Connection, to target: StoreFile, _ progress: (Int, Int) -> Void
  ) throws(StoreFileFailure) {
    do throws(SQLiteError) {
      let copy = try Connection(path: target.path.file)
      defer { copy.close() }
      // Without the open transaction every commit of the server would have the copy begin again.
      try source.atOneMoment { () throws(SQLiteError) in
        _ = try source.census()
        try source.copy(to: copy, pages: 256, progress: progress)
      }
    } catch {
      throw StoreFileFailure(path: target.path.given, error)
    }
    let copy = try target.openBeside()
    defer { copy.close() }
    try target.check(copy)
  }
}

import CSQLite
import Foundation
import JSONText
import SQLiteStore
import Sessions
import StoreContract
import TestSupport

/// A SQLite store; what a crash leaves of it is what lies on the disk at that moment.
struct SQLiteSubject: StoreUnderTest {
  private let folder: TemporaryFolder
  private var crashes = 0
  private var current: SQLiteStore

  var store: any ChangeStore { current }

  init() throws {
    folder = try TemporaryFolder()
    current = try SQLiteStore(path: folder.path("0.db"), synchronous: .off)
  }

  mutating func crash() throws {
    let before = folder.path("\(crashes).db")
    crashes += 1
    for suffix in ["", "-wal"] {
      try FileManager.default.copyItem(
        atPath: before + suffix, toPath: folder.path("\(crashes).db" + suffix))
    }
    current.close()
    current = try SQLiteStore(path: folder.path("\(crashes).db"), synchronous: .off)
  }
}

/// The reference itself, which nothing can kill.
struct MemorySubject: StoreUnderTest {
  let store: any ChangeStore = MemoryStore()

  mutating func crash() {}
}

/// Runs statements on a database, as a program beside the store would.
@discardableResult
func sql(_ statements: String, on path: String) throws -> Int32 {
  var database: OpaquePointer?
  defer { sqlite3_close(database) }
  guard sqlite3_open(path, &database) == SQLITE_OK else { return sqlite3_errcode(database) }
  return sqlite3_exec(database, statements, nil, nil, nil)
}

/// Why a store cannot be opened; nil where it can.
func refusal(of path: String) -> StoreFileFailure? {
  do throws(StoreFileFailure) {
    try SQLiteStore(path: path).close()
    return nil
  } catch {
    return error
  }
}

import CSQLite
import Sessions

/// What SQLite said when something did not work.
struct SQLiteError: Error, Equatable {
  /// The extended result code.
  let code: Int32

  /// The primary result code: the kind of the failure.
  var kind: Int32 { code & 0xFF }

  /// The kind in SQLite's words: no path, no statement, no content in it.
  var detail: String {
    if self == .moved { return "the file has been moved or removed" }
    return sqlite3_errstr(kind).map { String(cString: $0) } ?? "error \(code)"
  }

  /// Whether it is about the content of one statement or place, so that what others write may still go well.
  var isLocal: Bool {
    [SQLITE_CORRUPT, SQLITE_TOOBIG, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_RANGE].contains(kind)
  }

  /// Whether it comes from the system's reading or writing, after which nothing in memory is to be trusted.
  var isInputOutput: Bool { kind == SQLITE_IOERR || kind == SQLITE_CANTOPEN }

  /// Whether it is about what was read: pages in memory may then not be as they are in the file, or soon will be.
  var isOfFile: Bool { isInputOutput || kind == SQLITE_CORRUPT || kind == SQLITE_NOTADB }

  /// Whether a COMMIT that fails with it is sure to have written nothing: there was no room, or no lock.
  var isRefusal: Bool { kind == SQLITE_FULL || kind == SQLITE_BUSY }

  /// The file has been moved or removed: whatever was written would be found by nobody.
  static let moved = SQLiteError(code: SQLITE_READONLY | 4 << 8)
  /// Rows that belong together are not all there.
  static let incomplete = SQLiteError(code: SQLITE_CORRUPT)
  /// Too much waits already.
  static let tooMuch = SQLiteError(code: SQLITE_BUSY)

  /// What a caller who reads is told.
  var readFailure: StoreFailure {
    kind == SQLITE_CORRUPT ? StoreFailure(.damaged(revision: nil), detail: failure.detail) : failure
  }

  /// What a caller is told: nothing was done.
  var failure: StoreFailure { StoreFailure(.unavailable, detail: "the store: \(detail)") }
}

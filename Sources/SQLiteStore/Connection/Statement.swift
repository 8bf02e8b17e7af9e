import CSQLite
import JSONText

/// A value that is bound to a statement.
enum SQLValue {
  case integer(Int)
  case bytes(Bytes)
}

/// A prepared statement.
///
/// Used by the one thread that has its connection, and finalised before that is closed.
final class Statement {
  private let handle: OpaquePointer

  /// Prepares `sql`, to be run often.
  init(_ sql: String, on database: OpaquePointer) throws(SQLiteError) {
    var handle: OpaquePointer?
    let code = sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
    guard code == SQLITE_OK, let handle else {
      throw SQLiteError(code: code == SQLITE_OK ? SQLITE_MISUSE : code)
    }
    self.handle = handle
  }

  deinit { sqlite3_finalize(handle) }

  /// Runs it to its end and shows every row to `row`, until that says false.
  func run(
    _ values: [SQLValue], _ row: (borrowing Row) throws(SQLiteError) -> Bool
  ) throws(SQLiteError) {
    // What a reset returns is the failure of the run before, which was thrown then.
    defer { sqlite3_reset(handle) }
    // What is bound is not copied. Afterwards the statement has pointers to what may be gone, and does not look at them
    // before the next run has bound its own.
    defer { withExtendedLifetime(values) {} }
    for (index, value) in values.enumerated() { try bind(value, at: Int32(index + 1)) }
    while true {
      switch sqlite3_step(handle) {
      case SQLITE_ROW:
        guard try row(Row(handle: handle)) else { return }
      case SQLITE_DONE: return
      case let code: throw SQLiteError(code: code)
      }
    }
  }

  private func bind(_ value: SQLValue, at index: Int32) throws(SQLiteError) {
    let code =
      switch value {
      case .integer(let number): sqlite3_bind_int64(handle, index, Int64(number))
      // A null pointer would bind NULL.
      case .bytes(let bytes) where bytes.isEmpty: sqlite3_bind_zeroblob(handle, index, 0)
      case .bytes(let bytes):
        // The elements of an array neither move nor change while a reference to it is held: here by `run`.
        bytes.withUnsafeBytes { sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), nil) }
      }
    guard code == SQLITE_OK else { throw SQLiteError(code: code) }
  }
}

/// The row at which a statement stands; columns count from 0.
struct Row: ~Copyable {
  fileprivate let handle: OpaquePointer

  /// A number; 0 where the column holds none.
  func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }

  /// A copy of the bytes; O(n).
  func bytes(_ column: Int32) throws(SQLiteError) -> Bytes {
    // The pointer first: it converts, and the count is that of what came out.
    guard let start = sqlite3_column_blob(handle, column) else {
      // No pointer means no bytes, or no memory for them.
      let code = sqlite3_errcode(sqlite3_db_handle(handle))
      guard code != SQLITE_NOMEM else { throw SQLiteError(code: code) }
      return .empty
    }
    let count = Int(sqlite3_column_bytes(handle, column))
    return Bytes(Array(UnsafeRawBufferPointer(start: start, count: count)))
  }
}

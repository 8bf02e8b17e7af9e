import CSQLite
import JSONText

/// An open database file.
///
/// One thread at a time uses it. Everything that it holds is let go in `close()`.
final class Connection {
  private let database: OpaquePointer
  private var statements: [Query: Statement] = [:]
  private var isOpen = true
  /// Whether it has read what cannot be right, and the file is to be opened anew for the next read.
  var isSuspect = false
  /// Pages in the write-ahead log after the last commit of this connection, where SQLite's hook puts them.
  private let logged: UnsafeMutablePointer<Int32>

  /// Milliseconds for which a lock that another process holds is waited for.
  private static let patience: Int32 = 2000

  /// SQLite counts no memory, for which every allocation would take a lock that all threads share.
  ///
  /// Refused, and of no account, where something in the process has used SQLite before.
  private static let countsNoMemory = csqlite_count_no_memory() == SQLITE_OK

  /// Opens a file that is there.
  ///
  /// The path is absolute, so that none of the names that mean something else to SQLite (`:memory:`, `file:…`) can
  /// be meant.
  init(path: String) throws(SQLiteError) {
    _ = Self.countsNoMemory
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      // Even an open that fails leaves a handle.
      sqlite3_close(handle)
      throw SQLiteError(code: code == SQLITE_OK ? SQLITE_NOMEM : code)
    }
    database = handle
    logged = .allocate(capacity: 1)
    logged.initialize(to: 0)
    sqlite3_busy_timeout(database, Self.patience)
    // It takes the place of SQLite's own automatic checkpoints.
    sqlite3_wal_hook(
      database,
      { (context, _, _, pages) in
        context?.storeBytes(of: pages, as: Int32.self)
        return SQLITE_OK
      }, logged)
  }

  deinit {
    close()
    logged.deallocate()
  }

  /// Lets go of the file.
  ///
  /// The last connection to close brings the write-ahead log into the file and removes it, unless `leavingLog`.
  func close(leavingLog: Bool = false) {
    guard isOpen else { return }
    isOpen = false
    statements = [:]
    if leavingLog { _ = csqlite_keep_wal_on_close(database) }
    // It fails only while statements are there.
    sqlite3_close(database)
  }

  // MARK: Running

  /// Runs a statement that is prepared once and kept.
  func run(_ query: Query, _ values: SQLValue...) throws(SQLiteError) {
    try statement(query).run(values) { _ in true }
  }

  /// Runs a statement and shows every row to `row`, until that says false.
  func rows(
    _ query: Query, _ values: SQLValue..., row: (borrowing Row) throws(SQLiteError) -> Bool
  ) throws(SQLiteError) {
    try statement(query).run(values, row)
  }

  /// What `value` makes of the first row; nil where there is none.
  func first<Value>(
    _ query: Query, _ values: SQLValue..., value: (borrowing Row) throws(SQLiteError) -> Value
  ) throws(SQLiteError) -> Value? {
    var found: Value?
    try statement(query).run(values) { row throws(SQLiteError) in
      found = try value(row)
      return false
    }
    return found
  }

  /// Runs statements that are not worth keeping.
  func execute(_ sql: String) throws(SQLiteError) {
    let code = sqlite3_exec(database, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(code: code) }
  }

  /// The first column of the first row of a statement that is not worth keeping, as text; nil without a row.
  func text(_ sql: String) throws(SQLiteError) -> String? {
    var text: String?
    try Statement(sql, on: database).run([]) { row throws(SQLiteError) in
      text = try row.bytes(0).string
      return false
    }
    return text
  }

  /// The same as a number; 0 without a row.
  func number(_ sql: String) throws(SQLiteError) -> Int {
    var number = 0
    try Statement(sql, on: database).run([]) { row in
      number = row.integer(0)
      return false
    }
    return number
  }

  /// Finds out whether everything that statements need is there.
  func prepare() throws(SQLiteError) {
    for query in Query.allCases { _ = try statement(query) }
  }

  private func statement(_ query: Query) throws(SQLiteError) -> Statement {
    if let statement = statements[query] { return statement }
    let statement = try Statement(query.rawValue, on: database)
    statements[query] = statement
    return statement
  }

  // MARK: State

  /// Rows that the last statement wrote or removed.
  var changedRows: Int { Int(sqlite3_changes64(database)) }

  /// Rows that were ever written or removed.
  var writtenRows: Int { Int(sqlite3_total_changes64(database)) }

  /// Whether a transaction is open; SQLite ends it by itself after some failures.
  var isInTransaction: Bool { sqlite3_get_autocommit(database) == 0 }

  /// Whether the file can be read only.
  var isReadOnly: Bool { sqlite3_db_readonly(database, "main") != 0 }

  /// Whether the path does not lead to this file any more.
  var hasMoved: Bool {
    var moved: Int32 = 0
    return sqlite3_file_control(database, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0
  }

  /// Pages in the write-ahead log after the last commit of this connection; 0 before the first.
  var loggedPages: Int { Int(logged.pointee) }

  /// Brings the write-ahead log into the file.
  ///
  /// Waits for nobody: what a reader still needs stays. A log whose every page is in the file, and that nobody reads,
  /// begins anew with the next commit.
  func checkpoint() throws(SQLiteError) {
    let code = sqlite3_wal_checkpoint_v2(database, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
    guard code == SQLITE_OK else { throw SQLiteError(code: code) }
  }

  /// Copies the whole database into another, `pages` at a time, from one moment's state.
  func copy(
    to target: Connection, pages: Int32, progress: (_ done: Int, _ total: Int) -> Void
  ) throws(SQLiteError) {
    guard let backup = sqlite3_backup_init(target.database, "main", database, "main") else {
      throw SQLiteError(code: sqlite3_extended_errcode(target.database))
    }
    var code = SQLITE_OK
    while code == SQLITE_OK {
      code = sqlite3_backup_step(backup, pages)
      let total = Int(sqlite3_backup_pagecount(backup))
      progress(total - Int(sqlite3_backup_remaining(backup)), total)
    }
    let end = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, end == SQLITE_OK else {
      throw SQLiteError(code: end == SQLITE_OK ? code : end)
    }
  }
}

import CSQLite

/// How surely SQLite has written when it says so (`PRAGMA synchronous`).
public enum Synchronous: String, Sendable, CaseIterable {
  /// Every commit is on the disk: nothing is lost when the power fails.
  case full
  /// The end of the process loses nothing; a power failure may lose the newest commits, never their order.
  case normal
  /// As `normal`, and a power failure may damage the file.
  case off
}

/// A store's file: finds out what it is, makes it, opens it.
struct StoreFile {
  let path: StorePath
  let synchronous: Synchronous

  /// Files up to this size are checked wholly when a server starts, which takes a fraction of a second.
  ///
  /// Of larger ones the rest shows when it is read, or in a backup.
  static let checkedBytes = 64 << 20
  /// Bytes of the smallest database: one page, of the smallest size.
  private static let smallest = 512

  // MARK: Opening

  /// Opens the file for the server that holds its lock; makes or migrates it first where that is due.
  ///
  /// A file that is refused stays as it was.
  func openForServing() throws(StoreFileFailure) -> Connection {
    let size = try path.size() ?? 0
    let hasLog = path.logSize > 0
    // SQLite takes a file of one byte for a new one.
    if 0 < size, size < Self.smallest { throw failure(.foreign, "is no SQLite database") }
    // SQLite writes the first page before there is a log, and would take this for a new database.
    if size == 0, hasLog { throw failure(.damaged, "is empty but has a write-ahead log: it was cut off") }
    if try path.size() == nil { try path.make() }
    return try open(leavingLog: hasLog) { connection throws(StoreFileFailure) in
      let version: Int? =
        switch try kind(of: connection) {
        case .fresh: 0
        case .older(let version): version
        default: nil
        }
      if version != 0 {
        // The pages that are used may all be there; SQLite does not mind.
        let pageSize = try sqlite { () throws(SQLiteError) in try connection.number("PRAGMA page_size") }
        if !hasLog, pageSize > 0, size % pageSize != 0 { throw failure(.damaged, "is cut off within a page") }
        if size <= Self.checkedBytes { try check(connection) }
      }
      guard
        try sqlite({ () throws(SQLiteError) in try connection.text("PRAGMA journal_mode = WAL") }) == "wal"
      else { throw failure(.unwritable, "lies on a file system without shared memory, which SQLite needs") }
      try sqlite { () throws(SQLiteError) in
        try configure(connection)
        if let version { try Schema.migrate(connection, from: version) }
      }
      try checkTables(connection)
    }
  }

  /// Opens a file that is known to be in order once more: for reading, or after an I/O error.
  func openAgain(readingOnly: Bool) throws(SQLiteError) -> Connection {
    let connection = try Connection(path: path.file)
    // Somebody may have put another one in its place.
    guard try Schema.kind(of: connection) == .current else { throw .incomplete }
    try configure(connection)
    if readingOnly { try connection.execute("PRAGMA query_only = ON") }
    return connection
  }

  /// Opens a file for reading, whether or not a server has it; nothing in it is changed.
  func openBeside() throws(StoreFileFailure) -> Connection {
    guard try path.size() ?? 0 > 0 else { throw failure(.path, "is not there, or empty") }
    try path.refuseOtherNames()
    return try open(leavingLog: path.logSize > 0) { connection throws(StoreFileFailure) in
      switch try kind(of: connection) {
      case .current: break
      case .older(let version):
        throw failure(.newer, "has the older schema \(version): a server must open it once")
      default: throw failure(.foreign, "is empty")
      }
      try sqlite { () throws(SQLiteError) in
        try configure(connection)
        try connection.execute("PRAGMA query_only = ON")
      }
      try checkTables(connection)
    }
  }

  /// Opens the file and prepares it; where that fails, it and its log stay as they were.
  private func open(
    leavingLog: Bool, _ prepare: (Connection) throws(StoreFileFailure) -> Void
  ) throws(StoreFileFailure) -> Connection {
    let connection = try sqlite { () throws(SQLiteError) in try Connection(path: path.file) }
    do {
      try prepare(connection)
      return connection
    } catch {
      connection.close(leavingLog: leavingLog)
      throw error
    }
  }

  // MARK: Looking at it

  /// What the file is; refused where it is nothing that this program may touch.
  private func kind(of connection: Connection) throws(StoreFileFailure) -> Schema.Kind {
    // SQLite falls back to reading where it may not write, and says so only here.
    if connection.isReadOnly { throw failure(.unwritable, "can only be read") }
    let kind = try sqlite { () throws(SQLiteError) in try Schema.kind(of: connection) }
    switch kind {
    case .foreign: throw failure(.foreign, "is a database of another program")
    case .newer(let version):
      throw failure(
        .newer, "was written by a newer version (schema \(version); this one knows up to \(Schema.version))")
    case .fresh, .older, .current: return kind
    }
  }

  /// Looks for damage in all pages: O(size).
  func check(_ connection: Connection) throws(StoreFileFailure) {
    let problem = try sqlite { () throws(SQLiteError) in try connection.text("PRAGMA quick_check(1)") }
    guard let problem, problem != "ok" else { return }
    let line = problem.split(whereSeparator: \.isNewline).last.map(String.init) ?? problem
    throw failure(.damaged, "is damaged (\(line))")
  }

  /// Looks whether all tables are there, as the schema's number says.
  private func checkTables(_ connection: Connection) throws(StoreFileFailure) {
    do {
      try connection.prepare()
    } catch {
      guard error.kind == SQLITE_ERROR else { throw StoreFileFailure(path: path.given, error) }
      throw failure(.damaged, "is damaged (tables of schema \(Schema.version) are missing, or others)")
    }
  }

  /// What holds for a connection, not for the file.
  private func configure(_ connection: Connection) throws(SQLiteError) {
    try connection.execute(
      """
      PRAGMA synchronous = \(synchronous.rawValue);
      PRAGMA cache_size = -2048;
      PRAGMA mmap_size = 0;
      PRAGMA journal_size_limit = 8388608;
      PRAGMA temp_store = MEMORY;
      PRAGMA secure_delete = OFF;
      PRAGMA cell_size_check = ON;
      PRAGMA trusted_schema = OFF
      """)
  }

  // MARK: Failures

  private func failure(_ code: StoreFileFailure.Code, _ problem: String) -> StoreFileFailure {
    StoreFileFailure(code, path: path.given, problem)
  }

  private func sqlite<Value>(_ body: () throws(SQLiteError) -> Value) throws(StoreFileFailure) -> Value {
    do {
      return try body()
    } catch {
      throw StoreFileFailure(path: path.given, error)
    }
  }
}

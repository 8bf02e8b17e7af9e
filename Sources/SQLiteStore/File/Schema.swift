/// The tables, and how older ones become them.
///
/// - `store`: one row: the highest sequence that was ever given.
/// - `looks`: what sessions of one table look like, each look once: `uses` sessions have it.
/// - `sessions`: a small row for each; `sequence` is the order of their creation.
/// - `changes`: append-only, in the order in which they came: those of a transaction share their pages, and every page
///   is filled. (Kept by session, each would have a page of its own to write, and every third would split it.)
/// - `snapshots`: one list as a whole for each session.
/// - `records`, `tombstones`: with the time, in milliseconds since 1970, after which they are nothing.
enum Schema {
  /// `PRAGMA application_id`, the letters RCST, which tells a store from other databases.
  static let applicationID = 0x5243_5354

  /// `PRAGMA user_version`.
  static let version = steps.count

  /// `steps[n]` makes version n + 1 out of version n.
  ///
  /// Steps that were once released stay as they are, for ever.
  static let steps = [
    """
    CREATE TABLE store (
      last_sequence INTEGER NOT NULL,
      probes INTEGER NOT NULL
    ) STRICT;
    INSERT INTO store VALUES (0, 0);
    CREATE TABLE looks (
      number INTEGER PRIMARY KEY,
      hash INTEGER NOT NULL,
      uses INTEGER NOT NULL,
      table_name BLOB NOT NULL,
      look BLOB NOT NULL
    ) STRICT;
    CREATE INDEX looks_by_hash ON looks (hash);
    CREATE TABLE sessions (
      sequence INTEGER PRIMARY KEY,
      id BLOB NOT NULL UNIQUE,
      look INTEGER NOT NULL REFERENCES looks,
      created INTEGER NOT NULL,
      first_revision INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      state BLOB NOT NULL,
      item_count INTEGER NOT NULL,
      touched INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE changes (
      number INTEGER PRIMARY KEY,
      session INTEGER NOT NULL REFERENCES sessions,
      revision INTEGER NOT NULL,
      text BLOB NOT NULL,
      delta BLOB NOT NULL,
      UNIQUE (session, revision)
    ) STRICT;
    CREATE TABLE snapshots (
      session INTEGER PRIMARY KEY REFERENCES sessions,
      revision INTEGER NOT NULL,
      text BLOB NOT NULL
    ) STRICT;
    CREATE TABLE records (
      scope BLOB NOT NULL,
      key BLOB NOT NULL,
      fingerprint BLOB NOT NULL,
      answer BLOB NOT NULL,
      expires INTEGER NOT NULL,
      PRIMARY KEY (scope, key)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX records_by_expiry ON records (expires);
    CREATE TABLE tombstones (
      session BLOB PRIMARY KEY NOT NULL,
      revision INTEGER NOT NULL,
      until INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX tombstones_by_end ON tombstones (until);
    """
  ]

  /// What a file is, by its marks and tables alone.
  enum Kind: Equatable {
    case fresh, older(Int), current, newer(Int), foreign
  }

  static func kind(of connection: Connection) throws(SQLiteError) -> Kind {
    let application = try connection.number("PRAGMA application_id")
    let version = try connection.number("PRAGMA user_version")
    let tables = try connection.number("SELECT count(*) FROM sqlite_schema")
    switch (application, version) {
    case (0, 0) where tables == 0: return .fresh
    case (applicationID, Self.version): return .current
    case (applicationID, 1..<Self.version): return .older(version)
    case (applicationID, (Self.version + 1)...): return .newer(version)
    default: return .foreign
    }
  }

  /// Brings a file from `version` (0: it is fresh) to the present one, in one transaction: wholly or not at all.
  static func migrate(_ connection: Connection, from version: Int) throws(SQLiteError) {
    try connection.execute("BEGIN IMMEDIATE")
    do {
      for step in steps.dropFirst(version) { try connection.execute(step) }
      try connection.execute(
        "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(Self.version)")
      try connection.execute("COMMIT")
    } catch {
      // The failure that led here is the one to tell; this one leaves nothing that closing does not undo.
      try? connection.execute("ROLLBACK")
      throw error
    }
  }
}

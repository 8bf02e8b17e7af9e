/// Every statement that runs often.
///
/// `?1`, `?2`… are the values in the order in which they are given.
enum Query: String, CaseIterable {
  // MARK: Transactions

  case begin = "BEGIN"
  case beginImmediate = "BEGIN IMMEDIATE"
  case commit = "COMMIT"
  case rollback = "ROLLBACK"
  case openCall = "SAVEPOINT call"
  case keepCall = "RELEASE call"
  case dropCall = "ROLLBACK TO call"
  /// Changes something, so that a commit has something to write.
  case probe = "UPDATE store SET probes = probes + 1"

  // MARK: Looks, each kept once for all sessions that have it

  case findLook = "SELECT number FROM looks WHERE hash = ?1 AND table_name = ?2 AND look = ?3"
  case addLook = "INSERT INTO looks (hash, table_name, look, uses) VALUES (?1, ?2, ?3, 0) RETURNING number"
  case useLook = "UPDATE looks SET uses = uses + 1 WHERE number = ?1"
  case leaveLook = "UPDATE looks SET uses = uses - 1 WHERE number = ?1"
  case dropLook = "DELETE FROM looks WHERE number = ?1 AND uses <= 0"
  case countSessions = "SELECT total(uses) FROM looks"

  // MARK: Sessions

  case findSession = "SELECT sequence, revision, look FROM sessions WHERE id = ?1"
  case sessionAtSequence = "SELECT 1 FROM sessions WHERE sequence = ?1"
  case addSession = """
    INSERT INTO sessions (sequence, id, look, created, first_revision, revision, state, item_count, touched)
    VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
    """
  case setState = """
    UPDATE sessions SET revision = ?2, state = ?3, item_count = ?4, touched = ?5 WHERE id = ?1
    """
  case touch = "UPDATE sessions SET touched = ?2 WHERE id = ?1"
  case dropSession = "DELETE FROM sessions WHERE sequence = ?1"
  case noteSequence = "UPDATE store SET last_sequence = ?1 WHERE last_sequence < ?1"
  case lastSequence = "SELECT last_sequence FROM store"
  case readSession = """
    SELECT s.id, s.sequence, l.table_name, l.look, s.created, s.first_revision,
      s.revision, s.state, s.item_count, s.touched
    FROM sessions s JOIN looks l ON l.number = s.look WHERE s.id = ?1
    """
  case listSessions = """
    SELECT s.id, s.sequence, l.table_name, l.look, s.created, s.first_revision,
      s.revision, s.state, s.item_count, s.touched
    FROM sessions s JOIN looks l ON l.number = s.look WHERE s.sequence > ?1 ORDER BY s.sequence LIMIT ?2
    """
  case unusedSessions = """
    SELECT s.id, l.table_name, s.touched
    FROM sessions s JOIN looks l ON l.number = s.look WHERE s.touched < ?1 ORDER BY s.sequence
    """

  // MARK: Changes and snapshots

  /// Compare-and-append: adds nothing where the session is not at the revision before.
  case appendChange = """
    INSERT INTO changes (session, revision, text, delta)
    SELECT sequence, ?2, ?3, ?4 FROM sessions WHERE id = ?1 AND revision = ?2 - 1
    """
  case addChange = "INSERT INTO changes (session, revision, text, delta) VALUES (?1, ?2, ?3, ?4)"
  case dropChanges = "DELETE FROM changes WHERE session = ?1 AND revision <= ?2"
  case readChanges = "SELECT revision, text, delta FROM changes WHERE session = ?1 ORDER BY revision"
  case setSnapshot = "INSERT OR REPLACE INTO snapshots (session, revision, text) VALUES (?1, ?2, ?3)"
  case dropSnapshot = "DELETE FROM snapshots WHERE session = ?1"
  case snapshotRevision = "SELECT revision FROM snapshots WHERE session = ?1"
  case readSnapshot = "SELECT revision, text FROM snapshots WHERE session = ?1"

  // MARK: Tombstones and records

  case setTombstone = "INSERT OR REPLACE INTO tombstones (session, revision, until) VALUES (?1, ?2, ?3)"
  case dropTombstone = "DELETE FROM tombstones WHERE session = ?1"
  case readTombstone = "SELECT revision, until FROM tombstones WHERE session = ?1"
  case forgetTombstones = """
    DELETE FROM tombstones WHERE session IN (SELECT session FROM tombstones WHERE until <= ?1 LIMIT ?2)
    """
  case setRecord = """
    INSERT OR REPLACE INTO records (scope, key, fingerprint, answer, expires) VALUES (?1, ?2, ?3, ?4, ?5)
    """
  case dropRecords = "DELETE FROM records WHERE scope = ?1"
  case readRecord = """
    SELECT fingerprint, answer, expires FROM records WHERE scope = ?1 AND key = ?2 AND expires > ?3
    """
  case forgetRecords = """
    DELETE FROM records WHERE (scope, key) IN (SELECT scope, key FROM records WHERE expires <= ?1 LIMIT ?2)
    """
}

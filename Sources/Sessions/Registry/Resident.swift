import JSONText

/// A session in memory, in either of its forms.
enum Resident {
  case awake(Session)
  case packed(PackedSession)

  var sequence: Int {
    switch self {
    case .awake(let session): session.sequence
    case .packed(let packed): packed.sequence
    }
  }

  /// The table as the configuration has it now.
  var slot: TableSlot {
    switch self {
    case .awake(let session): session.slot
    case .packed(let packed): packed.slot
    }
  }

  /// When it was last used, in milliseconds since 1970; nil while an open stream or a waiting caller uses it.
  var lastUse: Int? {
    switch self {
    case .awake(let session): session.lastUse
    case .packed(let packed): packed.state.touched
    }
  }

  /// About how many bytes of memory it takes, and when it was used last.
  var residence: (bytes: Int, touched: Int) {
    switch self {
    case .awake(let session): session.residence
    case .packed(let packed): (packed.bytes, packed.state.touched)
    }
  }

  /// Whether nobody has used it since `time`, in milliseconds since 1970, and the store knows of its last use, or may
  /// be told of it again.
  func hasSettled(since time: Int, now: Int) -> Bool {
    switch self {
    case .awake(let session): session.hasSettled(since: time, now: now)
    case .packed(let packed): packed.state.touched < time && packed.hasSettled(now: now)
    }
  }

  /// What the list of sessions says of it; nil where it has ended.
  var summary: SessionSummary? {
    switch self {
    case .awake(let session):
      guard let (version, _, touched) = session.peek() else { return nil }
      return SessionSummary(
        id: session.id, table: session.table, revision: version.revision, state: version.state,
        itemCount: version.itemCount, created: session.created, touched: touched)
    case .packed(let packed):
      return SessionSummary(
        id: packed.id, table: packed.table, revision: packed.state.revision, state: packed.state.state,
        itemCount: packed.state.itemCount, created: packed.created, touched: packed.state.touched)
    }
  }
}

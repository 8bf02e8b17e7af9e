import JSONText
import ListModel

/// A session that nothing hangs on, made small: its list and its log are one packed text.
///
/// It stands for the session until somebody uses it; `Session` is made of it again.
final class PackedSession: Sendable {
  /// The session's id.
  let id: Bytes
  /// Its table's name.
  let table: Bytes
  let rules: ListRules
  /// The table as the configuration has it now.
  let slot: TableSlot
  /// Its place among all sessions in the order of creation.
  let sequence: Int
  /// When it was made, in milliseconds since 1970.
  let created: Int
  /// What the list of sessions tells of it.
  let state: StoredState
  /// What the store holds of it; nil without a store.
  let ledger: Durability.Ledger?
  /// Answers that were promised and that no store has.
  private let records: IdempotencyRecords<SessionCore.Kept>
  private let text: [UInt8]

  /// Nil where it cannot be packed now; O(size of the list and its log).
  init?(_ session: Session, _ draft: SessionCore.Draft, _ packing: Packing) {
    guard let text = draft.packedText ?? packing.pack(draft.text()) else { return nil }
    self.text = text
    // What is kept of the session lies together, so that all memory around it is free.
    id = session.id.copied()
    table = session.table
    rules = session.rules
    slot = session.slot
    sequence = session.sequence
    created = session.created
    let version = draft.list.version
    state = StoredState(
      revision: version.revision, state: version.state.copied(), itemCount: version.itemCount,
      touched: draft.touched)
    ledger = draft.ledger
    records = draft.records
  }

  /// The session as it was; O(size of the list and its log).
  func session(_ house: SessionHouse) throws(DamagedText) -> Session {
    guard let unpacked = house.packing?.unpack(text) else { throw DamagedText(what: "a packed text") }
    // Rows and changes share what was unpacked.
    var rest = Bytes(unpacked)
    let list = try ListState(saved: try rest.takeCounted(), rules: rules)
    var changes: [Change] = []
    while !rest.isEmpty {
      guard let change = Change(stored: try rest.takeCounted()) else {
        throw DamagedText(what: "a change")
      }
      changes.append(change)
    }
    var durability: Durability?
    if let keeping = house.keeping, let ledger {
      durability = Durability(coding: keeping.coding, list: list, ledger: ledger)
    }
    let session = Session(
      Session.Origin(
        id: id, table: table, sequence: sequence, created: created, touched: state.touched, list: list,
        changes: changes, durability: durability),
      house: house)
    session.core.withLock { core in
      core.records = records
      core.hasAllRecords = ledger == nil
      core.packedText = text
    }
    return session
  }

  /// About how many bytes of memory it takes.
  var bytes: Int { Self.fixedBytes + text.count + records.count * SessionCore.recordBytes }

  /// What one takes beside its text, its places in the registry among it.
  private static let fixedBytes = 400

  /// Whether the store knows of the last use, or may be told of it again.
  func hasSettled(now: Int) -> Bool { ledger?.hasSettled(state.touched, now: now) == true }

  /// Whether the store is to be told of the last use.
  var owesTouch: Bool { ledger?.owesTouch(state.touched) == true }

  /// What is to be written before the store alone has the session.
  var leavings: [StoreWrite] { ledger?.leavings(of: id, state.touched) ?? [] }
}

extension SessionCore.Draft {
  /// List and log, one behind the other.
  fileprivate func text() -> [UInt8] {
    let saved = list.saved()
    var texts = TextBuffer(capacity: saved.count + changes.reduce(8) { $0 + $1.text.count + 4 })
    texts.append(counted: saved)
    for change in changes { texts.append(counted: change.text) }
    return texts.array()
  }
}

extension TextBuffer {
  /// Appends a text behind its size: four bytes, the lowest first.
  fileprivate mutating func append(counted text: Bytes) {
    let size = UInt32(text.count)
    for shift in stride(from: 0, to: 32, by: 8) { append(UInt8(truncatingIfNeeded: size >> shift)) }
    append(text)
  }
}

extension Bytes {
  /// Takes what `append(counted:)` has written off the front.
  fileprivate mutating func takeCounted() throws(DamagedText) -> Bytes {
    guard count >= 4 else { throw DamagedText(what: "a size") }
    let size = (0..<4).reduce(0) { $0 | Int(self[$1]) << (8 * $1) }
    guard size <= count - 4 else { throw DamagedText(what: "a text of its size") }
    defer { self = self[(4 + size)..<count] }
    return self[4..<(4 + size)]
  }
}

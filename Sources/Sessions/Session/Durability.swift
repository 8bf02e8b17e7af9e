import JSONText
import ListModel

/// The way of a session's decisions into the store: one submission at a time, and behind it those that were decided
/// meanwhile.
///
/// The head is the list that commands build on; `committed` is what the store is known to have. Between them lie the
/// decisions that are `submitted` or `staged`. A failure takes the head back to `committed`.
struct Durability {
  /// A decision and what is to be written for it.
  struct Staged {
    var decision: Decision
    var writes: [StoreWrite]
  }

  /// A list to go back to, with the mark of the fetch in flight in it.
  struct Point {
    var list: ListCheckpoint
    var fetchTag: Bytes?
  }

  /// A command that waits until it is known what the store has.
  struct Held {
    let command: @Sendable (inout SessionCore) -> [SessionAction]
    let refuse: @Sendable (FailedAnswer) -> Void
  }

  let coding: StoreCoding
  /// Decided since the last submission.
  var staged: [Staged] = []
  /// With the store now.
  var submitted: [Staged] = []
  var committed: Point
  /// The head as it was submitted; nil while nothing is.
  private var submittedPoint: Point?
  /// The memo that the store has, or is about to have, of the head.
  var memo: Bytes
  /// Fetch ends that could not be stored, or that came for a fetch which only the committed list has in flight.
  var ends: [FetchEnd] = []
  /// Whether the ends are to be tried again in a second.
  var isRetrying = false
  /// Whether the end of the session is decided.
  var isEnding = false
  /// Whether it is not known what the store has: it is read before anything else is decided.
  var isLost = false
  /// What waits for that; nil while nobody reads.
  var held: [Held]?
  var ledger: Ledger

  /// What the store is known to hold of the session, beside the list.
  struct Ledger: Equatable {
    /// The revision of the last snapshot, its size, and that of all changes since.
    var snapshotRevision: Int
    var snapshotBytes: Int
    var deltaBytes = 0
    /// Whether a snapshot may have failed.
    var owesSnapshot = false
    /// Changes up to this revision are not there any more.
    var trimmed: Int
    /// When the session was used last, as far as was told: milliseconds since 1970.
    var touched: Int

    /// Whether a snapshot is due: the changes since the last outweigh it.
    var isSnapshotDue: Bool { owesSnapshot || deltaBytes > max(snapshotBytes, Self.leastDeltas) }

    /// Bytes of changes that are worth a snapshot however small the list is.
    private static let leastDeltas = 64 << 10

    /// Whether the store is to be told of a use, having been told of none for a minute.
    func owesTouch(_ time: Int) -> Bool { abs(time - touched) >= Self.touchInterval }

    /// Whether the store knows of the last use, or may be told of it again.
    func hasSettled(_ time: Int, now: Int) -> Bool { time == touched || time < now - Self.touchInterval }

    /// What is to be written before the store alone has the session, which was used last at `time`.
    func leavings(of session: Bytes, _ time: Int) -> [StoreWrite] {
      time == touched ? [] : [.touch(session: session, time: time)]
    }

    /// Milliseconds between two moments of use that are stored.
    private static let touchInterval = 60_000
  }

  /// The state of a session whose list is in the store as `list` is.
  init(coding: StoreCoding, list: ListState, ledger: Ledger) {
    self.coding = coding
    committed = Point(list: ListCheckpoint(list), fetchTag: nil)
    memo = list.memo
    self.ledger = ledger
  }

  /// Whether something is decided that the store does not have yet.
  var isBusy: Bool { !staged.isEmpty || !submitted.isEmpty || isLost || !ends.isEmpty }

  // What happens at every command happens in place: a copy of all this costs more than the command.

  /// Takes what is to be submitted; nil where there is nothing, or the store has something of this session already.
  mutating func takeStaged() -> [Staged]? {
    guard submitted.isEmpty, !staged.isEmpty, !isLost else { return nil }
    defer { staged = [] }
    return staged
  }

  /// Notes what the store is given, and the head that it leads to.
  mutating func submit(_ staged: [Staged], _ point: Point) {
    submitted = staged
    submittedPoint = point
  }

  /// Takes what was submitted, which the store now has.
  mutating func commit() -> [Staged] {
    if let point = submittedPoint.take() { committed = point }
    defer { submitted = [] }
    return submitted
  }

  /// Takes all that the store does not have, and will not have.
  mutating func abandon() -> [Staged] {
    defer { (submitted, staged, submittedPoint) = ([], [], nil) }
    return submitted + staged
  }

  /// Takes what came for a fetch, where it can be decided on now; nil where nothing came, or it cannot.
  mutating func takeEnds() -> [FetchEnd]? {
    guard !ends.isEmpty, !isRetrying, submitted.isEmpty, !isLost else { return nil }
    defer { ends = [] }
    return ends
  }

  /// The fetch in flight has read on in the list that goes on.
  mutating func follow(_ list: ListState) {
    committed.list.follow(list)
    submittedPoint?.list.follow(list)
    memo = list.memo
  }

  /// Forgotten changes that are worth a write.
  static let leastTrim = 64
}

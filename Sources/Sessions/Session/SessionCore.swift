import JSONText
import ListModel

/// The machine of one session: the list, its log, who waits, and what was promised under idempotency keys.
///
/// It knows no clock, timer, source or store: time is an argument, and what is to be done comes back as
/// `SessionAction`s, which `Session` carries out when it has let go of its lock. What clients are told is what is
/// durable: `durability` holds back what is not yet.
struct SessionCore {
  typealias Form = Decision.Form
  typealias KeptKey = Decision.KeptKey

  /// Someone who waits for a fetch to end.
  struct Waiter {
    let number: Int
    let generation: Int
    /// The revision of the change that started the fetch.
    let startRevision: Int?
    /// The revision at which it was joined.
    let joined: Int
    let form: Form
    let idempotency: KeptKey?
    let reply: Reply
  }

  let id: Bytes
  /// The list that commands build on.
  var list: ListState {
    didSet { packedText = nil }
  }
  /// The changes that were told.
  private(set) var log: ChangeLog {
    didSet { packedText = nil }
  }
  /// What the session was packed as, while list and log are as they were then: packing it again costs nothing.
  var packedText: [UInt8]?
  var hasEnded = false
  /// Whether this has been put out of memory: another object stands for the session now.
  var isEvicted = false
  /// When the session was last used, in milliseconds since 1970.
  var touched: Int
  private let identity: Bytes
  var waiters: [Waiter] = []
  var pollers: [Poller] = []
  var subscribers = Subscribers()
  private let encoding: FeedEncoding
  private var nextNumber = 0
  /// Whether the server is going down: nobody waits any more.
  var isDraining = false
  var records = IdempotencyRecords<Kept>()
  /// Whether all keys are at hand; else the store may know of more.
  var hasAllRecords = true
  /// Keys of which the store knows nothing, each until its request comes.
  var asked: Set<Bytes> = []
  /// How many are about to use the session: it was made ready for them, or the store is being asked for their keys.
  var holders = 0
  /// What was told last; nil without a store where nobody has asked since the last command.
  private var present: Snapshot?
  var copies = Copies()
  /// The mark of the command that started the fetch in flight: its end carries it too.
  var fetchTag: Bytes?
  /// The time limit of what a client is to give, and the timer's number.
  var deadline: (generation: Int, number: Int)?
  /// Nil without a store: everything is told at once.
  var durability: Durability?
  /// Whether there is a store: what every command asks first.
  let isKept: Bool

  /// Texts of the present revision that are kept for those who ask again.
  struct Copies {
    /// The full document, and how often it was asked for.
    var document: [UInt8]?
    var documentReads = 0
    /// What streams begin with that have nothing yet.
    var frame: [UInt8]?
    /// What streams began with that were the last to resume.
    var resumption: Resumption?

    /// Bytes that they take.
    var bytes: Int { (document?.count ?? 0) + (frame?.count ?? 0) + (resumption?.frames.count ?? 0) }
  }

  /// The frames of all changes after a revision.
  struct Resumption {
    let since: Int
    let format: FeedEncoding.Format
    let frames: [UInt8]
  }

  init(
    id: Bytes, list: ListState, log: ChangeLog, identity: Bytes, encoding: FeedEncoding, now: Int,
    durability: Durability? = nil
  ) {
    self.id = id
    self.encoding = encoding
    self.list = list
    self.log = log
    self.identity = identity
    self.durability = durability
    isKept = durability != nil
    touched = now
    if durability != nil { present = Snapshot(version: list.version, identity: identity) }
  }

  // MARK: Reading

  /// The list as clients know it.
  mutating func snapshot() -> Snapshot {
    if let present { return present }
    let snapshot = Snapshot(version: list.version, identity: identity)
    present = snapshot
    return snapshot
  }

  /// The revision as clients know it.
  var revision: Int { present?.version.revision ?? list.revision }

  /// The parameters as clients know them.
  var params: Bytes { present?.version.params ?? list.params }

  /// The full document, where it is kept; else the one who asks makes it, and may give it to `keep`.
  ///
  /// O(1).
  mutating func fullDocument() -> [UInt8]? {
    copies.documentReads += 1
    return copies.document
  }

  /// Keeps the full document of a revision, where that is still the present one and was asked for twice.
  ///
  /// O(1).
  mutating func keep(document: [UInt8], of revision: Int) {
    if revision == self.revision, copies.documentReads > 1 { copies.document = document }
  }

  /// The frame that a stream begins with which has nothing yet; one for all at one revision.
  ///
  /// O(rows) for the first.
  mutating func snapshotFrame() -> [UInt8] {
    if let frame = copies.frame { return frame }
    let frame = encoding.snapshot(snapshot())
    copies.frame = frame
    return frame
  }

  /// The frames that a stream begins with that resumes after `since`; one copy for all who resume from
  /// the same revision, as they do when a network or a server comes back.
  ///
  /// O(bytes of the changes) for the first.
  mutating func resumptionFrames(
    _ changes: ArraySlice<Change>, after since: Int, _ format: FeedEncoding.Format
  ) -> [UInt8] {
    if let kept = copies.resumption, kept.since == since, kept.format == format { return kept.frames }
    let frames = changes.flatMap { encoding.change($0, format) }
    copies.resumption = Resumption(since: since, format: format, frames: frames)
    return frames
  }

  // MARK: Telling

  /// Tells a decision: to the log, to streams, to those who wait for changes and to those whom it answers.
  mutating func tell(_ decision: Decision) -> [SessionAction] {
    if let version = decision.version { present = Snapshot(version: version, identity: identity) }
    if let change = decision.change { publish(change) }
    if let reason = decision.end { return ended(reason) + decision.answers.map { told($0) } }
    var actions: [SessionAction] = []
    for answer in decision.answers { actions.append(told(answer)) }
    if decision.change != nil, !pollers.isEmpty { actions += answerPollers() }
    if let effect = decision.effect { actions.append(effect) }
    if let made = decision.made { actions.append(.call { made(nil) }) }
    return actions
  }

  /// Adds a change to the log, and sends it to all streams.
  mutating func publish(_ change: Change) {
    copies = Copies()
    log.append(change)
    subscribers.send(change, encoding)
  }

  private mutating func told(_ answer: Decision.Answer) -> SessionAction {
    switch answer {
    case .failure(let reply, let failure, let kept):
      return .reply(reply, keep(self.failure(failure), kept))
    case .command(let reply, let isAccepted, let changes, let form, let ids, let kept):
      return .reply(
        reply, self.answer(isAccepted: isAccepted, changes: changes, form, ids: ids, kept: kept))
    }
  }

  /// What is told no longer hangs on the head: a command need not copy what it edits.
  mutating func letGo() {
    if !isKept { present = nil }
  }

  // MARK: Ending

  /// Ends the session: whoever waits is told.
  mutating func ended(_ reason: EndReason) -> [SessionAction] {
    guard !hasEnded else { return [] }
    hasEnded = true
    subscribers.finish(reason, encoding)
    defer {
      waiters = []
      pollers = []
    }
    copies = Copies()
    return stopDeadline()
      + waiters.flatMap { [.stopTimer($0.number), .reply($0.reply, .failure(FailedAnswer(.ended)))] }
      + pollers.flatMap { [.stopTimer($0.number), .changes($0.reply, .failure(FailedAnswer(.ended)))] }
  }

  /// Tells all streams that the server is going down.
  mutating func finishStreams() {
    subscribers.finish(.draining, encoding)
  }

  // MARK: Waiting

  /// A number for someone who waits, by which their timer finds them.
  mutating func takeNumber() -> Int {
    nextNumber += 1
    return nextNumber
  }
}

/// What a session's machine wants done, in order, outside of its lock.
enum SessionAction {
  case reply(Reply, Result<CommandAnswer, FailedAnswer>)
  case changes(ChangeReply, Result<ChangePage, FailedAnswer>)
  /// Call `stopWaiting` with this number after so many seconds.
  case wait(Int, seconds: Double)
  case stopTimer(Int)
  /// Read the page at this place and hand it to `finish`.
  case read(generation: Int, Place)
  /// Fail the fetch when the source's time limit has passed, by a timer of this number.
  case awaitClient(Int, generation: Int)
  /// Give these to the store, and its answer to `committed`.
  case commit([StoreWrite])
  /// Read the session from the store, and hand it to `caughtUp`.
  case catchUp
  /// Call `retry` after a second.
  case retry
  case call(@Sendable () -> Void)
}

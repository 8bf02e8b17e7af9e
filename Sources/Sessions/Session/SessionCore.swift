import JSONText
import ListModel

/// The machine of one session: the list, its log, who waits, and what was promised under idempotency keys.
///
/// It knows no clock, timer or source: time is an argument, and what is to be done comes back as `SessionAction`s,
/// which `Session` carries out when it has let go of its lock.
struct SessionCore {
  /// Someone who waits for a fetch to end.
  struct Waiter {
    let number: Int
    let generation: Int
    /// The revision of the change that started the fetch.
    let startRevision: Int?
    let form: Form
    let idempotency: KeptKey?
    let reply: Reply
  }

  private(set) var list: ListState
  private(set) var log: ChangeLog
  private(set) var hasEnded = false
  /// When the session was last used, in milliseconds since 1970.
  var touched: Int
  private let identity: Bytes
  private var waiters: [Waiter] = []
  var pollers: [Poller] = []
  var subscribers = Subscribers()
  private let encoding: FeedEncoding
  private var nextNumber = 0
  /// Whether the server is going down: nobody waits any more.
  private(set) var isDraining = false
  var records = IdempotencyRecords<Kept>()
  private var present: Snapshot?
  private var copies = Copies()
  /// The mark of the command that started the fetch in flight: its end carries it too.
  private var fetchTag: Bytes?
  /// The time limit of what a client is to give, and the timer's number.
  private var deadline: (generation: Int, number: Int)?

  /// Texts of the present revision that are kept for those who ask again.
  private struct Copies {
    /// The full document, and how often it was asked for.
    var document: [UInt8]?
    var documentReads = 0
    /// What streams begin with that have nothing yet.
    var frame: [UInt8]?
    /// What streams began with that were the last to resume.
    var resumption: Resumption?
  }

  /// The frames of all changes after a revision.
  struct Resumption {
    let since: Int
    let format: FeedEncoding.Format
    let frames: [UInt8]
  }

  init(list: ListState, log: ChangeLog, identity: Bytes, encoding: FeedEncoding, now: Int) {
    self.encoding = encoding
    self.list = list
    self.log = log
    self.identity = identity
    touched = now
  }

  // MARK: Reading

  /// The list as it is.
  mutating func snapshot() -> Snapshot {
    if let present { return present }
    let snapshot = Snapshot(version: list.version, identity: identity)
    present = snapshot
    return snapshot
  }

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
    if revision == list.revision, copies.documentReads > 1 { copies.document = document }
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

  /// When the session was last used; nil while an open stream or a waiting caller uses it.
  var unusedSince: Int? {
    subscribers.count == 0 && waiters.isEmpty && pollers.isEmpty ? touched : nil
  }

  /// Lets go of what is only kept to be given again, and of what was promised for a time that is over.
  mutating func rest(now: Int) {
    copies = Copies()
    records.forget(before: now)
  }

  // MARK: Commands

  mutating func perform(
    _ command: Result<Command, SessionFailure>, _ request: CommandRequest, in context: ListContext, now: Int,
    _ reply: @escaping Reply
  ) -> [SessionAction] {
    if hasEnded { return [.reply(reply, .failure(FailedAnswer(.ended)))] }
    touched = now
    var kept: KeptKey?
    if let idempotency = request.idempotency {
      switch records.find(idempotency.key, fingerprint: idempotency.fingerprint, now: now) {
      case .new:
        let expires = records.begin(idempotency.key, fingerprint: idempotency.fingerprint, now: now)
        kept = KeptKey(key: idempotency.key, expires: expires)
      case .inProgress: return [.reply(reply, failure(.idempotencyInProgress))]
      case .reused: return [.reply(reply, failure(.idempotencyKeyReused))]
      case .answered(let answer, let expires):
        return [.reply(reply, replay(answer, expires: expires, wantsSnapshot: request.wantsSnapshot))]
      }
    }
    if let condition = request.condition, !condition.allows(list.revision) {
      return [.reply(reply, keep(failure(.revisionMismatch), kept))]
    }
    switch command {
    case .failure(let failure):
      return [.reply(reply, keep(self.failure(failure), kept))]
    case .success(let command):
      return perform(command, request, kept, in: context, reply)
    }
  }

  private mutating func perform(
    _ command: Command, _ request: CommandRequest, _ kept: KeptKey?, in context: ListContext,
    _ reply: @escaping Reply
  ) -> [SessionAction] {
    present = nil  // or the command would have to copy what it edits
    let before = list.fetchInFlight?.generation
    let outcome: Outcome
    do {
      outcome = try list.perform(command, in: context)
    } catch {
      return [.reply(reply, keep(failure(.refused(error)), kept))]
    }
    let inFlight = list.fetchInFlight?.generation
    if inFlight != before { fetchTag = inFlight == nil ? nil : request.tag }
    let own = commit(outcome.change, tag: request.tag)
    var actions = stopDeadline()
    if let fetch = outcome.fetch, !context.isClient, request.waitSeconds > 0, !isDraining {
      let waiter = Waiter(
        number: takeNumber(), generation: fetch.generation, startRevision: fetch.startRevision,
        form: Form(request), idempotency: kept, reply: reply)
      waiters.append(waiter)
      actions.append(.wait(waiter.number, seconds: request.waitSeconds))
    } else {
      let isAccepted = outcome.fetch != nil
      let changes = own ?? (isAccepted ? outcome.fetch?.startRevision : nil)
      actions.append(
        .reply(
          reply,
          answer(
            isAccepted: isAccepted, changes: changes.map { [$0] } ?? [], Form(request), ids: outcome.ids,
            kept: kept)))
    }
    actions += answerWaiters()
    if outcome.change != nil { actions += answerPollers() }
    switch outcome.effect {
    case .read(let generation, let place): actions.append(.read(generation: generation, place))
    case .awaitClient(let generation):
      let number = takeNumber()
      deadline = (generation, number)
      actions.append(.awaitClient(number, generation: generation))
    case nil: break
    }
    return actions
  }

  // MARK: Fetches

  mutating func finish(
    generation: Int, with result: Result<Page, UpstreamFailure>, in context: ListContext, now: Int
  ) -> [SessionAction] {
    guard !hasEnded, generation == list.fetchInFlight?.generation else { return [] }
    present = nil
    let outcome = list.finish(generation: generation, with: result, in: context)
    if case .read(let generation, let place) = outcome.effect {
      return [.read(generation: generation, place)]
    }
    let end = commit(outcome.change, tag: fetchTag)
    fetchTag = nil
    if unusedSince == nil { touched = now }
    return stopDeadline() + answerWaiters(ended: generation, by: end) + answerPollers()
  }

  /// Gives up the time limit of a fetch that is not in flight any more.
  private mutating func stopDeadline() -> [SessionAction] {
    guard let deadline, hasEnded || deadline.generation != list.fetchInFlight?.generation else { return [] }
    self.deadline = nil
    return [.stopTimer(deadline.number)]
  }

  /// Whether the timer with this number is still needed.
  func awaits(_ number: Int) -> Bool {
    deadline?.number == number || waiters.last { $0.number == number } != nil
      || pollers.last { $0.number == number } != nil
  }

  /// Answers the waiter whose time has passed with what there is.
  mutating func stopWaiting(_ number: Int, now: Int) -> [SessionAction] {
    if unusedSince == nil { touched = now }
    if let index = waiters.firstIndex(where: { $0.number == number }) {
      return [accept(waiters.remove(at: index))]
    }
    guard let index = pollers.firstIndex(where: { $0.number == number }) else { return [] }
    let poller = pollers.remove(at: index)
    return [.changes(poller.reply, .success(page(after: poller.since)))]
  }

  /// Answers all who wait with what there is: the server is going down.
  mutating func drain() -> [SessionAction] {
    isDraining = true
    subscribers.finish(.draining, encoding)
    let all = waiters
    waiters = []
    return all.flatMap { [.stopTimer($0.number), accept($0)] } + answerPollers()
  }

  private mutating func accept(_ waiter: Waiter) -> SessionAction {
    .reply(
      waiter.reply,
      answer(
        isAccepted: true, changes: waiter.startRevision.map { [$0] } ?? [], waiter.form, ids: nil,
        kept: waiter.idempotency))
  }

  /// Answers who waited for the generation that has ended, and, once nothing is in flight, who was overtaken.
  private mutating func answerWaiters(ended generation: Int? = nil, by end: Int? = nil) -> [SessionAction] {
    guard !waiters.isEmpty else { return [] }
    let inFlight = list.fetchInFlight?.generation
    var actions: [SessionAction] = []
    var rest: [Waiter] = []
    for waiter in waiters {
      let isItsEnd = waiter.generation == generation
      guard isItsEnd || inFlight == nil else {
        rest.append(waiter)
        continue
      }
      let changes = [waiter.startRevision, isItsEnd ? end : nil].compactMap { $0 }
      actions.append(.stopTimer(waiter.number))
      actions.append(
        .reply(
          waiter.reply,
          answer(isAccepted: false, changes: changes, waiter.form, ids: nil, kept: waiter.idempotency)))
    }
    waiters = rest
    return actions
  }

  // MARK: Ending

  mutating func end(_ reason: EndReason) -> [SessionAction] {
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

  /// A number for someone who waits, by which their timer finds them.
  mutating func takeNumber() -> Int {
    nextNumber += 1
    return nextNumber
  }

  // MARK: Committing

  private mutating func commit(_ change: Change?, tag: Bytes?) -> Int? {
    guard let change else { return nil }
    copies = Copies()
    let told = tag.map(change.tagged) ?? change
    log.append(told)
    subscribers.send(told, encoding)
    return change.revision
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
}

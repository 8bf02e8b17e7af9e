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

  /// What an answer tells beside its own changes.
  struct Form: Sendable {
    let since: Int?
    let wantsSnapshot: Bool

    init(_ request: CommandRequest) {
      since = request.since
      wantsSnapshot = request.wantsSnapshot
    }
  }

  /// A key under which the answer is kept.
  struct KeptKey {
    let key: Bytes
    let expires: Int
  }

  /// What an answer was, so that it can be given again.
  enum Kept: Sendable {
    case answer(isAccepted: Bool, revision: Int, changes: [Int], since: Int?, ids: [Bytes]?)
    case failure(SessionFailure, revision: Int)
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
  private var records = IdempotencyRecords<Kept>()
  private var present: Snapshot?
  /// The full document at the present revision, kept from its second reading on.
  private var document: [UInt8]?
  private var documentReads = 0

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

  /// The full document, where it is at hand; it is from its second reading at one revision on. O(1), at that O(rows).
  mutating func fullDocument() -> [UInt8]? {
    if let document { return document }
    documentReads += 1
    guard documentReads > 1 else { return nil }
    let text = snapshot().document()
    document = text
    return text
  }

  /// Lets go of the document that is only kept to be read again.
  mutating func forgetDocument() {
    document = nil
    documentReads = 0
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
    if case .revisions(let revisions) = request.condition, !revisions.contains(list.revision) {
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
    let outcome: Outcome
    do {
      outcome = try list.perform(command, in: context)
    } catch {
      return [.reply(reply, keep(failure(.refused(error)), kept))]
    }
    let own = commit(outcome.change, tag: request.tag)
    var actions: [SessionAction] = []
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
            isAccepted: isAccepted, changes: changes.map { [$0] } ?? [], Form(request), ids: outcome.ids, kept: kept)))
    }
    actions += answerWaiters()
    if outcome.change != nil { actions += answerPollers() }
    if let effect = outcome.effect { actions.append(.effect(effect)) }
    return actions
  }

  // MARK: Fetches

  mutating func finish(
    generation: Int, with result: Result<Page, UpstreamFailure>, in context: ListContext
  ) -> [SessionAction] {
    if hasEnded { return [] }
    present = nil
    let outcome = list.finish(generation: generation, with: result, in: context)
    if let effect = outcome.effect { return [.effect(effect)] }
    let end = commit(outcome.change, tag: nil)
    return answerWaiters(ended: end == nil ? nil : generation, by: end) + (end == nil ? [] : answerPollers())
  }

  /// Answers the waiter whose time has passed with what there is.
  mutating func stopWaiting(_ number: Int) -> [SessionAction] {
    if let index = waiters.firstIndex(where: { $0.number == number }) { return [accept(waiters.remove(at: index))] }
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
    forgetDocument()
    return waiters.flatMap { [.stopTimer($0.number), .reply($0.reply, .failure(FailedAnswer(.ended)))] }
      + pollers.flatMap { [.stopTimer($0.number), .changes($0.reply, .failure(FailedAnswer(.ended)))] }
  }

  /// A number for someone who waits, by which their timer finds them.
  mutating func takeNumber() -> Int {
    nextNumber += 1
    return nextNumber
  }

  // MARK: Answers

  private mutating func commit(_ change: Change?, tag: Bytes?) -> Int? {
    guard let change else { return nil }
    forgetDocument()
    let told = tag.map(change.tagged) ?? change
    log.append(told)
    subscribers.send(told, encoding)
    return change.revision
  }

  private func failure(_ failure: SessionFailure) -> Result<CommandAnswer, FailedAnswer> {
    .failure(FailedAnswer(failure, revision: list.revision))
  }

  private mutating func keep(
    _ result: Result<CommandAnswer, FailedAnswer>, _ kept: KeptKey?
  ) -> Result<CommandAnswer, FailedAnswer> {
    guard let kept, case .failure(var failed) = result else { return result }
    records.complete(kept.key, .failure(failed.failure, revision: list.revision))
    failed.idempotency = IdempotencyNote(isReplay: false, expires: kept.expires)
    return .failure(failed)
  }

  private mutating func answer(
    isAccepted: Bool, changes: [Int], _ form: Form, ids: [Bytes]?, kept: KeptKey?
  ) -> Result<CommandAnswer, FailedAnswer> {
    if let kept {
      records.complete(
        kept.key,
        .answer(
          isAccepted: isAccepted, revision: list.revision, changes: changes, since: form.since, ids: ids))
    }
    var answer = CommandAnswer(
      isAccepted: isAccepted, revision: list.revision, changes: [], isReset: false, ids: ids, snapshot: nil,
      idempotency: kept.map { IdempotencyNote(isReplay: false, expires: $0.expires) })
    fill(&answer, changes, since: form.since, upTo: list.revision)
    if form.wantsSnapshot || answer.isReset { answer.snapshot = snapshot() }
    return .success(answer)
  }

  private mutating func replay(_ kept: Kept, expires: Int, wantsSnapshot: Bool) -> Result<CommandAnswer, FailedAnswer> {
    let note = IdempotencyNote(isReplay: true, expires: expires)
    switch kept {
    case .failure(let failure, let revision):
      return .failure(FailedAnswer(failure, revision: revision, idempotency: note))
    case .answer(let isAccepted, let revision, let changes, let since, let ids):
      var answer = CommandAnswer(
        isAccepted: isAccepted, revision: revision, changes: [], isReset: false, ids: ids,
        snapshot: wantsSnapshot ? snapshot() : nil, idempotency: note)
      fill(&answer, changes, since: since, upTo: revision)
      return .success(answer)
    }
  }

  /// Gives an answer its changes: those of the revisions, or all after `since`; where they are not kept, a reset.
  private func fill(_ answer: inout CommandAnswer, _ revisions: [Int], since: Int?, upTo last: Int) {
    if let since {
      guard let changes = log.changes(after: since, present: last) else {
        answer.isReset = true
        return
      }
      answer.changes = changes.prefix { $0.revision <= last }.map(\.text)
      return
    }
    for revision in revisions {
      guard let change = log.change(revision) else {
        answer.changes = []
        answer.isReset = true
        return
      }
      answer.changes.append(change.text)
    }
  }
}

/// What a session's machine wants done, in order, outside of its lock.
enum SessionAction {
  case reply(Reply, Result<CommandAnswer, FailedAnswer>)
  case changes(ChangeReply, Result<ChangePage, FailedAnswer>)
  /// Call `stopWaiting` with this number after so many seconds.
  case wait(Int, seconds: Double)
  case stopTimer(Int)
  case effect(Effect)
}

import JSONText
import ListModel

// The way of decisions into the store and back: durable, then told (design §2.2).
extension SessionCore {
  /// Tells a decision, where there is a store as soon as that has it and all that it was decided on.
  ///
  /// - Parameters:
  ///   - outcome: what the list has come to, where it was asked.
  ///   - now: the time, for a decision that ends the session.
  mutating func decide(_ decision: Decision, _ outcome: Outcome? = nil, now: Int = 0) -> [SessionAction] {
    guard isKept else { return tell(decision) }
    var decision = decision
    if decision.change != nil { decision.version = list.version }
    stage(decision, writes(for: decision, outcome, now: now))
    return submit()
  }

  /// Puts a decision behind the others without submitting them yet.
  mutating func stage(_ decision: Decision, _ writes: [StoreWrite]) {
    durability?.staged.append(Durability.Staged(decision: decision, writes: writes))
  }

  private mutating func writes(for decision: Decision, _ outcome: Outcome?, now: Int) -> [StoreWrite] {
    if decision.end != nil {
      return [
        .end(session: id, StoredTombstone(revision: list.revision, until: now + Tombstones.lifetime))
      ]
    }
    var writes: [StoreWrite] = []
    if let outcome {
      let memo = list.memo
      if let change = decision.change {
        let stored = StoredChange(
          session: id, revision: change.revision, text: change.text, delta: list.delta(of: outcome))
        writes.append(.change(stored, summary: summary))
        durability?.ledger.deltaBytes += stored.text.count + stored.delta.count
        durability?.ledger.touched = touched
      } else if memo != durability?.memo {
        // Nothing that a client sees, but what the list does next may hang on it.
        writes.append(save())
      }
      durability?.memo = memo
    }
    for answer in decision.answers {
      if let record = record(of: answer) { writes.append(record) }
    }
    if let number = decision.waiter, let waiter = waiters.last(where: { $0.number == number }),
      let key = waiter.idempotency
    {
      let kept = Kept.awaiting(
        after: waiter.joined, own: waiter.startRevision.map { [$0] } ?? [], since: waiter.form.since)
      writes.append(record(key, kept))
    }
    return writes
  }

  /// What the list of sessions tells of the head.
  var summary: StoredState {
    let version = list.version
    return StoredState(
      revision: version.revision, state: version.state, itemCount: version.itemCount, touched: touched)
  }

  /// A snapshot of the head; O(size of the rows).
  private mutating func save() -> StoreWrite {
    let text = list.saved()
    durability?.ledger.snapshotRevision = list.revision
    durability?.ledger.snapshotBytes = text.count
    durability?.ledger.deltaBytes = 0
    durability?.ledger.owesSnapshot = false
    return .snapshot(session: id, revision: list.revision, text: text)
  }

  private func record(of answer: Decision.Answer) -> StoreWrite? {
    switch answer {
    case .failure(_, let failure, let key?): record(key, .failure(failure, revision: list.revision))
    case .command(_, let isAccepted, let changes, let form, let ids, let key?):
      record(
        key,
        .answer(
          isAccepted: isAccepted, revision: list.revision, changes: changes, since: form.since, ids: ids))
    case .failure, .command: nil
    }
  }

  private func record(_ key: KeptKey, _ kept: Kept) -> StoreWrite {
    .record(
      scope: id, key: key.key,
      StoredRecord(
        fingerprint: key.fingerprint, answer: kept.text(durability?.coding), expires: key.expires * 1000))
  }

  // MARK: Submitting

  /// Gives all that was decided since the last submission to the store, where it has nothing of this session now.
  private mutating func submit() -> [SessionAction] {
    guard let staged = durability?.takeStaged() else { return [] }
    var writes = staged.count == 1 ? staged[0].writes : staged.flatMap(\.writes)
    if writes.isEmpty { return staged.flatMap { tell($0.decision) } }
    if durability?.isEnding == false { upkeep(&writes) }
    durability?.submit(staged, Durability.Point(list: ListCheckpoint(list), fetchTag: fetchTag))
    return [.commit(writes)]
  }

  /// A snapshot, and the end of changes that nobody can ask for any more, where either is due.
  private mutating func upkeep(_ writes: inout [StoreWrite]) {
    let isSnapshotDue = durability?.ledger.isSnapshotDue == true
    if isSnapshotDue { writes.append(save()) }
    guard let oldest = log.oldest, let saved = durability?.ledger.snapshotRevision,
      let trimmed = durability?.ledger.trimmed
    else { return }
    let through = min(oldest - 1, saved)
    if through - trimmed >= (isSnapshotDue ? 1 : Durability.leastTrim) {
      writes.append(.trim(session: id, through: through))
      durability?.ledger.trimmed = through
    }
  }

  /// The store's answer to a submission: tells what it has, and submits what was decided meanwhile.
  mutating func committed(_ failure: StoreFailure?, in context: ListContext, now: Int) -> [SessionAction] {
    if let failure { return rollBack(durability?.abandon() ?? [], failure, in: context) }
    guard let committed = durability?.commit() else { return [] }
    var actions = committed.flatMap { tell($0.decision) }
    // Behind an end lie refusals alone, of which nothing is to be stored.
    if hasEnded { return actions + (durability?.abandon() ?? []).flatMap { tell($0.decision) } }
    // The next submission need not wait for the telling of this one.
    actions.insert(contentsOf: submit(), at: 0)
    actions += takeEnds(in: context, now: now)
    return actions
  }

  // MARK: Failing

  /// Takes the head back to what the store has, and tells all who were decided on it; O(n).
  private mutating func rollBack(
    _ failed: [Durability.Staged], _ failure: StoreFailure, in context: ListContext
  ) -> [SessionAction] {
    guard let committed = durability?.committed else { return [] }
    list = committed.list.list()
    fetchTag = committed.fetchTag
    durability?.memo = list.memo
    durability?.isEnding = false
    // A snapshot may have been among what failed: the next submission brings one.
    durability?.ledger.owesSnapshot = true
    if failure.code != .unavailable {
      durability?.isLost = true
      hasAllRecords = false
    }
    var actions: [SessionAction] = []
    for staged in failed { actions += fail(staged.decision, failure) }
    guard !hasEnded else { return actions }
    actions += stopDeadline()
    if context.isClient, deadline == nil, let effect = list.pursuit(in: context) {
      actions.append(action(for: effect))
    }
    let inFlight = list.fetchInFlight?.generation
    if failure.code == .unavailable { durability?.ends.removeAll { $0.generation != inFlight } }
    return actions + retryLater()
  }

  private mutating func fail(_ decision: Decision, _ failure: StoreFailure) -> [SessionAction] {
    var actions: [SessionAction] = []
    for answer in decision.answers {
      switch answer {
      case .failure(let reply, _, let key):
        if let key { records.cancel(key.key) }
        actions.append(.reply(reply, unavailable(failure)))
      case .command(let reply, _, let changes, let form, _, let key):
        // Own changes lie behind what the store has; one before that is the start of a fetch which was waited for.
        guard let start = changes.first, start <= durability?.committed.list.revision ?? 0 else {
          if let key { records.cancel(key.key) }
          actions.append(.reply(reply, unavailable(failure)))
          continue
        }
        if let key { records.complete(key.key, .awaiting(after: start, own: [start], since: form.since)) }
        actions.append(.reply(reply, unavailable(failure, hasStarted: true)))
      }
    }
    if let number = decision.waiter, let index = waiters.firstIndex(where: { $0.number == number }) {
      let waiter = waiters.remove(at: index)
      if let key = waiter.idempotency { records.cancel(key.key) }
      actions.append(.stopTimer(number))
      actions.append(.reply(waiter.reply, unavailable(failure)))
    }
    if let end = decision.fetchEnd { durability?.ends.append(end) }
    if let made = decision.made {
      if decision.isBirth { hasEnded = true }
      actions.append(.call { made(.store(failure, hasStarted: false)) })
    }
    return actions
  }

  private func unavailable(
    _ failure: StoreFailure, hasStarted: Bool = false
  ) -> Result<CommandAnswer, FailedAnswer> {
    self.failure(.store(failure, hasStarted: hasStarted))
  }

  // MARK: Trying again

  private mutating func retryLater() -> [SessionAction] {
    guard let durability, !durability.isRetrying else { return [] }
    guard !durability.ends.isEmpty || durability.isLost else { return [] }
    self.durability?.isRetrying = true
    return [.retry]
  }

  /// A second has passed since something could not be stored.
  mutating func retry(in context: ListContext, now: Int) -> [SessionAction] {
    durability?.isRetrying = false
    guard let durability, !hasEnded else { return [] }
    if durability.isLost {
      guard durability.held == nil else { return [] }
      self.durability?.held = []
      return [.catchUp]
    }
    return takeEnds(in: context, now: now)
  }

  /// Takes in what came for a fetch while it could not be decided on.
  private mutating func takeEnds(in context: ListContext, now: Int) -> [SessionAction] {
    guard let ends = durability?.takeEnds() else { return [] }
    return ends.flatMap {
      finish(generation: $0.generation, with: $0.result, in: context, now: now)
    }
  }

  /// A fetch has read a page and goes on: a list that is gone back to shall not ask for it again.
  mutating func noteProgress() {
    durability?.follow(list)
  }

  // MARK: Catching up

  /// Lets a command wait until it is known what the store has.
  mutating func hold(
    _ command: @escaping @Sendable (inout SessionCore) -> [SessionAction],
    orElse refuse: @escaping @Sendable (FailedAnswer) -> Void
  ) -> [SessionAction] {
    let held = Durability.Held(command: command, refuse: refuse)
    guard durability?.held == nil else {
      durability?.held?.append(held)
      return []
    }
    durability?.held = [held]
    return [.catchUp]
  }

  /// What the store has, where that was not known: tells what is new in it, and goes on from there.
  mutating func caughtUp(
    _ result: Result<StoredSession?, StoreFailure>, in context: ListContext, now: Int
  ) -> [SessionAction] {
    guard let durability, !hasEnded else { return [] }
    let held = durability.held ?? []
    self.durability?.held = nil
    var actions: [SessionAction] = []
    do throws(StoreFailure) {
      if let stored = try result.get() {
        actions += try takeOver(stored, in: context)
        self.durability?.isLost = false
        actions += takeEnds(in: context, now: now)
      } else {
        actions += ended(.deleted)
      }
    } catch {
      let failed = FailedAnswer(.store(error, hasStarted: false), revision: revision)
      return held.map { held in .call { held.refuse(failed) } } + retryLater()
    }
    for command in held { actions += command.command(&self) }
    return actions
  }

  private mutating func takeOver(
    _ stored: StoredSession, in context: ListContext
  ) throws(StoreFailure) -> [SessionAction] {
    guard stored.state.revision >= list.revision else {
      throw StoreFailure(.conflict, detail: "the store has lost changes of this session")
    }
    let before = list
    var actions: [SessionAction] = []
    for change in stored.changes where change.revision > list.revision {
      let told: Change
      do throws(DamagedText) {
        told = try list.replay(change.text, delta: change.delta)
      } catch {
        throw StoreFailure(.unavailable, detail: "a stored change is damaged: it lacks \(error.what)")
      }
      actions += tell(Decision(change: told, version: list.version))
    }
    list.follow(before)
    durability?.committed = Durability.Point(list: ListCheckpoint(list), fetchTag: fetchTag)
    durability?.memo = list.memo
    // A fetch whose start was stored although nobody could tell: it is sent now.
    if list.fetchInFlight?.generation != before.fetchInFlight?.generation {
      actions += stopDeadline()
      if let effect = list.pursuit(in: context) { actions.append(action(for: effect)) }
    }
    return actions
  }

  // MARK: Use

  /// The moment of the last use, where the store knows an older one of more than a minute ago.
  mutating func stageTouch() -> [SessionAction] {
    guard let durability, !durability.isBusy, !hasEnded, !isEvicted,
      durability.ledger.owesTouch(touched)
    else { return [] }
    self.durability?.ledger.touched = touched
    stage(Decision(), [.touch(session: id, time: touched)])
    return submit()
  }
}

import JSONText
import ListModel

// Fetches: their ends, and those who wait for them.
extension SessionCore {
  mutating func finish(
    generation: Int, with result: Result<Page, UpstreamFailure>, in context: ListContext, now: Int,
    made: (@Sendable (SessionFailure?) -> Void)? = nil
  ) -> [SessionAction] {
    guard !hasEnded else { return [] }
    guard durability?.isLost != true, durability?.isEnding != true,
      generation == list.fetchInFlight?.generation
    else {
      // It is dropped, unless what has overtaken it may still come to nothing.
      if durability?.isBusy == true {
        durability?.ends.append(FetchEnd(generation: generation, result: result))
      }
      return []
    }
    letGo()
    let outcome =
      result.isInterruption
      ? list.recover(in: context) : list.finish(generation: generation, with: result, in: context)
    if case .read(let generation, let place) = outcome.effect {
      noteProgress()
      return [.read(generation: generation, place)]
    }
    if isWatched { touched = now }
    var decision = Decision(change: outcome.change.map { change in fetchTag.map(change.tagged) ?? change })
    fetchTag = nil
    if durability != nil { decision.fetchEnd = FetchEnd(generation: generation, result: result) }
    decision.made = made
    var actions = stopDeadline()
    settleWaiters(ended: generation, by: outcome.change?.revision, in: &decision, &actions)
    return actions + decide(decision, outcome)
  }

  /// What is to be done for a fetch that has started.
  mutating func action(for effect: Effect) -> SessionAction {
    switch effect {
    case .read(let generation, let place): return .read(generation: generation, place)
    case .awaitClient(let generation):
      let number = takeNumber()
      deadline = (generation, number)
      return .awaitClient(number, generation: generation)
    }
  }

  /// Gives up the time limit of a fetch that is not in flight any more.
  mutating func stopDeadline() -> [SessionAction] {
    guard let deadline, hasEnded || deadline.generation != list.fetchInFlight?.generation else { return [] }
    self.deadline = nil
    return [.stopTimer(deadline.number)]
  }

  // MARK: Waiting

  /// Whether the timer with this number is still needed.
  func awaits(_ number: Int) -> Bool {
    deadline?.number == number || waiters.last { $0.number == number } != nil
      || pollers.last { $0.number == number } != nil
  }

  /// Answers the waiter whose time has passed with what there is.
  mutating func stopWaiting(_ number: Int, now: Int) -> [SessionAction] {
    if isWatched { touched = now }
    if let index = waiters.firstIndex(where: { $0.number == number }) {
      return decide(Decision(answers: [accepted(waiters.remove(at: index))]))
    }
    guard let index = pollers.firstIndex(where: { $0.number == number }) else { return [] }
    let poller = pollers.remove(at: index)
    return [.changes(poller.reply, .success(page(after: poller.since)))]
  }

  /// Answers all who wait with what there is: the server is going down.
  mutating func drain() -> [SessionAction] {
    isDraining = true
    finishStreams()
    let all = waiters
    waiters = []
    var actions: [SessionAction] = all.map { .stopTimer($0.number) } + answerPollers()
    if !all.isEmpty { actions += decide(Decision(answers: all.map { accepted($0) })) }
    return actions
  }

  private func accepted(_ waiter: Waiter) -> Decision.Answer {
    .command(
      waiter.reply, isAccepted: true, changes: waiter.startRevision.map { [$0] } ?? [], waiter.form, ids: nil,
      waiter.idempotency)
  }

  /// Answers who waited for the generation that has ended, and, once nothing is in flight, who was overtaken.

  mutating func settleWaiters(
    ended generation: Int? = nil, by end: Int? = nil, in decision: inout Decision,
    _ actions: inout [SessionAction]
  ) {
    guard !waiters.isEmpty else { return }
    let inFlight = list.fetchInFlight?.generation
    var rest: [Waiter] = []
    for waiter in waiters {
      let isItsEnd = waiter.generation == generation
      guard isItsEnd || inFlight == nil else {
        rest.append(waiter)
        continue
      }
      let changes = [waiter.startRevision, isItsEnd ? end : nil].compactMap { $0 }
      actions.append(.stopTimer(waiter.number))
      decision.answers.append(
        .command(
          waiter.reply, isAccepted: false, changes: changes, waiter.form, ids: nil, waiter.idempotency))
    }
    waiters = rest
  }
}

extension Result where Success == Page, Failure == UpstreamFailure {
  /// That the process which read has ended.
  static var interruption: Result {
    .failure(UpstreamFailure(.interrupted, detail: "The server ended while it was fetching."))
  }

  fileprivate var isInterruption: Bool {
    if case .failure(let failure) = self { return failure.code == .interrupted }
    return false
  }
}

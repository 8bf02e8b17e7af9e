import JSONText
import ListModel

// Commands: decided on the head, in the order in which they come.
extension SessionCore {
  mutating func perform(
    _ command: Result<Command, SessionFailure>, _ request: CommandRequest, in context: ListContext, now: Int,
    _ reply: @escaping Reply
  ) -> [SessionAction] {
    if hasEnded { return [.reply(reply, .failure(FailedAnswer(.ended)))] }
    if isKept, durability?.isLost == true {
      return hold {
        $0.perform(command, request, in: context, now: now, reply)
      } orElse: {
        reply(.failure($0))
      }
    }
    touched = now
    var kept: KeptKey?
    if let idempotency = request.idempotency {
      switch records.find(idempotency.key, fingerprint: idempotency.fingerprint, now: now) {
      case .new:
        asked.remove(idempotency.key)
        let expires = records.begin(idempotency.key, fingerprint: idempotency.fingerprint, now: now)
        kept = KeptKey(key: idempotency.key, fingerprint: idempotency.fingerprint, expires: expires)
      case .inProgress: return [.reply(reply, failure(.idempotencyInProgress))]
      case .reused: return [.reply(reply, failure(.idempotencyKeyReused))]
      case .answered(let answer, let expires):
        return [
          .reply(
            reply,
            replay(
              answer, expires: expires, wantsSnapshot: request.wantsSnapshot, isClient: context.isClient))
        ]
      }
    }
    if isKept, durability?.isEnding == true { return refuse(.ended, kept, reply) }
    if let condition = request.condition, !condition.allows(list.revision) {
      return refuse(.revisionMismatch, kept, reply)
    }
    switch command {
    case .failure(let failure): return refuse(failure, kept, reply)
    case .success(let command): return perform(command, request, kept, in: context, reply)
    }
  }

  private mutating func refuse(
    _ failure: SessionFailure, _ kept: KeptKey?, _ reply: @escaping Reply
  ) -> [SessionAction] {
    decide(Decision(answers: [.failure(reply, failure, kept)]))
  }

  private mutating func perform(
    _ command: Command, _ request: CommandRequest, _ kept: KeptKey?, in context: ListContext,
    _ reply: @escaping Reply
  ) -> [SessionAction] {
    letGo()
    let before = list.fetchInFlight?.generation
    let outcome: Outcome
    do {
      outcome = try list.perform(command, in: context)
    } catch {
      return refuse(.refused(error), kept, reply)
    }
    let inFlight = list.fetchInFlight?.generation
    if inFlight != before { fetchTag = inFlight == nil ? nil : request.tag }
    let change = outcome.change.map { change in request.tag.map(change.tagged) ?? change }
    var actions = stopDeadline()
    if let fetch = outcome.fetch, !context.isClient, request.waitSeconds > 0, !isDraining {
      let waiter = Waiter(
        number: takeNumber(), generation: fetch.generation, startRevision: fetch.startRevision,
        joined: list.revision, form: Form(request), idempotency: kept, reply: reply)
      waiters.append(waiter)
      actions.append(.wait(waiter.number, seconds: request.waitSeconds))
      var decision = Decision(change: change, waiter: waiter.number)
      decision.effect = outcome.effect.map { action(for: $0) }
      settleWaiters(in: &decision, &actions)
      return actions + decide(decision, outcome)
    }
    let isAccepted = outcome.fetch != nil
    let start = isAccepted ? outcome.fetch?.startRevision : nil
    let own = (outcome.change?.revision ?? start).map { [$0] } ?? []
    guard isKept || !waiters.isEmpty else {
      // Nobody else to tell, and nothing to wait for: most commands without a store.
      if let change { publish(change) }
      actions.append(
        .reply(
          reply,
          answer(isAccepted: isAccepted, changes: own, Form(request), ids: outcome.ids, kept: kept)))
      if change != nil, !pollers.isEmpty { actions += answerPollers() }
      if let effect = outcome.effect { actions.append(action(for: effect)) }
      return actions
    }
    var decision = Decision(change: change)
    decision.effect = outcome.effect.map { action(for: $0) }
    decision.answers.append(
      .command(reply, isAccepted: isAccepted, changes: own, Form(request), ids: outcome.ids, kept))
    settleWaiters(in: &decision, &actions)
    return actions + decide(decision, outcome)
  }

  /// Greets who has made the session.
  mutating func greet(_ reply: @escaping Reply) -> [SessionAction] {
    decide(Decision(answers: [.command(reply, isAccepted: false, changes: [], Form(), ids: nil, nil)]))
  }

  // MARK: Ending

  /// Ends the session, where the condition holds; what waits is told once that is durable.
  mutating func end(
    _ reason: EndReason, if condition: CommandRequest.Condition?, now: Int, _ reply: @escaping EndReply
  ) -> [SessionAction] {
    if hasEnded { return [.call { reply(.ended) }] }
    if durability?.isLost == true {
      return hold {
        $0.end(reason, if: condition, now: now, reply)
      } orElse: {
        reply($0.failure)
      }
    }
    let told: Reply = { result in
      switch result {
      case .success: reply(nil)
      case .failure(let failed): reply(failed.failure)
      }
    }
    if durability?.isEnding == true { return refuse(.ended, nil, told) }
    if let condition, !condition.allows(list.revision) { return refuse(.revisionMismatch, nil, told) }
    durability?.isEnding = true
    return decide(
      Decision(
        answers: [.command(told, isAccepted: false, changes: [], Form(wantsSnapshot: false), ids: nil, nil)],
        end: reason), now: now)
  }
}

/// How the end of a session comes out: nil, or why it has not ended.
typealias EndReply = @Sendable (SessionFailure?) -> Void

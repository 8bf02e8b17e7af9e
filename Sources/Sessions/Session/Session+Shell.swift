import JSONText
import ListModel
import Synchronization

// What the machine of a session wants done, carried out: replies, timers, reads.
extension Session {
  /// Carries actions out in their order, and those that follow from them.
  ///
  /// A source that answers within its call is gone on with here, not within that call: a fetch of many pages needs no
  /// more stack than one of a single page.
  func carryOut(_ actions: [SessionAction]) {
    var queue = actions
    var next = 0
    while next < queue.count {
      let action = queue[next]
      next += 1
      switch action {
      case .reply(let reply, let result): reply(result)
      case .changes(let reply, let result): reply(result)
      case .wait(let number, let seconds):
        startTimer(number, seconds) { $0.stopWaiting(number) }
      case .stopTimer(let number):
        timers.withLock { $0.removeValue(forKey: number) }?()
      case .read(let generation, let place):
        if let result = read(generation: generation, at: place) { queue += finished(generation, result) }
      case .awaitClient(let number, let generation):
        awaitClient(number, generation: generation)
      case .commit(let writes):
        if let failure = commit(writes) { queue += committed(failure.reason) }
      case .catchUp:
        if let result = catchUp() { queue += caughtUp(result) }
      case .retry:
        _ = house.world.schedule(1) { [self] in
          let now = house.world.now()
          let context = house.context(of: slot.entry)
          carryOut(core.withLock { $0.retry(in: context, now: now) })
        }
      case .call(let job): job()
      }
    }
  }

  // MARK: Timers

  private func startTimer(_ number: Int, _ seconds: Double, _ job: @escaping @Sendable (Session) -> Void) {
    let cancel = house.world.schedule(seconds) { [weak self] in
      guard let self else { return }
      self.timers.withLock { _ = $0.removeValue(forKey: number) }
      job(self)
    }
    timers.withLock { $0[number] = cancel }
    // What it is for may have come, or its time passed, before the timer could be found here.
    if !core.withLock({ $0.awaits(number) }) { timers.withLock { $0.removeValue(forKey: number) }?() }
  }

  private func awaitClient(_ number: Int, generation: Int) {
    guard case .client(let timeout?) = slot.entry?.definition.source else { return }
    startTimer(number, timeout) { session in
      let failure = UpstreamFailure(
        .timeout, detail: "No client gave the rows within \(timeout.description) seconds.")
      session.carryOut(session.finished(generation, .failure(failure)))
    }
  }

  // MARK: Reads

  /// Asks the source for a page; gives it where it comes within the call.
  private func read(generation: Int, at place: Place) -> Result<Page, UpstreamFailure>? {
    guard let (table, source) = house.source(of: slot.entry) else {
      return .failure(UpstreamFailure(.error, detail: "The table is gone from the configuration."))
    }
    // Fetches end at `limits.itemsPerSession` as they do at `maxItems`.
    var definition = table
    definition.maxItems = min(table.maxItems ?? .max, house.limits.itemsPerSession)
    let request = PageRequest(
      line: FetchLine(list: sequence, generation: generation), table: definition, look: rules.look,
      params: params, place: place, rowBytes: house.limits.rowBytes)
    let started = house.world.now()
    let handoff = Handoff<Result<Page, UpstreamFailure>>()
    source.read(request) { [weak self] result in
      guard let self else { return }
      self.observe(result, since: started)
      if !handoff.leave(result) { self.carryOut(self.finished(generation, result)) }
    }
    return handoff.take()
  }

  // MARK: The store

  /// What came of a submission.
  private struct Commit {
    let reason: StoreFailure?
  }

  /// Gives writes to the store; gives what came of them where that is known within the call.
  private func commit(_ writes: [StoreWrite]) -> Commit? {
    guard let keeping = house.keeping else { return Commit(reason: nil) }
    for case .change(let change, _) in writes {
      house.resident.add(2 * change.text.count + change.delta.count)
    }
    let handoff = Handoff<Commit>()
    keeping.store.commit(writes) { [self] failure in
      let commit = Commit(reason: failure)
      if !handoff.leave(commit) { carryOut(committed(failure)) }
    }
    return handoff.take()
  }

  private func committed(_ failure: StoreFailure?) -> [SessionAction] {
    let now = house.world.now()
    let context = house.context(of: slot.entry)
    return core.withLock { $0.committed(failure, in: context, now: now) }
  }

  private func catchUp() -> Result<StoredSession?, StoreFailure>? {
    guard let keeping = house.keeping else { return nil }
    let handoff = Handoff<Result<StoredSession?, StoreFailure>>()
    keeping.store.restore(id) { [self] result in
      if !handoff.leave(result) { carryOut(caughtUp(result)) }
    }
    return handoff.take()
  }

  private func caughtUp(_ result: Result<StoredSession?, StoreFailure>) -> [SessionAction] {
    let now = house.world.now()
    let context = house.context(of: slot.entry)
    return core.withLock { $0.caughtUp(result, in: context, now: now) }
  }

  private func observe(_ result: Result<Page, UpstreamFailure>, since started: Int) {
    var leftOut = 0
    var failure: UpstreamFailure.Code?
    switch result {
    case .success(let page):
      leftOut = page.leftOut
      failure = page.failure?.code
    case .failure(let reason): failure = reason.code
    }
    house.observer.pageRead(
      table: table, milliseconds: house.world.now() - started, leftOut: leftOut, failure: failure)
  }

  private func finished(_ generation: Int, _ result: Result<Page, UpstreamFailure>) -> [SessionAction] {
    let now = house.world.now()
    let context = house.context(of: slot.entry)
    return core.withLock { $0.finish(generation: generation, with: result, in: context, now: now) }
  }

  private var params: [(name: Bytes, value: Bytes)] {
    var params: [(Bytes, Bytes)] = []
    JSONValue(trusted: core.withLock { $0.params }).forEachMember { name, value in
      params.append((name, value.string ?? .empty))
    }
    return params
  }
}

/// A result on its way between the call that asks for it and its completion: whoever is second goes on with it.
///
/// So what answers within a call is gone on with in a loop, not in ever deeper calls.
private final class Handoff<Value: Sendable>: Sendable {
  private enum State {
    case calling, returned
    case came(Value)
  }

  private let state = Mutex(State.calling)

  /// Leaves a result for the call to take; false where that has returned.
  func leave(_ value: Value) -> Bool {
    state.withLock { state in
      guard case .calling = state else { return false }
      state = .came(value)
      return true
    }
  }

  /// The result, where it has come before the call returned.
  func take() -> Value? {
    state.withLock { state in
      defer { state = .returned }
      if case .came(let value) = state { return value }
      return nil
    }
  }
}

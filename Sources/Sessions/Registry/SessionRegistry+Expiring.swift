import JSONText
import ListModel

extension SessionRegistry {
  /// When a session will have gone unused for too long, in milliseconds since 1970.
  func expiry(of resident: Resident) -> Int {
    guard let idle = resident.slot.idleTime, let lastUse = resident.lastUse else { return Int.max }
    let (moment, overflow) = lastUse.addingReportingOverflow(idle)
    return overflow ? Int.max : moment
  }

  /// Ends a session that was not used for as long as its table allows; says whether it is still there.
  func expire(_ session: Session, now: Int) -> Session.Presence {
    guard let idle = session.slot.idleTime else { return .there }
    return session.expire(unusedSince: now - idle) { self.forget(session, now: now) }
  }

  /// Ends sessions whose time is over and lets resting ones give memory back.
  ///
  /// To be called about once a second.
  ///
  /// O(sessions) where one may have to end, and every ten seconds; else O(1).
  public func tidy() {
    let now = house.world.now()
    // What was put out of memory the last time; meanwhile nobody holds it any more.
    if house.resident.takeShare() { house.world.giveBackMemory() }
    let sessions = state.withLock { state -> [Session]? in
      state.tombstones.forget(before: now)
      for owner in Array(state.creations.keys) { state.creations[owner]?.forget(before: now) }
      // A moment further away was set before the clock was set back.
      guard state.nextExpiry <= now || state.nextExpiry > now + Self.round else { return nil }
      state.nextExpiry = now + Self.round
      return Array(state.sessions.values)
    }
    if let sessions { lookAt(sessions, now: now) }
    if let keeping = house.keeping {
      makeRoom()
      sweep(keeping, now: now)
    }
    packEverySecond(now: now)
  }

  /// Ends those of all sessions whose time is over, and lets the others rest that nobody has used since the last round.
  private func lookAt(_ sessions: [Session], now: Int) {
    var next = expirePacked(now: now)
    for session in sessions where expire(session, now: now) == .there {
      next = min(next, expiry(of: .awake(session)))
      session.rest(since: now - Self.round, now: now)
    }
    // Sessions made meanwhile have brought the moment forward themselves.
    state.withLock { $0.nextExpiry = min($0.nextExpiry, next) }
    guard house.keeping != nil else { return }
    for session in sessions { session.touch() }
    putToRest(unusedSince: now - Self.round, now: now)
  }

  /// Ends sessions that rest in the store and whose time is over; forgets what need not be remembered any more.
  private func sweep(_ keeping: Keeping, now: Int) {
    let isDue = state.withLock { state in
      guard state.nextSweep <= now || state.nextSweep > now + Self.round else { return false }
      state.nextSweep = now + Self.round
      return true
    }
    guard isDue else { return }
    keeping.store.forget(before: now)
    keepIdleTimes(keeping)
    let usedBefore = house.idleSeconds.mapValues { now - 0.adding(seconds: $0) }
    guard !usedBefore.isEmpty else { return }
    keeping.store.expired(usedBefore, limit: Self.sweepAtMost) { [self] result in
      guard case .success(let ids) = result else { return }
      // Being read is what ends them; those in memory know better when they were used.
      let resting = state.withLock { state in ids.filter { state.sessions[$0] == nil } }
      for id in resting { session(id) { _ in } }
      if ids.count == Self.sweepAtMost { state.withLock { $0.nextSweep = 0 } }
    }
  }

  /// The most sessions that one sweep ends.
  private static var sweepAtMost: Int { 500 }

  /// Milliseconds from one look at all sessions to the next.
  private static var round: Int { 10_000 }
}

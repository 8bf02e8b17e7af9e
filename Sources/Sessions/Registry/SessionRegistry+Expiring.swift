import JSONText
import ListModel

extension SessionRegistry {
  /// How many milliseconds a session may go unused; nil for ever.
  ///
  /// A table that is gone from the configuration leaves the time that it had: its sessions end all the same.
  private func idleTime(of session: Session) -> Int? {
    let seconds = session.slot.entry?.idleSeconds ?? session.idleSeconds
    return seconds > 0 ? 0.adding(seconds: seconds) : nil
  }

  /// When a session will have gone unused for too long, in milliseconds since 1970.
  func expiry(of session: Session) -> Int {
    guard let idle = idleTime(of: session), let unusedSince = session.unusedSince else { return Int.max }
    let (moment, overflow) = unusedSince.addingReportingOverflow(idle)
    return overflow ? Int.max : moment
  }

  /// Ends a session that was not used for as long as its table allows; says whether it did.
  func expire(_ session: Session, now: Int) -> Bool {
    guard let idle = idleTime(of: session), session.expire(unusedSince: now - idle) else { return false }
    forget(session, now: now)
    return true
  }

  /// Ends sessions whose time is over and lets resting ones give memory back.
  ///
  /// To be called about once a second.
  ///
  /// O(sessions) where one may have to end, and every ten seconds; else O(1).
  public func tidy() {
    let now = house.world.now()
    let sessions = state.withLock { state -> [Session] in
      state.tombstones.forget(before: now)
      for owner in Array(state.creations.keys) { state.creations[owner]?.forget(before: now) }
      // A moment further away was set before the clock was set back.
      guard state.nextExpiry <= now || state.nextExpiry > now + Self.round else { return [] }
      state.nextExpiry = now + Self.round
      return Array(state.sessions.values)
    }
    var next = Int.max
    for session in sessions where !expire(session, now: now) {
      next = min(next, expiry(of: session))
      session.rest(since: now - Self.round, now: now)
    }
    // Sessions made meanwhile have brought the moment forward themselves.
    state.withLock { $0.nextExpiry = min($0.nextExpiry, next) }
  }

  /// Milliseconds from one look at all sessions to the next.
  private static var round: Int { 10_000 }
}

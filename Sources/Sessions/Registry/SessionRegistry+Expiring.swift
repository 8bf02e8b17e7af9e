import JSONText
import ListModel

extension SessionRegistry {
  /// Whether a session was not used for as long as its table allows.
  func isExpired(_ session: Session, now: Int) -> Bool {
    expiry(of: session) <= now
  }

  private func expiry(of session: Session) -> Int {
    guard let idle = house.catalog.entry(session.table)?.idleSeconds, idle > 0,
      let unusedSince = session.unusedSince
    else { return Int.max }
    return unusedSince.adding(seconds: idle)
  }

  /// Ends sessions whose time is over and lets resting ones give memory back. To be called about once a second;
  /// O(sessions) only when one may have to end, or every ten seconds.
  public func tidy() {
    let now = house.world.now()
    let sessions = state.withLock { state -> [Session] in
      state.tombstones.forget(before: now)
      let isDue = state.nextExpiry <= now || now / 1000 % 10 == 0
      return isDue ? state.order : []
    }
    guard !sessions.isEmpty else { return }
    var next = Int.max
    for session in sessions {
      let expiry = expiry(of: session)
      if expiry <= now {
        remove(session, .expired, now: now)
      } else {
        next = min(next, expiry)
        session.rest(since: now - 10_000)
      }
    }
    // Sessions made meanwhile have brought the moment forward themselves; a later one is found by the next round.
    state.withLock { $0.nextExpiry = min(next, now + 10_000) }
  }
}

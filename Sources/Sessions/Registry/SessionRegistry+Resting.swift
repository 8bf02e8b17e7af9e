import JSONText
import ListModel

// Sessions that nobody uses, put out of memory where it is needed.
extension SessionRegistry {
  /// Puts sessions that nothing hangs on out of memory, those that were used longest ago first, until what remains is
  /// well below `limits.residentBytes`; they come back when they are asked for.
  ///
  /// O(1) while there is room, else O(n log n) of the sessions in memory, and that only after a share of it was filled.
  func makeRoom() {
    guard house.keeping != nil, house.resident.isAbove(house.limits.residentBytes) else { return }
    var all = residents().map { resident in
      let (bytes, touched) = resident.residence
      return (resident: resident, bytes: bytes, touched: touched)
    }
    var total = all.reduce(0) { $0 + $1.bytes }
    let limit = house.limits.residentBytes
    var freed = 0
    if total > limit {
      all.sort { $0.touched < $1.touched }
      for (resident, bytes, _) in all where total - freed > limit - limit / 8 {
        if evict(resident, isUrgent: true) { freed += bytes }
      }
    }
    total -= freed
    // What cannot be put out now is not tried again before a share has been filled.
    house.resident.settle(at: min(total, limit - limit / 8) + freed)
    house.resident.letGo(freed)
  }

  /// Puts those out of memory that nobody has used since `time`, in milliseconds since 1970, however much room there
  /// is: sessions cost memory only while they are used.
  ///
  /// One whose last use the store does not know stays a minute, so that it is not told more often. O(sessions in
  /// memory).
  func putToRest(unusedSince time: Int, now: Int) {
    guard house.keeping != nil else { return }
    var freed = 0
    for resident in residents() where resident.hasSettled(since: time, now: now) {
      let bytes = resident.residence.bytes
      if evict(resident, isUrgent: false) { freed += bytes }
    }
    house.resident.letGo(freed)
  }

  private func residents() -> [Resident] {
    state.withLock { state in
      state.sessions.values.map { .awake($0) } + state.packed.values.map { .packed($0) }
    }
  }

  /// Under both locks: whoever finds the session does so before, and it stays, or after, and reads it anew.
  private func evict(_ resident: Resident, isUrgent: Bool) -> Bool {
    state.withLock { state in
      switch resident {
      case .awake(let session):
        guard state.sessions[session.id] === session, session.evict(isUrgent: isUrgent) else { return false }
        state.sessions[session.id] = nil
      case .packed(let packed):
        // One that is being woken has somebody who waits for it.
        guard state.packed[packed.id] === packed, state.arrivals[packed.id] == nil else { return false }
        state.packed[packed.id] = nil
        if !packed.leavings.isEmpty { house.keeping?.store.commit(packed.leavings) { _ in } }
      }
      return true
    }
  }
}

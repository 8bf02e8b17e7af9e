import JSONText
import ListModel

// Sessions that nobody uses, made small in memory: there they stay at hand, but cost little more than their rows.
extension SessionRegistry {
  /// Packs sessions in the background where so many have come that some are due; O(1).
  func packWhereDue() {
    if state.withLock({ $0.room.isDue($0.sessions.count) }) { packInBackground() }
  }

  /// Packs sessions in the background where some may be due; to be called once a second.
  ///
  /// O(1).
  func packEverySecond(now: Int) {
    if state.withLock({ $0.room.tick(now: now, sessions: $0.sessions.count) }) { packInBackground() }
  }

  private func packInBackground() {
    guard let packing = house.packing else { return }
    let isFirst = state.withLock { state in
      defer { state.room.isPacking = true }
      return !state.room.isPacking
    }
    guard isFirst else { return }
    packing.run { [weak self] in self?.packIdle(packing) }
  }

  /// Packs what has no room, those that were used longest ago first.
  ///
  /// O(n log n) of the sessions that are not packed, O(size) of each that is.
  private func packIdle(_ packing: Packing) {
    let now = house.world.now()
    let (sessions, room) = state.withLock { (Array($0.sessions.values), $0.room) }
    var idle: [(session: Session, bytes: Int, touched: Int)] = []
    for session in sessions {
      // What is large stays as it is, for waking it would take long.
      guard let (bytes, touched) = session.idleResidence, bytes <= Self.mostBytes else { continue }
      idle.append((session, bytes, touched))
    }
    // By what the time is from it: a clock that was set back leaves times that are yet to come.
    idle.sort { abs(now - $0.touched) > abs(now - $1.touched) }
    var total = idle.reduce(0) { $0 + $1.bytes }
    for (session, bytes, touched) in idle {
      guard room.isToPack(age: now - touched, total: total) else { break }
      total -= bytes
      pack(session, bytes: bytes, packing, now: now)
    }
    state.withLock { $0.room.settle(at: $0.sessions.count) }
  }

  /// Puts the packed form of a session in its place, unless it is used meanwhile.
  private func pack(_ session: Session, bytes: Int, _ packing: Packing, now: Int) {
    guard let (packed, draft) = session.packed(packing, now: now) else { return }
    let isPacked = state.withLock { state in
      // Under both locks: whoever finds the session does so before, and it stays, or after, and wakes it.
      guard state.sessions[session.id] === session, session.leave(draft) else { return false }
      state.sessions[session.id] = nil
      state.packed[packed.id] = packed
      state.relabel(packed)
      return true
    }
    if isPacked { house.resident.letGo(bytes - packed.bytes) }
  }

  /// Makes a session of its packed form again, or ends it where its time is over.
  func wake(_ packed: PackedSession) {
    let now = house.world.now()
    guard expiry(of: .packed(packed)) > now else {
      if readInstead(of: packed) { return }
      bury(packed, now: now)
      return arrive(packed.id, .failure(.ended))
    }
    do throws(DamagedText) {
      arrive(packed.id, .success(try packed.session(house)))
    } catch {
      if readInstead(of: packed) { return }
      let damage = StoreFailure(.unavailable, detail: "the session cannot be read in memory: \(error.what)")
      arrive(packed.id, .failure(.store(damage, hasStarted: false)))
    }
  }

  /// Lets go of a packed session and reads it from the store, which decides; false where there is none.
  private func readInstead(of packed: PackedSession) -> Bool {
    guard let keeping = house.keeping else { return false }
    let isGone = state.withLock { state in state.packed.removeValue(forKey: packed.id) != nil }
    if isGone { house.resident.letGo(packed.bytes) }
    read(packed.id, keeping)
    return true
  }

  /// Puts a tombstone in the place of a packed session.
  private func bury(_ packed: PackedSession, now: Int) {
    state.withLock { state in
      guard state.packed[packed.id] === packed else { return }
      state.packed[packed.id] = nil
      state.tombstones.add(packed.id, revision: packed.state.revision, now: now)
      state.compactOrder()
    }
  }

  /// Ends packed sessions whose time is over, where there is no store that does; gives when the next will be.
  ///
  /// O(packed sessions).
  func expirePacked(now: Int) -> Int {
    guard house.keeping == nil else { return Int.max }
    var next = Int.max
    for packed in state.withLock({ Array($0.packed.values) }) {
      let end = expiry(of: .packed(packed))
      if end > now {
        next = min(next, end)
      } else if state.withLock({ $0.arrivals[packed.id] == nil }) {
        bury(packed, now: now)
      }
    }
    return next
  }

  /// Bytes of a session that is not packed for its size.
  private static var mostBytes: Int { 256 << 10 }
}

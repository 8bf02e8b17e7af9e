import JSONText
import ListModel

// Sessions that a store keeps or that are packed, made ready when they are first asked for.
extension SessionRegistry {
  /// The session with this id: within the call where it is in memory, else when the store has given it.
  ///
  /// Whoever asks for it meanwhile gets the same one. O(1), O(size of the session) where it is read.
  ///
  /// - Parameter found: the session; `ended` for an hour after its end, `unknown` then and for ids that never were,
  ///   `store` where it cannot be read.
  public func session(_ id: Bytes, _ found: @escaping FoundSession) {
    if let result = find(id) { return found(result) }
    let isEnding = state.withLock({ $0.sessions[id] })?.awaitEnd { [self] failure in
      if let failure { found(.failure(failure)) } else { session(id, found) }
    }
    if isEnding == true { return }
    let (isFirst, packed) = state.withLock { state -> (Bool?, PackedSession?) in
      let packed = state.packed[id]
      if state.sessions[id] != nil || (packed == nil && house.keeping == nil) { return (nil, nil) }
      if state.arrivals[id] != nil {
        state.arrivals[id]?.append(found)
        return (false, nil)
      }
      state.arrivals[id] = [found]
      return (true, packed)
    }
    switch isFirst {
    case nil: session(id, found)  // it has come, or gone, just now
    case false: break
    case true:
      if let packed { return wake(packed) }
      if let keeping = house.keeping { read(id.compacted(), keeping) }
    }
  }

  func read(_ id: Bytes, _ keeping: Keeping) {
    keeping.store.restore(id) { [self] result in
      switch result {
      case .failure(let failure): arrive(id, .failure(.store(failure, hasStarted: false)))
      case .success(nil): mourn(id, keeping)
      case .success(let stored?): revive(stored, keeping)
      }
    }
  }

  /// A session is not there: it may have been.
  private func mourn(_ id: Bytes, _ keeping: Keeping) {
    keeping.store.tombstone(id) { [self] result in
      switch result {
      case .failure(let failure): arrive(id, .failure(.store(failure, hasStarted: false)))
      case .success(let tombstone):
        let now = house.world.now()
        guard let tombstone, tombstone.isSound, tombstone.until > now else {
          return arrive(id, .failure(.unknown))
        }
        state.withLock { $0.tombstones.learn(id, tombstone) }
        arrive(id, .failure(.ended))
      }
    }
  }

  private func revive(_ stored: StoredSession, _ keeping: Keeping) {
    let id = stored.head.session
    let now = house.world.now()
    let idle = house.slot(ofTable: stored.head.table).idleTime
    if let idle, stored.state.touched <= now - idle {
      return bury(id, at: stored.state.revision, keeping, now: now)
    }
    do throws(DamagedText) {
      let session = try Session.restored(stored, house: house, keeping)
      session.goOn { self.arrive(id, .success(session)) }
    } catch {
      let revision = stored.state.revision
      let failure = StoreFailure(
        .damaged(revision: KeptNumber.range.contains(revision) ? revision : nil),
        detail: "what is kept of the session is damaged, it lacks \(error.what)")
      arrive(id, .failure(.store(failure, hasStarted: false)))
    }
  }

  /// Ends a session of which the store has what cannot be read, so that its id can be used again.
  ///
  /// - Parameter revision: the last that it had; nil where that cannot be told.
  func endDamaged(
    _ id: Bytes, at revision: Int?, _ condition: CommandRequest.Condition?,
    _ reply: @escaping @Sendable (SessionFailure?) -> Void
  ) {
    guard let keeping = house.keeping else { return reply(.unknown) }
    let isMet = revision.map { condition?.allows($0) ?? true } ?? (condition?.allowsAny ?? true)
    guard isMet else { return reply(.revisionMismatch) }
    let isFirst = state.withLock { state in
      guard state.resident(id) == nil, state.arrivals[id] == nil else { return false }
      state.arrivals[id] = [
        { [self] found in
          switch found {
          case .failure(.ended): reply(nil)
          case .failure(let failure): reply(failure)
          case .success(let session): end(session, condition, reply)
          }
        }
      ]
      return true
    }
    // Somebody else reads it, ends it or makes it anew just now.
    guard isFirst else { return end(id, condition, reply) }
    let now = house.world.now()
    bury(id.compacted(), at: revision ?? now, keeping, now: now)
  }

  /// Ends a session that is not in memory.
  private func bury(_ id: Bytes, at revision: Int, _ keeping: Keeping, now: Int) {
    let tombstone = StoredTombstone(
      revision: KeptNumber.range.contains(revision) ? revision : now, until: now + Tombstones.lifetime)
    keeping.store.commit([.end(session: id, tombstone)]) { [self] failure in
      if let failure { return arrive(id, .failure(.store(failure, hasStarted: false))) }
      state.withLock { state in
        state.tombstones.learn(id, tombstone)
        if let total = state.total { state.total = total - 1 }
      }
      arrive(id, .failure(.ended))
    }
  }

  /// Gives a session, or why there is none, to all who wait for it.
  func arrive(_ id: Bytes, _ result: Result<Session, SessionFailure>) {
    let session = try? result.get()
    let nextExpiry = session.map { expiry(of: .awake($0)) } ?? Int.max
    if let session {
      house.resident.add(session.residence.bytes)
      // It stays until all who wait for it have begun to use it.
      session.core.withLock { $0.holders += 1 }
    }
    let (waiting, packed, isDraining) = state.withLock { state in
      var packed: PackedSession?
      if let session {
        packed = state.packed.removeValue(forKey: id)
        state.sessions[id] = session
        state.nextExpiry = min(state.nextExpiry, nextExpiry)
      }
      return (state.arrivals.removeValue(forKey: id) ?? [], packed, state.isDraining)
    }
    if let packed { house.resident.letGo(packed.bytes) }
    if isDraining { session?.drain() }
    for found in waiting { found(result) }
    session?.core.withLock { $0.holders -= 1 }
    makeRoom()
    packWhereDue()
  }
}

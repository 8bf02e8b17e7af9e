import JSONText
import ListModel

/// A session in the list of sessions.
public struct SessionSummary: Sendable {
  /// Its id.
  public let id: Bytes
  /// Its table's name.
  public let table: Bytes
  /// Its revision.
  public let revision: Int
  /// The name of the state that it is in.
  public let state: Bytes
  /// The number of items that it holds.
  public let itemCount: Int
  /// When it was made, in milliseconds since 1970.
  public let created: Int
  /// When it was last used, in milliseconds since 1970.
  public let touched: Int
}

/// A page of the list of sessions.
public struct SessionPage: Sendable {
  /// The sessions, in the order of their creation.
  public internal(set) var sessions: [SessionSummary]
  /// The cursor of the next page, where there is one.
  public internal(set) var next: Int?
}

extension SessionRegistry {
  /// A page of sessions in the order of their creation.
  ///
  /// Does not count as a use of them. O(log n + limit).
  ///
  /// Whoever reads page after page sees every session once that is there all the while.
  ///
  /// - Parameters:
  ///   - cursor: that of the page before; nil for the first page.
  ///   - reply: the page; at once without a store.
  public func list(
    after cursor: Int?, limit: Int, _ reply: @escaping @Sendable (Result<SessionPage, SessionFailure>) -> Void
  ) {
    guard let keeping = house.keeping else { return reply(.success(list(after: cursor, limit: limit))) }
    list(keeping, SessionPage(sessions: [], next: nil), after: cursor ?? 0, limit: limit, reply)
  }

  private func list(
    _ keeping: Keeping, _ page: SessionPage, after cursor: Int, limit: Int,
    _ reply: @escaping @Sendable (Result<SessionPage, SessionFailure>) -> Void
  ) {
    // One more than fits tells whether there is a next page.
    let wanted = limit - page.sessions.count + 1
    keeping.store.list(after: cursor, limit: wanted) { [self] result in
      switch result {
      case .failure(let failure): reply(.failure(.store(failure, hasStarted: false)))
      case .success(let stored):
        let now = house.world.now()
        var page = page
        var last = cursor
        for stored in stored {
          guard let summary = summary(of: stored, now: now) else {
            last = stored.head.sequence
            continue
          }
          if page.sessions.count == limit {
            page.next = last
            return reply(.success(page))
          }
          last = stored.head.sequence
          page.sessions.append(summary)
        }
        guard stored.count == wanted else { return reply(.success(page)) }
        list(keeping, page, after: last, limit: limit, reply)
      }
    }
  }

  /// What a session in memory says of itself, else what the store says; nil where its time is over, or that
  /// is damaged.
  private func summary(of stored: StoredSummary, now: Int) -> SessionSummary? {
    let resident = state.withLock { $0.resident(stored.head.session) }
    if let resident { return expiry(of: resident) > now ? resident.summary : nil }
    guard stored.isSound else { return nil }
    let summary = SessionSummary(
      id: stored.head.session, table: stored.head.table, revision: stored.state.revision,
      state: stored.state.state, itemCount: stored.state.itemCount, created: stored.head.created,
      touched: stored.state.touched)
    guard let idle = house.slot(ofTable: summary.table).idleTime else { return summary }
    return summary.touched > now - idle ? summary : nil
  }

  private func list(after cursor: Int?, limit: Int) -> SessionPage {
    let now = house.world.now()
    var summaries: [SessionSummary] = []
    var last = cursor ?? 0
    while true {
      // One more than fits tells whether there is a next page.
      let wanted = limit - summaries.count + 1
      let residents = state.withLock { $0.residents(after: last, limit: wanted) }
      for resident in residents {
        guard expiry(of: resident) > now, let summary = resident.summary else { continue }
        if summaries.count == limit { return SessionPage(sessions: summaries, next: last) }
        last = resident.sequence
        summaries.append(summary)
      }
      guard residents.count == wanted, let end = residents.last else {
        return SessionPage(sessions: summaries, next: nil)
      }
      last = end.sequence
    }
  }
}

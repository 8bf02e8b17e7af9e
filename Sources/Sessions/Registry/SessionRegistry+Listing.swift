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

extension SessionRegistry {
  /// A page of sessions in the order of their creation.
  ///
  /// Does not count as a use of them. O(log n + limit).
  ///
  /// Whoever reads page after page sees every session once that is there all the while.
  ///
  /// - Parameter after: the cursor of the page before; nil for the first page.
  /// - Returns: the page, and the cursor of the next where there is one.
  public func list(after cursor: Int?, limit: Int) -> (sessions: [SessionSummary], next: Int?) {
    let now = house.world.now()
    var summaries: [SessionSummary] = []
    var last = cursor ?? 0
    while true {
      // One more than fits tells whether there is a next page.
      let wanted = limit - summaries.count + 1
      let sessions = state.withLock { $0.sessions(after: last, limit: wanted) }
      for session in sessions {
        guard expiry(of: session) > now, let (version, _, touched) = session.peek() else { continue }
        if summaries.count == limit { return (summaries, last) }
        last = session.sequence
        summaries.append(
          SessionSummary(
            id: session.id, table: session.table, revision: version.revision, state: version.state,
            itemCount: version.itemCount, created: session.created, touched: touched))
      }
      guard sessions.count == wanted, let end = sessions.last else { return (summaries, nil) }
      last = end.sequence
    }
  }
}

import JSONText
import ListModel

/// A session in the list of sessions.
public struct SessionSummary: Sendable {
  public let id: Bytes
  public let table: Bytes
  public let revision: Int
  public let state: Bytes
  public let itemCount: Int
  /// Milliseconds since 1970.
  public let created: Int
  /// Milliseconds since 1970.
  public let touched: Int
}

extension SessionRegistry {
  /// A page of sessions in the order of their creation. Does not count as a use of them. O(log n + limit).
  ///
  /// - Parameter after: the cursor of the page before; nil for the first page.
  /// - Returns: the page, and the cursor of the next where there is one.
  public func list(after cursor: Int?, limit: Int) -> (sessions: [SessionSummary], next: Int?) {
    let now = house.world.now()
    let (page, hasMore) = state.withLock { state in
      let start = state.firstPlace(from: (cursor ?? 0).addingReportingOverflow(1).partialValue)
      let rest = state.order[min(start, state.order.count)...]
      return (Array(rest.prefix(limit)), rest.count > limit)
    }
    var summaries: [SessionSummary] = []
    for session in page where !isExpired(session, now: now) {
      guard let (version, _, touched) = session.peek() else { continue }
      summaries.append(
        SessionSummary(
          id: session.id, table: session.table, revision: version.revision, state: version.state,
          itemCount: version.itemCount, created: session.created, touched: touched))
    }
    return (summaries, hasMore ? page.last?.sequence : nil)
  }
}

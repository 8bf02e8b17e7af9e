/// What made a change (protocol §1).
public enum Cause: String, Sendable, CaseIterable {
  case load, refresh
  case loadMore = "load-more"
  case retry, fail, insert, delete, move, update, replace, batch, select, transition, recover
}

/// What a fetch does; also what `loading` says while it is in flight.
public enum FetchKind: String, Sendable, CaseIterable {
  case load, refresh
  case loadMore = "load-more"

  var cause: Cause {
    switch self {
    case .load: .load
    case .refresh: .refresh
    case .loadMore: .loadMore
    }
  }
}

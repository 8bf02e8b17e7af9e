/// What made a change (protocol §1).
public enum Cause: String, Sendable, CaseIterable {
  case load, refresh
  case loadMore = "load-more"
  case retry, fail, insert, delete, move, update, replace, batch, select, transition, recover

  /// The raw value as it is written.
  var literal: StaticString {
    switch self {
    case .load: "load"
    case .refresh: "refresh"
    case .loadMore: "load-more"
    case .retry: "retry"
    case .fail: "fail"
    case .insert: "insert"
    case .delete: "delete"
    case .move: "move"
    case .update: "update"
    case .replace: "replace"
    case .batch: "batch"
    case .select: "select"
    case .transition: "transition"
    case .recover: "recover"
    }
  }
}

/// What a fetch does; also what `loading` says while it is in flight.
public enum FetchKind: String, Sendable, CaseIterable {
  case load, refresh
  case loadMore = "load-more"

  /// The raw value as it is written.
  var literal: StaticString { cause.literal }

  var cause: Cause {
    switch self {
    case .load: .load
    case .refresh: .refresh
    case .loadMore: .loadMore
    }
  }
}

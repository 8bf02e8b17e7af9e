import JSONText

/// A command on a list, decoded and checked as far as that goes without the list (protocol §7).
public enum Command: Sendable {
  case load(Delivery?)
  case refresh(RefreshOptions, Delivery?)
  case loadMore(Delivery?)
  case retry(Delivery?)
  case fail(UpstreamFailure, fetch: Int?)
  case edit(Edit)
  case batch([Edit])
  case select(Selection)
  case transition(to: Bytes, data: JSONValue)

  /// What the changes of this command name as their cause.
  public var cause: Cause {
    switch self {
    case .load: .load
    case .refresh: .refresh
    case .loadMore: .loadMore
    case .retry: .retry
    case .fail: .fail
    case .edit(let edit): edit.action.cause
    case .batch: .batch
    case .select: .select
    case .transition: .transition
    }
  }
}

/// Rows that a client gives for a fetch.
public struct Delivery: Sendable {
  /// The rows, in their order.
  public var items: [Item]
  /// Whether the client has more.
  public var hasNext: Bool
  /// The revision of the change that started the fetch which this answers; nil: whichever is awaited.
  public var fetch: Int?
}

/// How `refresh` reads again.
public struct RefreshOptions: Sendable {
  /// How far it reads.
  public enum Extent: Sendable, Equatable {
    case firstPage
    /// As many pages as were loaded.
    case loadedPages
    /// Until this item has come.
    case through(Bytes)
  }

  /// Whether the items are dropped at once.
  public var immediately = false
  /// How far it reads.
  public var extent = Extent.firstPage
  /// New parameters as a JSON object, complete; nil: the old ones stay.
  public var params: Bytes?
}

/// One of the five commands that edit items, and where it stands in its body.
public struct Edit: Sendable {
  /// What it does.
  public enum Action: Sendable {
    case insert([Item], at: Position)
    case delete(Deletion)
    case move(id: Bytes, to: Position)
    case update([RowUpdate])
    case replace([Item], hasNext: Bool)

    var cause: Cause {
      switch self {
      case .insert: .insert
      case .delete: .delete
      case .move: .move
      case .update: .update
      case .replace: .replace
      }
    }
  }

  /// What it does.
  public var action: Action
  /// Where its object stands in the body; refusals point below it.
  public var pointer: [Bytes]
}

/// Where items go.
public enum Position: Sendable {
  /// An index among the items afterwards, counted from 0.
  case index(Int)
  case before(Bytes)
  case after(Bytes)
  case end
}

/// Which items go.
public enum Deletion: Sendable {
  case ids([Bytes])
  /// Indexes among the items held, counted from 0.
  case indexes([Int])
  case all
}

/// New content of one item.
public struct RowUpdate: Sendable {
  /// How the data changes.
  public enum Content: Sendable {
    case data(JSONValue)
    /// RFC 7396.
    case merge(JSONValue)
  }

  /// Which item.
  public var id: Bytes
  /// How its data changes.
  public var content: Content
  /// The new cell; nil: it stays.
  public var cell: Bytes?
}

/// What is selected.
public enum Selection: Sendable {
  case id(Bytes)
  /// An index of `rows`, counted from 0.
  case row(Int)
  case nothing
}

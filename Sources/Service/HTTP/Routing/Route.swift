import JSONText
import ListModel

/// What a request is about: a path of protocol §5 with the ids in it, percent-decoded once.
public enum Route: Sendable, Equatable {
  case index, library, openAPI, healthz, readyz, metrics
  /// A file of the browser client, of one build.
  case client(version: Bytes, file: Bytes)
  case problem(slug: Bytes)
  case tables
  case table(name: Bytes)
  case sessions
  case session(id: Bytes)
  /// `index` counts rows from 0; one that is too large for any list is `Int.decimalCeiling`.
  case row(session: Bytes, index: Int)
  case item(session: Bytes, id: Bytes)
  case changes(session: Bytes)
  case command(session: Bytes, CommandName)

  /// The path without what stands in its braces.
  public var kind: RouteKind {
    switch self {
    case .index: .index
    case .library: .library
    case .client: .client
    case .openAPI: .openAPI
    case .healthz: .healthz
    case .readyz: .readyz
    case .metrics: .metrics
    case .problem: .problem
    case .tables: .tables
    case .table: .table
    case .sessions: .sessions
    case .session: .session
    case .row: .row
    case .item: .item
    case .changes: .changes
    case .command: .command
    }
  }

  /// The session that it is about, as the path names it.
  public var session: Bytes? {
    switch self {
    case .session(let id), .row(let id, _), .item(let id, _), .changes(let id), .command(let id, _): id
    default: nil
    }
  }
}

import HTTP1

/// A path of protocol §5, whatever stands in its braces.
public enum RouteKind: UInt8, Sendable, CaseIterable {
  case index, library, client, openAPI, healthz, readyz, metrics, problem
  case tables, table
  case sessions, session, row, item, changes, command

  /// The path as `/openapi.json`, metrics and the log name it.
  public var template: StaticString {
    switch self {
    case .index: "/"
    case .library: "/rowcast.js"
    case .client: "/client/{version}/{file}"
    case .openAPI: "/openapi.json"
    case .healthz: "/healthz"
    case .readyz: "/readyz"
    case .metrics: "/metrics"
    case .problem: "/problems/{slug}"
    case .tables: "/v1/tables"
    case .table: "/v1/tables/{table}"
    case .sessions: "/v1/sessions"
    case .session: "/v1/sessions/{id}"
    case .row: "/v1/sessions/{id}/rows/{index}"
    case .item: "/v1/sessions/{id}/items/{item}"
    case .changes: "/v1/sessions/{id}/changes"
    case .command: "/v1/sessions/{id}/{command}"
    }
  }

  /// What its `Allow` field says.
  public var allow: StaticString {
    switch self {
    case .sessions: "GET, HEAD, POST, OPTIONS"
    case .session: "GET, HEAD, PUT, DELETE, OPTIONS"
    case .command: "POST, OPTIONS"
    default: "GET, HEAD, OPTIONS"
    }
  }

  /// Whether it can be asked with `method`.
  public func allows(_ method: Method) -> Bool {
    switch method {
    case .options: true
    case .get, .head: self != .command
    case .post: self == .command || self == .sessions
    case .put, .delete: self == .session
    case .patch, .trace, .connect: false
    }
  }
}

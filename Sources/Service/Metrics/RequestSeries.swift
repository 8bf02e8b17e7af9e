import HTTP1
import JSONText

/// Where the count of a method, path and status lies in one flat table.
enum RequestSeries {
  /// One more than there are paths: the last stands for unknown ones.
  static let routes = RouteKind.allCases.count + 1
  static let methods: [(method: Method, name: Bytes)] = [
    (.get, "GET"), (.head, "HEAD"), (.post, "POST"), (.put, "PUT"), (.delete, "DELETE"),
    (.options, "OPTIONS"), (.patch, "PATCH"), (.trace, "TRACE"), (.connect, "CONNECT"),
  ]
  /// The statuses that this server answers; any other counts as the last of these below it.
  static let statuses = [
    200, 201, 202, 204, 304, 400, 401, 403, 404, 405, 406, 408, 409, 410, 412, 413, 415, 417, 422, 429, 431,
    500, 501,
    503, 505,
  ]
  static let count = routes * methods.count * statuses.count

  static func route(_ kind: RouteKind?) -> Int { kind.map { Int($0.rawValue) } ?? routes - 1 }

  static func index(_ method: Method, _ kind: RouteKind?, status: Int) -> Int {
    (route(kind) * methods.count + Int(method.rawValue)) * statuses.count + place(of: status)
  }

  private static func place(of status: Int) -> Int {
    var place = 0
    while place + 1 < statuses.count && statuses[place + 1] <= status { place += 1 }
    return place
  }

  /// The label of a path.
  static func label(_ route: Int) -> Bytes {
    route < RouteKind.allCases.count ? Bytes("\(RouteKind.allCases[route].template)") : "unknown"
  }
}

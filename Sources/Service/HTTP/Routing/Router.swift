import Glibc
import HTTP1
import JSONText
import ListModel

/// Finds what a path is about.
///
/// Paths are compared byte by byte as they were sent: `/v1/%74ables`, `/V1/tables` and `/v1/tables/` are other paths
/// than `/v1/tables`, and unknown. A path is split at its slashes before its ids are decoded, so that `%2F` in an id is
/// a part of the id. O(n) in the path, without an allocation where no id is percent-encoded.
public enum Router {
  /// A known path with its ids still encoded: their places in the path.
  struct Shape {
    var kind: RouteKind
    var first = 0..<0
    var second = 0..<0
    var command = CommandName.load
  }

  /// The path's shape; nil where it is unknown.
  static func shape(of path: [UInt8]) -> Shape? {
    path.withUnsafeBufferPointer { path in
      guard starts(path, with: "/v1/") else { return publicShape(of: path) }
      if starts(path, with: "/v1/sessions") { return sessionShape(of: path) }
      if equals(path, 0..<path.count, "/v1/tables") { return Shape(kind: .tables) }
      return tail(of: path, behind: "/v1/tables/").map { Shape(kind: .table, first: $0) }
    }
  }

  /// What the path is about.
  ///
  /// - Throws: `malformed-request` where an id is badly encoded, or a row's index is no number.
  static func route(_ shape: Shape, in path: [UInt8]) throws(Problem) -> Route {
    switch shape.kind {
    case .index: return .index
    case .library: return .library
    case .client:
      return .client(
        version: try percentDecoded(path, shape.first), file: try percentDecoded(path, shape.second))
    case .openAPI: return .openAPI
    case .healthz: return .healthz
    case .readyz: return .readyz
    case .metrics: return .metrics
    case .problem: return .problem(slug: try percentDecoded(path, shape.first))
    case .tables: return .tables
    case .table: return .table(name: try percentDecoded(path, shape.first))
    case .sessions: return .sessions
    case .session: return .session(id: try percentDecoded(path, shape.first))
    case .changes: return .changes(session: try percentDecoded(path, shape.first))
    case .command: return .command(session: try percentDecoded(path, shape.first), shape.command)
    case .item:
      return .item(
        session: try percentDecoded(path, shape.first), id: try percentDecoded(path, shape.second))
    case .row:
      let index = try percentDecoded(path, shape.second).array
      guard let index = decimal(index) else {
        throw Problem(.malformedRequest, detail: "the index of a row is a number, counted from 0")
      }
      return .row(session: try percentDecoded(path, shape.first), index: index)
    }
  }

  private static func publicShape(of path: UnsafeBufferPointer<UInt8>) -> Shape? {
    let whole = 0..<path.count
    if equals(path, whole, "/") { return Shape(kind: .index) }
    if equals(path, whole, "/healthz") { return Shape(kind: .healthz) }
    if equals(path, whole, "/readyz") { return Shape(kind: .readyz) }
    if equals(path, whole, "/metrics") { return Shape(kind: .metrics) }
    if equals(path, whole, "/openapi.json") { return Shape(kind: .openAPI) }
    if equals(path, whole, "/rowcast.js") { return Shape(kind: .library) }
    if starts(path, with: "/client/") { return clientShape(of: path) }
    return tail(of: path, behind: "/problems/").map { Shape(kind: .problem, first: $0) }
  }

  private static func clientShape(of path: UnsafeBufferPointer<UInt8>) -> Shape? {
    let version = segment(of: path, from: "/client/".utf8.count)
    guard !version.isEmpty, version.upperBound < path.count else { return nil }
    let file = segment(of: path, from: version.upperBound + 1)
    guard !file.isEmpty, file.upperBound == path.count else { return nil }
    return Shape(kind: .client, first: version, second: file)
  }

  private static func sessionShape(of path: UnsafeBufferPointer<UInt8>) -> Shape? {
    let prefix: StaticString = "/v1/sessions/"
    guard starts(path, with: prefix) else {
      return path.count == prefix.utf8CodeUnitCount - 1 ? Shape(kind: .sessions) : nil
    }
    let session = segment(of: path, from: prefix.utf8CodeUnitCount)
    guard !session.isEmpty else { return nil }
    if session.upperBound == path.count { return Shape(kind: .session, first: session) }

    let second = segment(of: path, from: session.upperBound + 1)
    guard second.upperBound < path.count else {
      if equals(path, second, "changes") { return Shape(kind: .changes, first: session) }
      return command(path, second).map { Shape(kind: .command, first: session, command: $0) }
    }
    let third = segment(of: path, from: second.upperBound + 1)
    guard third.upperBound == path.count, !third.isEmpty else { return nil }
    if equals(path, second, "rows") { return Shape(kind: .row, first: session, second: third) }
    if equals(path, second, "items") { return Shape(kind: .item, first: session, second: third) }
    return nil
  }

  private static func command(_ path: UnsafeBufferPointer<UInt8>, _ name: Range<Int>) -> CommandName? {
    func matches(_ literal: StaticString) -> Bool { equals(path, name, literal) }
    switch name.count {
    case 4: return matches("load") ? .load : matches("move") ? .move : matches("fail") ? .fail : nil
    case 5: return matches("retry") ? .retry : matches("batch") ? .batch : nil
    case 6:
      if matches("insert") { return .insert }
      if matches("update") { return .update }
      if matches("delete") { return .delete }
      return matches("select") ? .select : nil
    case 7: return matches("refresh") ? .refresh : matches("replace") ? .replace : nil
    case 9: return matches("load-more") ? .loadMore : nil
    case 10: return matches("transition") ? .transition : nil
    default: return nil
    }
  }

  /// The segment that begins at `start`, up to the next slash or the end.
  private static func segment(of path: UnsafeBufferPointer<UInt8>, from start: Int) -> Range<Int> {
    var end = start
    while end < path.count && path[end] != UInt8(ascii: "/") { end += 1 }
    return start..<end
  }

  /// The one segment behind `prefix`; nil where the path begins otherwise, ends there or goes on.
  private static func tail(of path: UnsafeBufferPointer<UInt8>, behind prefix: StaticString) -> Range<Int>? {
    guard starts(path, with: prefix) else { return nil }
    let last = segment(of: path, from: prefix.utf8CodeUnitCount)
    return last.isEmpty || last.upperBound < path.count ? nil : last
  }

  private static func starts(_ path: UnsafeBufferPointer<UInt8>, with prefix: StaticString) -> Bool {
    path.count >= prefix.utf8CodeUnitCount && equals(path, 0..<prefix.utf8CodeUnitCount, prefix)
  }

  private static func equals(
    _ path: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ literal: StaticString
  ) -> Bool {
    guard range.count == literal.utf8CodeUnitCount, let base = path.baseAddress else { return false }
    return memcmp(base + range.lowerBound, literal.utf8Start, range.count) == 0
  }
}

import HTTP1
import JSONText

/// The header fields that an answer owes to the origin of its request; every answer gets them, problems too.
public struct CrossOriginFields: Sendable {
  /// The lines, each `Name: value\r\n`; mostly none.
  public let lines: [UInt8]

  static let none = CrossOriginFields(lines: [])

  /// Caches must not hand an answer without permission to a page that would have had it.
  static let varying = CrossOriginFields(lines: Array("Vary: Origin\r\n".utf8))

  static func granting(_ origin: ArraySlice<UInt8>) -> CrossOriginFields {
    var lines: [UInt8] = []
    lines.append(literal: "Access-Control-Allow-Origin: ")
    lines.append(contentsOf: origin)
    lines.append(
      literal: """
        \r\nAccess-Control-Expose-Headers: ETag, Location, Retry-After, Idempotent-Replayed, Idempotency-Expires\r
        Vary: Origin\r\n
        """)
    return CrossOriginFields(lines: lines)
  }

  /// Adds them to an answer.
  public func add(to response: inout Response) {
    response.fieldLines.append(contentsOf: lines)
  }
}

extension AccessRules {
  /// What is known of a request's origin.
  struct Origin {
    /// Whether it is another one than the server's own, and listed.
    var isListed: Bool
    var fields: CrossOriginFields
  }

  /// Checks from where a page asks (configuration.md, `origins`).
  ///
  /// Requests without `Origin` pass, as no page of another origin can make one that changes anything without it.
  ///
  /// - Throws: `forbidden-origin`; `malformed-request` for a second `Origin`.
  func checkOrigin(_ request: Request) throws(Problem) -> Origin {
    guard let value = request.fields.first("origin") else {
      return Origin(isListed: false, fields: origins.isEmpty ? .none : .varying)
    }
    guard !request.fields.isRepeated("origin") else {
      throw Problem(.malformedRequest, detail: "Origin is given twice")
    }
    let origin = value.trimmed
    if origins.contains(where: { origin.equals(ignoringCase: $0[...]) }) {
      return Origin(isListed: true, fields: .granting(origin))
    }
    if isOwn(origin, of: request) {
      return Origin(isListed: false, fields: origins.isEmpty ? .none : .varying)
    }
    throw Problem(
      .forbiddenOrigin,
      detail:
        "pages of “\(String(decoding: origin, as: UTF8.self))” may not ask here: add it to server.origins")
  }

  /// Whether `origin` is `http://` or `https://` with the host and port by which the request names the server.
  private func isOwn(_ origin: ArraySlice<UInt8>, of request: Request) -> Bool {
    guard let server = RequestAuthority(request.authority[...]) else { return false }
    for (scheme, port) in [("http://" as StaticString, 80), ("https://", 443)] {
      guard origin.prefix(scheme.utf8CodeUnitCount).equals(ignoringCase: scheme),
        let page = RequestAuthority(origin.dropFirst(scheme.utf8CodeUnitCount))
      else { continue }
      return page.host.equals(ignoringCase: server.host)
        && page.port(orStandard: port) == server.port(orStandard: port)
    }
    return false
  }

  /// The answer to a preflight of a listed origin (Fetch standard, CORS-preflight): what protocol §9 allows.
  static func preflightResponse() -> Response {
    var response = Response(status: 204)
    response.fieldLines.append(
      literal: """
        Access-Control-Allow-Methods: GET, HEAD, POST, PUT, DELETE\r
        Access-Control-Allow-Headers: Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, \
        Last-Event-ID, Prefer\r
        Access-Control-Max-Age: 7200\r\n
        """)
    return response
  }
}

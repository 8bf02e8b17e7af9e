import HTTP1

extension AccessRules {
  /// Checks the token of a request under `/v1` or on `/metrics` (configuration.md, `tokens`).
  ///
  /// - Throws: `unauthorized` without a token of the server's, `forbidden` without an admin's where one is needed,
  ///   `malformed-request` for a second `Authorization`.
  func checkToken(_ request: Request, isForAdmins: Bool) throws(Problem) -> Principal {
    guard !tokens.isEmpty else { return .anyone }
    guard let field = request.fields.first("authorization") else {
      throw Self.unauthorized("send “Authorization: Bearer TOKEN” with one of the server's tokens")
    }
    guard !request.fields.isRepeated("authorization") else {
      throw Problem(.malformedRequest, detail: "Authorization is given twice")
    }
    guard let secret = Self.bearerToken(field.trimmed) else {
      throw Self.unauthorized("Authorization is not “Bearer TOKEN”")
    }
    // Every token is compared, so that time tells neither which one it was nor how far the two agree.
    var holder: Token?
    for token in tokens where Self.areEqual(secret, token.secret) { holder = token }
    guard let holder else { throw Self.unauthorized("the token is none of the server's") }
    guard holder.isAdmin || !isForAdmins || !hasAdmins else {
      throw Problem(.forbidden, detail: "this needs one of server.adminTokens")
    }
    return holder.principal
  }

  private static func unauthorized(_ detail: String) -> Problem {
    Problem(.unauthorized, detail: detail).adding("WWW-Authenticate", "Bearer")
  }

  /// What stands behind `Bearer` and one or more spaces (RFC 6750 §2.1; the scheme in any case, RFC 9110 §11.1).
  private static func bearerToken(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    let scheme = field.prefix { $0 != 32 && $0 != 9 }
    let token = field[scheme.endIndex...].trimmed
    return scheme.equals(ignoringCase: "bearer") && !token.isEmpty ? token : nil
  }

  /// Whether both are the same, in a time that depends on the length of `given` alone.
  @inline(never)
  private static func areEqual(_ given: ArraySlice<UInt8>, _ secret: [UInt8]) -> Bool {
    guard !secret.isEmpty else { return false }
    var difference = given.count ^ secret.count
    var place = 0
    for byte in given {
      difference |= Int(byte ^ secret[place])
      place = place + 1 == secret.count ? 0 : place + 1
    }
    return difference == 0
  }
}

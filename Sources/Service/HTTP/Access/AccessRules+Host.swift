import HTTP1

extension AccessRules {
  /// Checks by what name the server was asked (configuration.md, `hosts`).
  ///
  /// A page of another site can only reach this server by making its own name point here; so only names that nobody
  /// else can own pass. HTTP/1.0 without `Host` passes: no browser sends that, load balancers do.
  ///
  /// - Throws: `forbidden-host`; `malformed-request` where the name is none.
  func checkHost(_ request: Request) throws(Problem) {
    if request.authority.isEmpty && request.minorVersion == 0 && request.fields.first("host") == nil {
      return
    }
    guard let authority = RequestAuthority(request.authority[...]) else {
      if request.authority.isEmpty {
        throw Problem(
          .forbiddenHost,
          detail: "Host is empty; ask by IP address, as localhost or by a name in server.hosts")
      }
      throw Problem(.malformedRequest, detail: "Host is no host name or address with an optional port")
    }
    if authority.host.equals(ignoringCase: "localhost") || authority.isAddress { return }
    if hosts.contains(where: { authority.host.equals(ignoringCase: $0[...]) }) { return }
    throw Problem(
      .forbiddenHost,
      detail:
        "this server does not answer as “\(String(decoding: authority.host, as: UTF8.self))”: add it to "
        + "server.hosts, or ask by IP address or as localhost")
  }
}

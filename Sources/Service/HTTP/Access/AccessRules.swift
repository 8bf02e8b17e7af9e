import JSONText

/// Who may ask: the host names, origins and tokens of `server` in the configuration.
public struct AccessRules: Sendable {
  /// Host names that count as this server besides IP addresses and `localhost`, lower case.
  let hosts: [[UInt8]]
  /// Origins whose pages may ask, as browsers send them; `null` may be among them.
  let origins: [[UInt8]]
  /// Every token, those for admins last; none: whoever reaches the server may ask.
  let tokens: [Token]
  /// Whether some things are for admin tokens alone.
  let hasAdmins: Bool

  struct Token: Sendable {
    var secret: [UInt8]
    var isAdmin: Bool
    var principal: Principal
  }

  /// Rules of these values.
  ///
  /// A token that is in both lists is an admin's.
  public init(
    hosts: [Bytes] = [], origins: [Bytes] = [], tokens: [Bytes] = [], adminTokens: [Bytes] = []
  ) {
    self.hosts = hosts.map { $0.array.map(\.lowercased) }
    self.origins = origins.map(\.array)
    func token(_ secret: Bytes, isAdmin: Bool) -> Token {
      Token(secret: secret.array, isAdmin: isAdmin, principal: Principal(token: secret))
    }
    self.tokens =
      tokens.map { token($0, isAdmin: false) } + adminTokens.map { token($0, isAdmin: true) }
    hasAdmins = !adminTokens.isEmpty
  }
}

/// Whose request it is: anyone's, or that of a token's holder, told apart without keeping the token.
///
/// The same token has the same principal in every process and after every restart, so that what is stored for it (the
/// idempotency keys of creates) is found again.
public struct Principal: Sendable, Hashable {
  /// Empty for anyone; else the first 16 bytes of the token's SHA-256.
  public let fingerprint: Bytes

  /// Whoever asks a server without tokens.
  public static let anyone = Principal(fingerprint: .empty)

  private init(fingerprint: Bytes) { self.fingerprint = fingerprint }

  init(token: Bytes) {
    self.init(fingerprint: Bytes(Array(SHA256.digest(token.array).prefix(16))))
  }
}

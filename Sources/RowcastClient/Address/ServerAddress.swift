/// Where a server answers: `http://host[:port]`, and what stands before `/v1` where a proxy put it under a path.
///
/// Plain HTTP only. Rowcast serves nothing else, and TLS ends at a proxy.
public struct ServerAddress: Sendable, Hashable {
  /// A name or an address, without brackets.
  public let host: String
  /// The port, 1–65535.
  public let port: Int
  /// What stands before `/v1`: empty, or a path that begins with a slash and does not end with one.
  public let prefix: String

  /// A server at `host` and `port`.
  public init(host: String, port: Int, prefix: String = "") {
    self.host = host
    self.port = port
    self.prefix = prefix
  }

  /// The value of a request's `Host`.
  public var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// Where a session is found.
public struct SessionAddress: Sendable, Hashable {
  /// The server that holds it.
  public let server: ServerAddress
  /// Its id: `[A-Za-z0-9_-]{1,64}` (protocol §5), and so in need of no escapes.
  public let id: String

  /// The session `id` of a server; nil where no session can have this id.
  public init?(server: ServerAddress, id: String) {
    guard 1...64 ~= id.utf8.count, id.utf8.allSatisfy(Self.isIDByte) else { return nil }
    self.server = server
    self.id = id
  }

  /// The path of its requests.
  public var path: String { "\(server.prefix)/v1/sessions/\(id)" }

  private static func isIDByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}

extension SessionAddress: CustomStringConvertible {
  /// The session's URL.
  public var description: String { "http://\(server.authority)\(path)" }
}

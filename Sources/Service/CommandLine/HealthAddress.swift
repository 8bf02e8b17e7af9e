/// Where `rowcast health` asks.
public struct HealthAddress: Sendable, Equatable {
  /// A name or an address, without brackets.
  public var host: String
  /// The port.
  public var port: Int
  /// The path and query to get.
  public var path: String

  /// The address of a server that was told to listen on `host`: loopback where it listens everywhere.
  public init(listeningOn host: String, port: Int) {
    let address = IPAddress(host)
    let isEverywhere = address?.isWildcard == true
    self.host = isEverywhere ? (address?.bytes.count == 16 ? "::1" : "127.0.0.1") : host
    self.port = port
    path = Self.standardPath
  }

  /// Reads `http://host[:port][/path]`; nil where `url` is anything else.
  public init?(url: String) {
    let scheme = "http://"
    guard url.lowercased().hasPrefix(scheme), url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != 0x23 })
    else {
      return nil
    }
    let rest = url.dropFirst(scheme.count)
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    guard let authority = Authority(String(rest[..<end])) else { return nil }
    host = authority.host.hasPrefix("[") ? String(authority.host.dropFirst().dropLast()) : authority.host
    port = authority.port ?? 80
    let target = rest[end...]
    path =
      target.isEmpty || target == "/"
      ? Self.standardPath : target.hasPrefix("?") ? "/\(target)" : String(target)
  }

  /// The value of the `Host` field of the request.
  public var authority: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

  private static let standardPath = "/healthz"

  static let setting = Setting(
    wrong: "no address", right: "an address such as http://127.0.0.1:8080", read: Self.init(url:))
}

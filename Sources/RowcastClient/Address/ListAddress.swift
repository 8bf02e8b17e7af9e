/// What an address that a person has at hand leads to.
public enum ListAddress: Sendable, Hashable {
  /// A session: `http://host/v1/sessions/ID`, or the page that shows it, `http://host/?session=ID`.
  case session(SessionAddress)
  /// A table, of which a session is yet to be opened: the page `http://host/?table=NAME`.
  case table(String, ServerAddress)
  /// A server alone.
  case server(ServerAddress)

  /// Reads an `http` URL; nil where it is none, bears a user's name or a fragment, or names a session that no id can
  /// stand for.
  public init?(url: String) {
    let scheme = "http://"
    guard url.lowercased().hasPrefix(scheme),
      url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "#") })
    else { return nil }
    let rest = url.dropFirst(scheme.count)
    let pathStart = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    guard let (host, port) = Self.authority(rest[..<pathStart]) else { return nil }
    let parts = rest[pathStart...].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts.first ?? ""

    if let (prefix, id) = Self.sessionPath(path) {
      let server = ServerAddress(host: host, port: port, prefix: String(prefix))
      guard let session = SessionAddress(server: server, id: String(id)) else { return nil }
      self = .session(session)
      return
    }
    let folder = path.lastIndex(of: "/").map { path[..<$0] } ?? ""
    let server = ServerAddress(host: host, port: port, prefix: String(folder))
    let query = parts.count > 1 ? parts[1] : ""
    if let id = Self.value(of: "session", in: query) {
      guard let session = SessionAddress(server: server, id: id) else { return nil }
      self = .session(session)
    } else if let name = Self.value(of: "table", in: query) {
      self = .table(name, server)
    } else {
      self = .server(server)
    }
  }

  private static func authority(_ text: Substring) -> (host: String, port: Int)? {
    var host = text
    var port = 80
    let hostEnd = text.hasPrefix("[") ? text.firstIndex(of: "]") : text.startIndex
    guard let hostEnd else { return nil }
    if let colon = text[hostEnd...].firstIndex(of: ":") {
      host = text[..<colon]
      let digits = text[colon...].dropFirst()
      guard digits.allSatisfy(\.isWholeNumber), let number = Int(digits), 1...65_535 ~= number else {
        return nil
      }
      port = number
    }
    if host.hasPrefix("[") {
      guard host.hasSuffix("]") else { return nil }
      host = host.dropFirst().dropLast()
      guard host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else { return nil }
    } else {
      guard host.allSatisfy({ $0.isLetter || $0.isWholeNumber || $0 == "-" || $0 == "." || $0 == "_" }) else {
        return nil
      }
    }
    return host.isEmpty ? nil : (String(host), port)
  }

  /// What stands before `/v1/sessions/ID` and the id; nil where `path` does not end like that.
  private static func sessionPath(_ path: Substring) -> (prefix: Substring, id: Substring)? {
    guard let slash = path.lastIndex(of: "/") else { return nil }
    let collection = "/v1/sessions"
    guard path[..<slash].hasSuffix(collection) else { return nil }
    return (path[..<slash].dropLast(collection.count), path[slash...].dropFirst())
  }

  /// The decoded value of a query's first parameter of this name; nil where it is absent, empty or no UTF-8.
  private static func value(of name: String, in query: Substring) -> String? {
    for pair in query.split(separator: "&") where pair.hasPrefix("\(name)=") {
      return decoded(pair.dropFirst(name.count + 1))
    }
    return nil
  }

  private static func decoded(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
        continue
      }
      guard rest.count >= 2, let value = UInt8(Substring(rest.prefix(2)), radix: 16) else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self)
  }
}

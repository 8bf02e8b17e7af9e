/// Where sessions are kept, as `store`, `ROWCAST_STORE` or `--store` names it.
public enum StoreChoice: Sendable, Equatable {
  /// In the memory of the process: `memory:`.
  case memory
  /// In a SQLite file: `sqlite:PATH[?synchronous=full|normal|off]`.
  case sqlite(path: String, synchronous: Synchronous)
  /// In a Redis: `redis://[[user]:password@]host:port/db`.
  case redis(RedisAddress)

  /// How surely SQLite has written when it says so (PRAGMA synchronous).
  public enum Synchronous: String, Sendable, CaseIterable {
    case full, normal, off
  }

  /// The database of a Redis server.
  public struct RedisAddress: Sendable, Equatable {
    /// The user; nil for the default one.
    public var user: String?
    /// The password; nil where the server wants none.
    public var password: String?
    /// A name or an address, without brackets.
    public var host: String
    /// The port, 1–65535.
    public var port: Int
    /// The number of the database.
    public var database: Int
  }

  /// The store where nothing names one: a file in the working directory.
  public static let standard = StoreChoice.sqlite(path: "var/rowcast.db", synchronous: .full)

  /// Whether this build has the store.
  public var isBuiltIn: Bool {
    switch self {
    case .memory, .sqlite: true
    case .redis: false
    }
  }

  /// The scheme, without the secrets that an address may hold.
  public var scheme: String {
    switch self {
    case .memory: "memory:"
    case .sqlite: "sqlite:"
    case .redis: "redis:"
    }
  }

  /// Reads a store's address; nil where `text` is none.
  public init?(_ text: String) {
    if text == "memory:" {
      self = .memory
    } else if text.hasPrefix("sqlite:") {
      guard let store = Self.sqlite(text.dropFirst("sqlite:".count)) else { return nil }
      self = store
    } else if text.hasPrefix("redis://") {
      guard let address = RedisAddress(text.dropFirst("redis://".count)) else { return nil }
      self = .redis(address)
    } else {
      return nil
    }
  }

  private static func sqlite(_ address: Substring) -> StoreChoice? {
    let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = parts.first, !path.isEmpty, !path.utf8.contains(0) else { return nil }
    guard parts.count == 2 else { return .sqlite(path: String(path), synchronous: .full) }
    let option = parts[1].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard option.count == 2, option[0] == "synchronous" else { return nil }
    return Synchronous(rawValue: String(option[1])).map { .sqlite(path: String(path), synchronous: $0) }
  }
}

extension StoreChoice.RedisAddress {
  /// Reads `[[user]:password@]host[:port][/db]`; user and password may be percent-encoded.
  init?(_ address: Substring) {
    var rest = address
    if let at = address.lastIndex(of: "@") {
      let parts = address[..<at].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else { return nil }
      guard let user = percentDecoded(parts[0]), let password = percentDecoded(parts[1]) else { return nil }
      self.user = user.isEmpty ? nil : user
      self.password = password
      rest = address[address.index(after: at)...]
    }
    let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = parts.first, let authority = Authority(String(first)) else { return nil }
    host = authority.host.hasPrefix("[") ? String(authority.host.dropFirst().dropLast()) : authority.host
    port = authority.port ?? 6_379
    let number = parts.count == 2 ? String(parts[1]) : ""
    guard number.utf8.allSatisfy(isDigit), let database = number.isEmpty ? 0 : Int(number) else { return nil }
    self.database = database
  }
}

/// The text with `%XX` decoded once (RFC 3986 §2.1); nil where it is malformed or no UTF-8.
private func percentDecoded(_ text: Substring) -> String? {
  var bytes: [UInt8] = []
  var rest = text.utf8[...]
  while let byte = rest.popFirst() {
    guard byte == UInt8(ascii: "%") else {
      bytes.append(byte)
      continue
    }
    let digits = String(rest.prefix(2)) ?? ""
    guard digits.utf8.count == 2, !digits.hasPrefix("+"), let value = UInt8(digits, radix: 16) else {
      return nil
    }
    bytes.append(value)
    rest = rest.dropFirst(2)
  }
  return String(validating: bytes, as: UTF8.self)
}

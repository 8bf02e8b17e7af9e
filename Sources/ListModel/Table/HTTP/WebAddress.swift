import JSONText

/// An `http` or `https` address in the parts that matter here: where it leads, and what is asked for there.
///
/// What stands behind the host is kept byte for byte; only bytes that may not stand in a request line at all (white
/// space, controls, bytes above 0x7E) are percent-encoded. A fragment, which is never sent, and a user with a password,
/// which no answer may choose for us, are left out.
public struct WebAddress: Sendable, Hashable {
  /// Scheme, host and port: who gets a table's header fields.
  public struct Origin: Sendable, Hashable {
    /// Whether the scheme is `https`.
    public let isSecure: Bool
    /// The host in lower case, an IPv6 address in brackets.
    public let host: Bytes
    /// The port, the scheme's default where none was written.
    public let port: Int
  }

  /// Where it leads.
  public let origin: Origin
  /// Path and query, beginning with `/`.
  public let target: Bytes
  /// Whether a user or a password stood before the host.
  public let hadUser: Bool

  /// The address as text.
  public var text: Bytes {
    var text: [UInt8] = []
    text.append(literal: origin.isSecure ? "https://" : "http://")
    text.append(origin.host)
    if origin.port != (origin.isSecure ? 443 : 80) {
      text.append(UInt8(ascii: ":"))
      text.append(decimal: origin.port)
    }
    text.append(target)
    return Bytes(text)
  }

  /// The path without the query.
  public var path: Bytes { target[0..<(target.firstIndex(of: UInt8(ascii: "?")) ?? target.count)] }

  /// Reads an absolute address; nil where it is none, or one of another scheme.
  public init?(_ text: Bytes) {
    let text = text.trimmed
    guard let colon = text.schemeLength else { return nil }
    let scheme = text[0..<colon].lowercased
    guard scheme == "http" || scheme == "https" else { return nil }
    self.init(isSecure: scheme == "https", hierarchy: text[(colon + 1)..<text.count])
  }

  /// `//authority` and what follows.
  private init?(isSecure: Bool, hierarchy text: Bytes) {
    guard text.count > 2, text[0] == UInt8(ascii: "/"), text[1] == UInt8(ascii: "/") else { return nil }
    let rest = text[2..<text.count]
    let end = rest.firstIndex { "/?#".utf8.contains($0) } ?? rest.count
    var authority = rest[0..<end]
    let at = authority.lastIndex(of: UInt8(ascii: "@"))
    if let at { authority = authority[(at + 1)..<authority.count] }
    guard let (host, port) = authority.hostAndPort else { return nil }
    let origin = Origin(isSecure: isSecure, host: host.lowercased, port: port ?? (isSecure ? 443 : 80))
    self.init(origin, target: rest[end..<rest.count], hadUser: at != nil)
  }

  private init(_ origin: Origin, target: Bytes, hadUser: Bool = false) {
    let kept = target[0..<(target.firstIndex(of: UInt8(ascii: "#")) ?? target.count)]
    var text: [UInt8] = []
    text.reserveCapacity(kept.count + 1)
    if kept.isEmpty || kept[0] != UInt8(ascii: "/") { text.append(UInt8(ascii: "/")) }
    kept.withUnsafeBytes { bytes in
      for byte in bytes {
        if byte > 0x20 && byte < 0x7F { text.append(byte) } else { text.append(percentEncoding: byte) }
      }
    }
    self.origin = origin
    self.target = Bytes(text)
    self.hadUser = hadUser
  }

  /// The address that a reference means on this one's page (RFC 3986 §5.2); nil where it cannot be asked for.
  ///
  /// An absolute one is taken as it is. Only in a path that is relative to this one's are `.` and `..` resolved.
  public func resolving(_ reference: Bytes) -> WebAddress? {
    let text = reference.trimmed
    if text.schemeLength != nil { return WebAddress(text) }
    switch text.isEmpty ? UInt8(ascii: "#") : text[0] {
    case UInt8(ascii: "/") where text.count > 1 && text[1] == UInt8(ascii: "/"):
      return WebAddress(isSecure: origin.isSecure, hierarchy: text)
    case UInt8(ascii: "/"): return WebAddress(origin, target: text)
    case UInt8(ascii: "?"): return WebAddress(origin, target: Bytes(path.array + text.array))
    case UInt8(ascii: "#"): return self
    default:
      let end = text.firstIndex { "?#".utf8.contains($0) } ?? text.count
      let folder = path[0..<((path.lastIndex(of: UInt8(ascii: "/")) ?? 0) + 1)]
      let merged = Bytes(folder.array + text[0..<end].array).withoutDotSegments
      return WebAddress(origin, target: Bytes(merged.array + text[end..<text.count].array))
    }
  }

  /// This address with more behind its query, which is encoded already.
  public func appending(query: [UInt8]) -> WebAddress {
    guard !query.isEmpty else { return self }
    var text = target.array
    if !text.contains(UInt8(ascii: "?")) {
      text.append(UInt8(ascii: "?"))
    } else if text.last != UInt8(ascii: "?") && text.last != UInt8(ascii: "&") {
      text.append(UInt8(ascii: "&"))
    }
    return WebAddress(origin, target: Bytes(text + query))
  }
}

extension Bytes {
  /// The length of the scheme before the first colon; nil where the text does not begin with one.
  fileprivate var schemeLength: Int? {
    for index in 0..<count {
      let byte = self[index]
      let isLetter = byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
      if isLetter || index > 0 && (byte >= 0x30 && byte <= 0x39 || "+-.".utf8.contains(byte)) { continue }
      return index > 0 && byte == UInt8(ascii: ":") ? index : nil
    }
    return nil
  }

  /// The two parts of an authority without user information; nil where it is none.
  fileprivate var hostAndPort: (host: Bytes, port: Int?)? {
    let bracket = lastIndex(of: UInt8(ascii: "]"))
    let colon = lastIndex(of: UInt8(ascii: ":")).flatMap { $0 > bracket ?? -1 ? $0 : nil }
    let host = self[0..<(colon ?? count)]
    guard host.isHost else { return nil }
    guard let colon, colon + 1 < count else { return (host, nil) }
    var port = 0
    for index in (colon + 1)..<count {
      guard self[index] >= 0x30, self[index] <= 0x39, port < 100_000 else { return nil }
      port = port * 10 + Int(self[index] - 0x30)
    }
    return port > 0 && port < 65_536 ? (host, port) : nil
  }

  /// Whether this may be a host: a name (any letters beyond ASCII among them) or an IPv6 address in brackets.
  private var isHost: Bool {
    guard !isEmpty else { return false }
    if self[0] == UInt8(ascii: "[") {
      guard count > 2, self[count - 1] == UInt8(ascii: "]") else { return false }
      return self[1..<(count - 1)].allSatisfy { byte in
        byte >= 0x30 && byte <= 0x3A || byte == UInt8(ascii: ".")
          || byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "f")
      }
    }
    return allSatisfy { byte in
      byte >= 0x80 || byte >= 0x30 && byte <= 0x39 || "-._~".utf8.contains(byte)
        || byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
    }
  }

  /// RFC 3986 §5.2.4, of a path that begins with `/`.
  fileprivate var withoutDotSegments: Bytes {
    var kept: [[UInt8]] = []
    let segments = array.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).dropFirst()
    for (index, segment) in zip(segments.indices, segments) {
      let isLast = index == segments.endIndex - 1
      switch Bytes(Array(segment)) {
      case ".": if isLast { kept.append([]) }
      case "..":
        if !kept.isEmpty { kept.removeLast() }
        if isLast { kept.append([]) }
      default: kept.append(Array(segment))
      }
    }
    return Bytes(kept.flatMap { [UInt8(ascii: "/")] + $0 })
  }

  /// Without white space and controls around it.
  fileprivate var trimmed: Bytes {
    var start = 0
    var end = count
    while start < end, self[start] <= 0x20 { start += 1 }
    while end > start, self[end - 1] <= 0x20 { end -= 1 }
    return self[start..<end]
  }

  fileprivate var lowercased: Bytes {
    Bytes(array.map { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") ? $0 | 0x20 : $0 })
  }

  fileprivate func firstIndex(of byte: UInt8) -> Int? { firstIndex { $0 == byte } }

  fileprivate func firstIndex(where matches: (UInt8) -> Bool) -> Int? {
    withUnsafeBytes { $0.firstIndex(where: matches) }
  }

  fileprivate func lastIndex(of byte: UInt8) -> Int? { withUnsafeBytes { $0.lastIndex(of: byte) } }

  fileprivate func allSatisfy(_ matches: (UInt8) -> Bool) -> Bool {
    withUnsafeBytes { $0.allSatisfy(matches) }
  }
}

extension Array where Element == UInt8 {
  /// Appends `%XX` (RFC 3986 §2.1).
  fileprivate mutating func append(percentEncoding byte: UInt8) {
    let digits: StaticString = "0123456789ABCDEF"
    append(UInt8(ascii: "%"))
    append(digits.utf8Start[Int(byte >> 4)])
    append(digits.utf8Start[Int(byte & 15)])
  }

  /// Appends a text with everything encoded but unreserved characters (RFC 3986 §2.3).
  ///
  /// O(n).
  public mutating func append(percentEncoding text: Bytes) {
    text.withUnsafeBytes { bytes in
      for byte in bytes {
        let isUnreserved =
          byte >= 0x30 && byte <= 0x39 || "-._~".utf8.contains(byte)
          || byte < 0x80 && byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z")
        if isUnreserved { append(byte) } else { append(percentEncoding: byte) }
      }
    }
  }
}

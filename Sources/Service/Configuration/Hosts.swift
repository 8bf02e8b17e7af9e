import Glibc

/// An IPv4 or IPv6 address, written without brackets, port and zone.
public struct IPAddress: Sendable, Equatable {
  /// 4 or 16 bytes in network order.
  public let bytes: [UInt8]

  /// Reads an address; nil where `text` is none.
  public init?(_ text: String) {
    guard !text.utf8.contains(0) else { return nil }
    for (family, length) in [(AF_INET, 4), (AF_INET6, 16)] {
      var bytes = [UInt8](repeating: 0, count: length)
      if inet_pton(family, text, &bytes) == 1 {
        self.bytes = bytes
        return
      }
    }
    return nil
  }

  /// Whether only this machine reaches it: 127.0.0.0/8 (RFC 1122 §3.2.1.3), `::1`, and the former mapped into IPv6.
  public var isLoopback: Bool {
    if bytes.count == 4 { return bytes[0] == 127 }
    if bytes.dropLast().allSatisfy({ $0 == 0 }) { return bytes[15] == 1 }
    return isMapped && bytes[12] == 127
  }

  /// Whether it stands for every address of the machine: `0.0.0.0` or `::`.
  public var isWildcard: Bool { (isMapped ? bytes[12...] : bytes[...]).allSatisfy { $0 == 0 } }

  private var isMapped: Bool {
    bytes.count == 16 && bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
  }
}

/// A host name in lower case (RFC 1123 §2.1, underscores allowed), or an IPv4 address.
struct HostName {
  let text: String

  /// Reads a name; nil where `text` is none.
  ///
  /// A name that ends in a number has to be an address (WHATWG URL §3.5).
  init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= 253 else { return nil }
    let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    let hyphen = UInt8(ascii: "-")
    for label in labels {
      guard !label.isEmpty, label.count <= 63, label.first != hyphen, label.last != hyphen else { return nil }
      let isName = label.allSatisfy { isLetter($0) || isDigit($0) || $0 == hyphen || $0 == UInt8(ascii: "_") }
      guard isName else { return nil }
    }
    if let last = labels.last, last.allSatisfy(isDigit), IPAddress(text) == nil { return nil }
    self.text = text.lowercased()
  }
}

/// An origin in the form in which browsers send it (RFC 6454 §6.2).
struct WebOrigin {
  /// `scheme://host[:port]` in lower case, without a default port; or `null`.
  let text: String

  /// Reads an origin; nil where `text` is none.
  init?(_ text: String) {
    if text == "null" {
      self.text = text
      return
    }
    let lowercased = text.lowercased()
    let parts = lowercased.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].hasPrefix("//") else { return nil }
    let scheme = parts[0]
    guard let authority = Authority(String(parts[1].dropFirst(2))) else { return nil }
    let isScheme =
      scheme.utf8.first.map(isLetter) == true
      && scheme.utf8.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
    guard isScheme else { return nil }
    let isDefault = scheme == "http" && authority.port == 80 || scheme == "https" && authority.port == 443
    let port = isDefault ? "" : authority.port.map { ":\($0)" } ?? ""
    self.text = "\(scheme)://\(authority.host)\(port)"
  }
}

/// `host[:port]` of an address, an IPv6 host in brackets.
struct Authority {
  /// The host in lower case, with the brackets of an IPv6 address.
  let host: String
  /// The port, 1–65535; nil where none is given.
  let port: Int?

  /// Reads an authority without user information; nil where `text` is none.
  init?(_ text: String) {
    var host = text[...]
    var port: Int?
    if let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") {
      port = Settings.port.read(String(text[text.index(after: colon)...]))
      guard let port, port > 0 else { return nil }
      host = text[..<colon]
    }
    if host.hasPrefix("[") && host.hasSuffix("]") {
      guard IPAddress(String(host.dropFirst().dropLast()))?.bytes.count == 16 else { return nil }
      self.host = host.lowercased()
    } else {
      guard let name = HostName(String(host)) else { return nil }
      self.host = name.text
    }
    self.port = port
  }
}

/// A host with an optional port, as `Host` and absolute targets name it (RFC 3986 §3.2 without user information).
struct RequestAuthority {
  /// The host; an IPv6 address with its brackets.
  let host: ArraySlice<UInt8>
  /// What stands behind the colon; nil without one.
  let port: ArraySlice<UInt8>?

  /// nil where `bytes` are no host with an optional port.
  ///
  /// O(n).
  init?(_ bytes: ArraySlice<UInt8>) {
    var end = bytes.startIndex
    if bytes.first == UInt8(ascii: "[") {
      guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
      end = bracket + 1
      guard Self.isIPv6(bytes[(bytes.startIndex + 1)..<bracket]) else { return nil }
    } else {
      end = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.endIndex
      guard bytes[..<end].allSatisfy(Self.isNameByte) else { return nil }
    }
    host = bytes[..<end]
    guard !host.isEmpty else { return nil }
    if end == bytes.endIndex {
      port = nil
    } else {
      let digits = bytes[(end + 1)...]
      guard bytes[end] == UInt8(ascii: ":"), digits.allSatisfy(\.isDigit) else { return nil }
      port = digits
    }
  }

  /// Whether the host is an IP address: four decimal numbers, or IPv6 in brackets.
  var isAddress: Bool { host.first == UInt8(ascii: "[") || Self.isIPv4(host) }

  /// The port that counts where `standard` is the scheme's own; both an absent and an empty one are that.
  func port(orStandard standard: Int) -> Int {
    port.flatMap { decimal($0) } ?? standard
  }

  /// Bytes of a reg-name (RFC 3986 §3.2.2).
  private static func isNameByte(_ byte: UInt8) -> Bool {
    if byte.isLetterOrDigit { return true }
    return switch byte {
    case 33, 36...46, 59, 61, 95, 126: true  // ! $ % & ' ( ) * + , - . ; = _ ~
    default: false
    }
  }

  /// `dec-octet "." …`: four numbers up to 255 without leading zeros.
  private static func isIPv4(_ bytes: ArraySlice<UInt8>) -> Bool {
    var octets = 1
    var digits = 0
    var value = 0
    for byte in bytes {
      if byte.isDigit {
        guard digits == 0 || value > 0 else { return false }
        digits += 1
        value = value * 10 + Int(byte - 48)
        guard value <= 255 else { return false }
      } else {
        guard byte == UInt8(ascii: "."), digits > 0, octets < 4 else { return false }
        octets += 1
        digits = 0
        value = 0
      }
    }
    return octets == 4 && digits > 0
  }

  /// Eight groups of up to four hexadecimal digits, `::` once for one or more of them, the last two perhaps as IPv4.
  private static func isIPv6(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count >= 2, bytes.count <= 45 else { return false }
    var groups = 0
    var isShortened = false
    var position = bytes.startIndex
    if bytes.first == UInt8(ascii: ":") {
      guard bytes[position + 1] == UInt8(ascii: ":") else { return false }
      isShortened = true
      position += 2
    }
    while position < bytes.endIndex {
      let group = bytes[position...].prefix { $0 != UInt8(ascii: ":") }
      if group.endIndex == bytes.endIndex && isIPv4(group) {
        groups += 2
        position = bytes.endIndex
        break
      }
      guard (1...4).contains(group.count), group.allSatisfy({ $0.hexValue != nil }) else { return false }
      groups += 1
      position = group.endIndex
      guard position < bytes.endIndex else { break }
      position += 1
      guard position < bytes.endIndex else { return false }
      if bytes[position] == UInt8(ascii: ":") {
        guard !isShortened else { return false }
        isShortened = true
        position += 1
      }
    }
    return isShortened ? groups <= 7 : groups == 8
  }
}

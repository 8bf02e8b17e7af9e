/// The syntax of `Host` and of an absolute target's authority (RFC 9110 §4.2, §7.2; RFC 3986 §3.2).
enum Authority {
  /// Whether `bytes` is `uri-host [":" port]` with a host that is not empty.
  ///
  /// User information is refused (RFC 9110 §4.2.4), and so is `IPvFuture`, of which there is none. A port is any run
  /// of digits, also an empty one. O(n).
  static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var end = 0
    if bytes.first == UInt8(ascii: "[") {
      while end < bytes.count, bytes[end] != UInt8(ascii: "]") { end += 1 }
      guard end < bytes.count, isIPv6(bytes[part: 1..<end]) else { return false }
      end += 1
    } else {
      guard let length = registeredNameLength(bytes), length > 0 else { return false }
      end = length
    }
    guard end < bytes.count else { return true }
    guard bytes[end] == UInt8(ascii: ":") else { return false }
    return bytes[part: end + 1..<bytes.count].allSatisfy { $0.decimalDigit != nil }
  }

  /// How many bytes at the start are a `reg-name` (an IPv4 address is one too); nil where a percent triplet is bad.
  private static func registeredNameLength(_ bytes: UnsafeRawBufferPointer) -> Int? {
    var index = 0
    while index < bytes.count {
      if ByteSet.registeredName.contains(bytes[index]) {
        index += 1
      } else if bytes[index] == UInt8(ascii: "%") {
        guard index + 2 < bytes.count, bytes[index + 1].hexadecimalDigit != nil,
          bytes[index + 2].hexadecimalDigit != nil
        else { return nil }
        index += 3
      } else {
        break
      }
    }
    return index
  }

  /// Whether `bytes` is an `IPv6address` (RFC 3986 §3.2.2).
  private static func isIPv6(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var groups = 0
    var isShortened = false
    var index = 0
    let colon = UInt8(ascii: ":")
    while index < bytes.count {
      if bytes[index] == colon {
        // Between groups one colon was already taken, so a colon here is the second of "::", or begins one.
        let length = index == 0 ? 2 : 1
        guard !isShortened, index + length <= bytes.count, bytes[index + length - 1] == colon
        else { return false }
        isShortened = true
        index += length
        continue
      }
      var end = index
      while end < bytes.count, bytes[end].hexadecimalDigit != nil { end += 1 }
      if end < bytes.count, bytes[end] == UInt8(ascii: ".") {
        guard isIPv4(bytes[part: index..<bytes.count]) else { return false }
        groups += 2
        break
      }
      guard (1...4).contains(end - index) else { return false }
      groups += 1
      index = end
      guard index < bytes.count else { break }
      guard bytes[index] == colon, index + 1 < bytes.count else { return false }
      index += 1
    }
    return isShortened ? groups < 8 : groups == 8
  }

  /// Whether `bytes` is an `IPv4address`: four numbers of 0–255 without leading zeros.
  private static func isIPv4(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var octets = 0
    var index = 0
    while octets < 4 {
      let start = index
      var value = 0
      while index < bytes.count, index - start < 3, let digit = bytes[index].decimalDigit {
        value = value * 10 + Int(digit)
        index += 1
      }
      let length = index - start
      guard length > 0, value < 256, length == 1 || bytes[start] != UInt8(ascii: "0") else { return false }
      octets += 1
      if octets == 4 { break }
      guard index < bytes.count, bytes[index] == UInt8(ascii: ".") else { return false }
      index += 1
    }
    return index == bytes.count
  }
}

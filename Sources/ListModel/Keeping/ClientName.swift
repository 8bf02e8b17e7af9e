import JSONText

extension Bytes {
  /// Whether this is a name that a client may give to a session or as its mark of a change: 1–64 of `[A-Za-z0-9_-]`
  /// (protocol §5, §7).
  public var isClientName: Bool {
    guard (1...64).contains(count) else { return false }
    return withUnsafeBytes { bytes in
      bytes.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
          UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
          true
        default: false
        }
      }
    }
  }
}

/// A set of ASCII bytes as two words of bits, so that asking costs no memory access.
struct ByteSet {
  /// Bit n stands for byte n.
  let low: UInt64
  /// Bit n stands for byte 64 + n.
  let high: UInt64

  @inline(__always)
  func contains(_ byte: UInt8) -> Bool {
    let word = byte < 64 ? low : high
    return byte < 128 && (word >> UInt64(byte & 63)) & 1 != 0
  }

  /// Whether every byte is in the set.
  ///
  /// O(n).
  @inline(__always)
  func containsAll(of bytes: UnsafeRawBufferPointer) -> Bool {
    for byte in bytes where !contains(byte) { return false }
    return true
  }
}

extension ByteSet {
  /// `tchar` (RFC 9110 §5.6.2): letters, digits and ``!#$%&'*+-.^_`|~``.
  static var token: ByteSet { ByteSet(low: 0x03ff_6cfa_0000_0000, high: 0x57ff_ffff_c7ff_fffe) }

  /// `pchar`, `/` and `%` (RFC 3986 §3.3).
  static var path: ByteSet { ByteSet(low: 0x2fff_fff2_0000_0000, high: 0x47ff_fffe_87ff_ffff) }

  /// `pchar`, `/`, `?` and `%` (RFC 3986 §3.4).
  static var query: ByteSet { ByteSet(low: 0xafff_fff2_0000_0000, high: 0x47ff_fffe_87ff_ffff) }

  /// `unreserved` and `sub-delims` (RFC 3986 §2): a `reg-name` but for its percent triplets.
  static var registeredName: ByteSet { ByteSet(low: 0x2bff_7fd2_0000_0000, high: 0x47ff_fffe_87ff_fffe) }

  /// All that can be seen (0x21–0x7E) but for `#`, which begins what no request carries.
  static var visible: ByteSet { ByteSet(low: 0xffff_fff6_0000_0000, high: 0x7fff_ffff_ffff_ffff) }
}

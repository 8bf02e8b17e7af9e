/// A fast hash of bytes under a key; whoever does not know the key cannot make inputs collide.
///
/// It multiplies 64 by 64 bits and folds the 128 of the product, as wyhash does. Both factors of every product
/// are keyed, so that no input can make one of them zero on purpose.
struct KeyedHash {
  private let key: UInt64
  private let secondKey: UInt64
  private let start: UInt64

  /// The hash for tables that live and die in this process, keyed by the standard library's random seed.
  static let ofProcess = KeyedHash(seed: UInt64(truncatingIfNeeded: Hasher().finalize()))

  init(seed: UInt64) {
    key = Self.fold(seed ^ 0xA076_1D64_78BD_642F, 0xE703_7ED1_A0B4_28DB)
    secondKey = Self.fold(key ^ 0x8EBC_6AF0_9C88_C6E3, 0x5899_65CC_7537_4CC3)
    start = Self.fold(secondKey ^ 0x1D8E_4E27_C47D_124F, 0xEB44_ACCA_B455_D165)
  }

  /// Hashes `bytes`, sixteen at a step; O(n).
  ///
  /// The same bytes under another `salt`, below 256, hash apart.
  @inline(__always)
  func hash(_ bytes: UnsafeBufferPointer<UInt8>, salt: UInt64) -> UInt64 {
    let raw = UnsafeRawBufferPointer(bytes)
    let count = raw.count
    var state = start
    var low: UInt64 = 0
    var high: UInt64 = 0
    if count > 16 {
      var position = 0
      while position &+ 16 < count {
        state = mix(state ^ Self.word(raw, position), Self.word(raw, position &+ 8))
        position &+= 16
      }
      // The last step ends at the last byte and may overlap the one before.
      low = Self.word(raw, count &- 16)
      high = Self.word(raw, count &- 8)
    } else if count >= 8 {
      low = Self.word(raw, 0)
      high = Self.word(raw, count &- 8)
    } else if count >= 4 {
      low = Self.halfWord(raw, 0)
      high = Self.halfWord(raw, count &- 4)
    } else if count > 0 {
      low = UInt64(raw[0]) << 16 | UInt64(raw[count / 2]) << 8 | UInt64(raw[count &- 1])
    }
    return mix(mix(state ^ low, high), UInt64(truncatingIfNeeded: count) | salt << 56)
  }

  /// One hash of two, where the order counts.
  @inline(__always)
  func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
    Self.fold(a ^ key, b ^ secondKey)
  }

  @inline(__always)
  private static func word(_ raw: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
  }

  @inline(__always)
  private static func halfWord(_ raw: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    UInt64(raw.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian)
  }

  @inline(__always)
  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}

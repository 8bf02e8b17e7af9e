extension JSONValue {
  /// A hash of what the value says: values that are equal by `isEqual(to:)` have equal hashes; O(n).
  ///
  /// White space, member order and string escapes do not count, a number's text does. Values that differ have
  /// different hashes but for a chance of about 2⁻⁶⁴ that no one who does not know `seed` can better.
  /// Recursion is as deep as the value's nesting.
  public func contentHash(seed: UInt64) -> UInt64 {
    text.withUnsafeBytes { bytes in
      var cursor = JSONCursor(bytes)
      return ContentHasher(seed: seed).hash(&cursor)
    }
  }
}

/// Hashes values by multiplying 64 by 64 bits and folding the 128 of the product (as wyhash does).
private struct ContentHasher {
  let key: UInt64
  let secondKey: UInt64
  let start: UInt64

  init(seed: UInt64) {
    // Both factors of every product are keyed, so that no input makes one of them zero on purpose.
    key = Self.fold(seed ^ 0xA076_1D64_78BD_642F, 0xE703_7ED1_A0B4_28DB)
    secondKey = Self.fold(key ^ 0x8EBC_6AF0_9C88_C6E3, 0x5899_65CC_7537_4CC3)
    start = Self.fold(secondKey ^ 0x1D8E_4E27_C47D_124F, 0xEB44_ACCA_B455_D165)
  }

  func hash(_ cursor: inout JSONCursor) -> UInt64 {
    switch cursor.byte {
    case ASCII.quote:
      return hash(string: cursor.string(), in: cursor)
    case ASCII.openBrace:
      var sum: UInt64 = 0
      guard cursor.enter() else { return mix(sum, 1) }
      repeat {
        let name = cursor.name()
        // A sum does not tell in which order its terms came.
        sum &+= mix(hash(string: name, in: cursor), hash(&cursor))
      } while cursor.advance()
      return mix(sum, 2)
    case ASCII.openBracket:
      var chain: UInt64 = 0
      guard cursor.enter() else { return mix(chain, 3) }
      repeat { chain = mix(chain &+ 1, hash(&cursor)) } while cursor.advance()
      return mix(chain, 4)
    default:
      // Numbers and literals have no quote, so no string has their bytes with this salt.
      return hash(cursor.bytes(cursor.value()), salt: 5)
    }
  }

  @inline(__always)
  private func hash(string place: JSONCursor.StringPlace, in cursor: JSONCursor) -> UInt64 {
    let raw = cursor.bytes(place.range)
    guard place.isEscaped else { return hash(raw, salt: 6) }
    return JSONEscapes.unescaped(raw).withUnsafeBufferPointer { hash($0, salt: 6) }
  }

  /// The bytes, sixteen at a step; the last step ends at the last byte and may overlap the one before.
  @inline(__always)
  private func hash(_ bytes: UnsafeBufferPointer<UInt8>, salt: UInt64) -> UInt64 {
    let count = bytes.count
    let raw = UnsafeRawBufferPointer(bytes)
    var state = start
    var low: UInt64 = 0
    var high: UInt64 = 0
    if count > 16 {
      var position = 0
      while position &+ 16 < count {
        state = mix(state ^ word(raw, position), word(raw, position &+ 8))
        position &+= 16
      }
      low = word(raw, count &- 16)
      high = word(raw, count &- 8)
    } else if count >= 8 {
      low = word(raw, 0)
      high = word(raw, count &- 8)
    } else {
      for byte in bytes { low = low << 8 | UInt64(byte) }
    }
    return mix(mix(state ^ low, high), UInt64(truncatingIfNeeded: count) | salt << 56)
  }

  @inline(__always)
  private func word(_ raw: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    raw.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
  }

  @inline(__always)
  private func mix(_ a: UInt64, _ b: UInt64) -> UInt64 {
    Self.fold(a ^ key, b ^ secondKey)
  }

  @inline(__always)
  private static func fold(_ a: UInt64, _ b: UInt64) -> UInt64 {
    let product = a.multipliedFullWidth(by: b)
    return product.high ^ product.low
  }
}

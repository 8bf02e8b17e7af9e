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

/// Hashes values by what they say, one pass over their text.
private struct ContentHasher {
  private let keyed: KeyedHash

  init(seed: UInt64) { keyed = KeyedHash(seed: seed) }

  /// Sets what strings, numbers and the rest, and the kinds of containers, hash to apart.
  private enum Salt {
    static let word: UInt64 = 1
    static let string: UInt64 = 2
    static let object: UInt64 = 3
    static let array: UInt64 = 4
  }

  /// The hash of the value at the cursor, which then stands after it.
  func hash(_ cursor: inout JSONCursor) -> UInt64 {
    switch cursor.byte {
    case ASCII.quote:
      return hash(string: cursor.string(), in: cursor)
    case ASCII.openBrace:
      // A sum does not tell in which order its terms came.
      var sum: UInt64 = 0
      var more = cursor.enter()
      while more {
        let name = cursor.name()
        sum &+= keyed.mix(hash(string: name, in: cursor), hash(&cursor))
        more = cursor.advance()
      }
      return keyed.mix(sum, Salt.object)
    case ASCII.openBracket:
      var chain: UInt64 = 0
      var more = cursor.enter()
      while more {
        chain = keyed.mix(chain &+ 1, hash(&cursor))
        more = cursor.advance()
      }
      return keyed.mix(chain, Salt.array)
    default:
      return keyed.hash(cursor.bytes(cursor.value()), salt: Salt.word)
    }
  }

  @inline(__always)
  private func hash(string place: JSONCursor.StringPlace, in cursor: JSONCursor) -> UInt64 {
    cursor.withContents(place) { keyed.hash($0, salt: Salt.string) }
  }
}

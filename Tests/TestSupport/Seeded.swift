/// Random numbers that come again with the same seed, everywhere (SplitMix64).
package struct Seeded: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(_ seed: some BinaryInteger) { state = UInt64(truncatingIfNeeded: seed) }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }
}

extension Seeded {
  /// A number from 0 up to `bound`, which it is not; 0 where there is none.
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }

  /// True once in `times`, on average.
  package mutating func once(in times: Int) -> Bool { below(times) == 0 }

  /// One of a list that is not empty.
  package mutating func one<Element>(of list: [Element]) -> Element { list[below(list.count)] }
}

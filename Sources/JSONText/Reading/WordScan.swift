/// Finds the next byte of interest in a string's contents, eight bytes at a step.
///
/// Each search tests a word's bytes at once: a byte's high bit in the tested word says that it is of interest.
/// A borrow may also mark bytes above a true match, never below, so the lowest mark is always right.
enum WordScan {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let highs: UInt64 = 0x8080_8080_8080_8080

  /// Marks the bytes that are zero.
  @inline(__always)
  private static func zeros(_ word: UInt64) -> UInt64 { (word &- ones) & ~word & highs }

  @inline(__always)
  private static func quotesOrBackslashes(_ word: UInt64) -> UInt64 {
    zeros(word ^ (ones &* UInt64(ASCII.quote))) | zeros(word ^ (ones &* UInt64(ASCII.backslash)))
  }

  /// Marks control bytes below 0x20.
  @inline(__always)
  private static func controls(_ word: UInt64) -> UInt64 { (word &- ones &* 0x20) & ~word & highs }

  /// The first of `start..<end` that is a quote, a backslash, a control or no ASCII; else `end`; O(n).
  @inline(__always)
  static func endOfPlainASCII(_ base: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    scan(base, from: start, to: end) { word in
      // Marks of bytes that are no ASCII make the `~word` of the exact tests needless here.
      let quotes = (word ^ (ones &* UInt64(ASCII.quote))) &- ones
      let backslashes = (word ^ (ones &* UInt64(ASCII.backslash))) &- ones
      return (word | quotes | backslashes | (word &- ones &* 0x20)) & highs
    }
  }

  /// The first of `start..<end` that is a quote or a backslash; else `end`; O(n).
  @inline(__always)
  static func endOfUnescaped(_ base: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    scan(base, from: start, to: end) { quotesOrBackslashes($0) }
  }

  /// The first of `start..<end` that a JSON string must escape; else `end`; O(n).
  @inline(__always)
  static func endOfWritable(_ base: UnsafePointer<UInt8>, from start: Int, to end: Int) -> Int {
    scan(base, from: start, to: end) { quotesOrBackslashes($0) | controls($0) }
  }

  @inline(__always)
  private static func scan(
    _ base: UnsafePointer<UInt8>, from start: Int, to end: Int, marks: (UInt64) -> UInt64
  ) -> Int {
    var position = start
    while position &+ 8 <= end {
      let word = UnsafeRawPointer(base + position).loadUnaligned(as: UInt64.self).littleEndian
      let found = marks(word)
      if found != 0 { return position &+ found.trailingZeroBitCount &>> 3 }
      position &+= 8
    }
    while position < end {
      // The rest goes byte by byte, each spread over a word so that the same test serves.
      if marks(ones &* UInt64(base[position])) != 0 { return position }
      position &+= 1
    }
    return end
  }
}

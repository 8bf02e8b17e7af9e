/// Finds CRLF-ended lines in bytes that come bit by bit, and looks at no byte twice.
///
/// Offsets count from the same first byte in every call, until `rebase` moves it. The first fault in the order of
/// the bytes decides, so the outcome does not depend on where the input is cut.
struct LineScanner: Sendable {
  /// Where the line begins that is looked for.
  private(set) var lineStart = 0
  /// All before this offset was looked at and holds no end of that line.
  private var scanned = 0

  /// The next line without its CRLF, or nil where its end has not come yet.
  ///
  /// What a line holds is horizontal tabs and bytes from 0x20 on, without 0x7F: each other control byte, a CR
  /// without LF and a LF without CR are faults (RFC 9112 §2.2, RFC 9110 §5.5).
  ///
  /// - Parameters:
  ///   - limit: the offset by which the line with its CRLF must have ended.
  ///   - tooLong: what is thrown where it has not.
  @inline(__always)
  mutating func nextLine(
    in input: UnsafeRawBufferPointer, limit: Int, tooLong: RequestFailure.Code, _ what: StaticString
  ) throws(RequestFailure) -> Range<Int>? {
    let bound = min(input.count, limit)
    var index = Self.firstControl(in: input, from: scanned, to: bound)
    while index < bound, input[index] == .tab {
      index = Self.firstControl(in: input, from: index + 1, to: bound)
    }
    if index < bound {
      guard input[index] == .carriageReturn else {
        throw RequestFailure(
          .malformed, input[index] == .lineFeed ? "a line ends with LF alone" : "a control byte in a line")
      }
      if index + 1 < bound {
        guard input[index + 1] == .lineFeed else {
          throw RequestFailure(.malformed, "a CR is not followed by LF")
        }
        let line = lineStart..<index
        lineStart = index + 2
        scanned = lineStart
        return line
      }
    }
    guard input.count < limit else { throw RequestFailure(tooLong, "\(what)") }
    scanned = index
    return nil
  }

  /// Counts from `lineStart` from now on: what stood before it is consumed.
  mutating func rebase() {
    scanned -= lineStart
    lineStart = 0
  }

  /// The first byte below 0x20, or 0x7F, in `start..<end`; else `end`.
  ///
  /// Eight bytes a step.
  @inline(__always)
  private static func firstControl(in input: UnsafeRawBufferPointer, from start: Int, to end: Int) -> Int {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    var index = start
    while index &+ 8 <= end {
      let word = UInt64(littleEndian: input.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      // The classic "has a byte less than n": a borrow can spoil only bytes above the first hit.
      let below = (word &- ones &* 0x20) & ~word
      let flipped = word ^ (ones &* 0x7f)
      let delete = (flipped &- ones) & ~flipped
      let hits = (below | delete) & tops
      if hits != 0 { return index &+ hits.trailingZeroBitCount / 8 }
      index &+= 8
    }
    while index < end, input[index] >= 0x20, input[index] != 0x7f { index &+= 1 }
    return index
  }
}

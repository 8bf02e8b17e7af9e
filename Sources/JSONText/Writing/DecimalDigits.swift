/// Decimal digits of a number as ASCII, eight at most: as many as one word holds, so that most numbers are one append.
struct DecimalDigits {
  /// The digits in the order of memory, the first in the lowest byte.
  private(set) var word: UInt64 = 0
  private(set) var count = 0

  /// Takes the last digits off `number`, which is 0 when all are taken.
  @inline(__always)
  init(takingFrom number: inout UInt) {
    repeat {
      word = word << 8 | UInt64(UInt8(ascii: "0")) + UInt64(number % 10)
      count += 1
      number /= 10
    } while number > 0 && count < 8
    word = word.littleEndian
  }
}

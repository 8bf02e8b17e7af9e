import JSONText

/// A moment taken apart by the proleptic Gregorian calendar, in UTC.
private struct CivilTime {
  var year: Int
  /// 1–12.
  var month: Int
  /// 1–31.
  var day: Int
  var hour: Int
  var minute: Int
  var second: Int
  var millisecond: Int

  /// The years that four digits can say; moments outside are moved to the nearest that can be written.
  private static let writable = -62_167_219_200_000...253_402_300_799_999

  /// O(1); days to date by counting in eras of 400 years that begin on 1 March.
  init(milliseconds: Int) {
    let moment = min(max(milliseconds, Self.writable.lowerBound), Self.writable.upperBound)
    let (days, time) = Self.floorDivide(moment, by: 86_400_000)
    let (era, dayOfEra) = Self.floorDivide(days + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    hour = time / 3_600_000
    minute = time / 60_000 % 60
    second = time / 1_000 % 60
    millisecond = time % 1_000
  }

  private static func floorDivide(_ value: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

extension Array where Element == UInt8 {
  /// Appends a moment as RFC 3339 writes it, `2026-01-02T03:04:05.678Z`.
  ///
  /// `milliseconds` count from 1970-01-01T00:00:00Z; years outside 0–9999 become the nearest that can be written.
  public mutating func append(rfc3339 milliseconds: Int) {
    let time = CivilTime(milliseconds: milliseconds)
    append(digits: 4, of: time.year)
    append(UInt8(ascii: "-"))
    append(digits: 2, of: time.month)
    append(UInt8(ascii: "-"))
    append(digits: 2, of: time.day)
    append(UInt8(ascii: "T"))
    append(clock: time)
    append(UInt8(ascii: "."))
    append(digits: 3, of: time.millisecond)
    append(UInt8(ascii: "Z"))
  }

  private mutating func append(clock time: CivilTime) {
    append(digits: 2, of: time.hour)
    append(UInt8(ascii: ":"))
    append(digits: 2, of: time.minute)
    append(UInt8(ascii: ":"))
    append(digits: 2, of: time.second)
  }

  /// Appends the last `width` decimal digits of a number that is not negative, with zeros in front.
  mutating func append(digits width: Int, of value: Int) {
    append(contentsOf: repeatElement(UInt8(ascii: "0"), count: width))
    var rest = value
    var place = count - 1
    for _ in 0..<width {
      self[place] += UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
      place -= 1
    }
  }
}

/// A time as HTTP fields carry it: `Sun, 06 Nov 1994 08:49:37 GMT`, 29 bytes (RFC 9110 §5.6.7).
///
/// Four digits of a year are all there is: times outside the years 0–9999 give the nearest one inside. O(1).
public func imfFixdate(secondsSince1970: Int) -> [UInt8] {
  let seconds = min(max(secondsSince1970, -62_167_219_200), 253_402_300_799)
  let secondsOfDay = seconds % 86_400 + (seconds % 86_400 < 0 ? 86_400 : 0)
  let day = (seconds - secondsOfDay) / 86_400
  let (year, month, dayOfMonth) = civilDate(daysSince1970: day)
  // 1970 began on a Thursday, and % takes the sign of its left side.
  let weekday = ((day + 4) % 7 + 7) % 7

  var output: [UInt8] = []
  output.reserveCapacity(29)
  output.append(contentsOf: name(weekday, of: "SunMonTueWedThuFriSat"))
  output.append(text: ", ")
  output.append(number: dayOfMonth, digits: 2)
  output.append(text: " ")
  output.append(contentsOf: name(month - 1, of: "JanFebMarAprMayJunJulAugSepOctNovDec"))
  output.append(text: " ")
  output.append(number: year, digits: 4)
  output.append(text: " ")
  output.append(number: secondsOfDay / 3600, digits: 2)
  output.append(text: ":")
  output.append(number: secondsOfDay / 60 % 60, digits: 2)
  output.append(text: ":")
  output.append(number: secondsOfDay % 60, digits: 2)
  output.append(text: " GMT")
  return output
}

/// The three letters at place `index` of a run of such names.
private func name(_ index: Int, of names: StaticString) -> UnsafeBufferPointer<UInt8> {
  UnsafeBufferPointer(rebasing: names.bytes[index * 3..<index * 3 + 3])
}

/// The Gregorian date of a day (month and day count from 1).
///
/// Years are counted from March, so that the leap day is the last of its year, in eras of 400 years and 146,097 days
/// (Howard Hinnant, "chrono-compatible low-level date algorithms", `civil_from_days`).
private func civilDate(daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
  let days = daysSince1970 + 719_468
  let era = (days >= 0 ? days : days - 146_096) / 146_097
  let dayOfEra = days - era * 146_097
  let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
  let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
  let marchMonth = (5 * dayOfYear + 2) / 153
  let day = dayOfYear - (153 * marchMonth + 2) / 5 + 1
  let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
  return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
}

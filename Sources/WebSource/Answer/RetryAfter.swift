import JSONText

/// The `Retry-After` header field (RFC 9110 §10.2.3).
enum RetryAfter {
  /// Whole seconds from `now` (seconds since 1970) on; 0 for a date that is over, nil for nonsense.
  static func seconds(_ field: Bytes, now: Int) -> Int? {
    let text = field.array
    if !text.isEmpty, text.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) { return Int(field.string) }
    return date(text).map { max(0, $0 - now) }
  }

  /// Seconds since 1970 of an HTTP date in any of its three forms (RFC 9110 §5.6.7); nil for anything else.
  private static func date(_ text: [UInt8]) -> Int? {
    let words = text.split(whereSeparator: { " ,-".utf8.contains($0) }).map {
      String(decoding: $0, as: UTF8.self)
    }
    let form: (day: String, month: String, year: String, time: String)
    switch words.count {
    case 6 where words[5] == "GMT": form = (words[1], words[2], words[3], words[4])
    case 5: form = (words[2], words[1], words[4], words[3])
    default: return nil
    }
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let clock = form.time.split(separator: ":", omittingEmptySubsequences: false).map { number(String($0)) }
    guard let month = months.firstIndex(of: form.month), var year = number(form.year),
      let day = number(form.day),
      (1...31).contains(day), year <= 9999, clock.count == 3, let hour = clock[0], let minute = clock[1],
      let second = clock[2], hour < 24, minute < 60, second <= 60
    else { return nil }
    if form.year.utf8.count == 2 { year += year < 70 ? 2000 : 1900 }
    return days(year, month + 1, day) * 86_400 + hour * 3600 + minute * 60 + second
  }

  private static func number(_ text: String) -> Int? {
    guard !text.isEmpty, text.utf8.count <= 4, text.utf8.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else {
      return nil
    }
    return Int(text)
  }

  /// Days since 1970 of a Gregorian date (Howard Hinnant, `days_from_civil`).
  private static func days(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let marchYear = month <= 2 ? year - 1 : year
    let era = (marchYear >= 0 ? marchYear : marchYear - 399) / 400
    let yearOfEra = marchYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

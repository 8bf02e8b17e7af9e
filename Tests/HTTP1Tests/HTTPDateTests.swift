import Foundation
import HTTP1
import Testing

@Suite("HTTP dates")
struct HTTPDateTests {
  @Test(
    "Known times, leap days and the ends of the range",
    arguments: [
      (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
      (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
      (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
      (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
      (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"),
      (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
      (1_709_164_800, "Thu, 29 Feb 2024 00:00:00 GMT"),
      (1_740_787_199, "Fri, 28 Feb 2025 23:59:59 GMT"),
      (1_740_787_200, "Sat, 01 Mar 2025 00:00:00 GMT"),
      (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
      (4_107_542_399, "Sun, 28 Feb 2100 23:59:59 GMT"),
      (2_147_483_648, "Tue, 19 Jan 2038 03:14:08 GMT"),
      (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
      (253_402_300_800, "Fri, 31 Dec 9999 23:59:59 GMT"),
      (-62_167_219_200, "Sat, 01 Jan 0000 00:00:00 GMT"),
      (.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
      (.min, "Sat, 01 Jan 0000 00:00:00 GMT"),
    ])
  func knownTimes(seconds: Int, expected: String) {
    #expect(text(imfFixdate(secondsSince1970: seconds)) == expected)
  }

  @Test("Days of 800 years have the dates that Foundation gives them")
  func everyDay() throws {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = try #require(TimeZone(identifier: "GMT"))
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    // Foundation goes by the Julian calendar before October 1582; every seventh day keeps this test short.
    for day in stride(from: -140_000, to: 152_000, by: 7) {
      let seconds = day * 86_400 + (day & 0xffff)
      let parts = calendar.dateComponents(
        [.year, .month, .day, .weekday, .hour, .minute, .second],
        from: Date(timeIntervalSince1970: Double(seconds)))
      let expected = String(
        format: "%@, %02d %@ %04d %02d:%02d:%02d GMT", weekdays[(parts.weekday ?? 0) - 1], parts.day ?? 0,
        months[(parts.month ?? 0) - 1], parts.year ?? 0, parts.hour ?? 0, parts.minute ?? 0, parts.second ?? 0
      )
      #expect(text(imfFixdate(secondsSince1970: seconds)) == expected, "day \(day)")
    }
  }
}

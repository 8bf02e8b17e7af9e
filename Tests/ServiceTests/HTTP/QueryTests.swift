import JSONText
import Service
import Testing

@Suite struct QueryTests {
  private func query(_ text: String?) throws(Problem) -> Query { try Query(text.map { Array($0.utf8) }) }

  @Test func nothingGivenLeavesTheDefaults() throws {
    for text in [nil, "", "&", "&&", "other=1&x", "=", "=5", "Limit=1&OFFSET=-1", "limi=1"] {
      let query = try query(text)
      #expect(try query.offset() == 0)
      #expect(try query.limit() == nil)
      #expect(try query.since() == nil)
      #expect(try query.wait() == nil)
      #expect(try query.tag() == nil)
      #expect(try query.format() == .ops)
      #expect(query.cursor == nil)
      #expect(!query.asksForWindow)
      #expect(try query.limit(in: 1...1000, fallback: 100) == 100)
    }
  }

  @Test func valuesAreDecodedAndRead() throws {
    let query = try query(
      "offset=3&limit=%30&&since=0012&wait=60&t%61g=a-Z_9&format=json%2Dpatch&cursor=a%26b+c=d")
    #expect(try query.offset() == 3)
    #expect(try query.limit() == 0)
    #expect(try query.since() == 12)
    #expect(try query.wait() == 60)
    #expect(try query.tag() == "a-Z_9")
    #expect(try query.format() == .jsonPatch)
    #expect(query.cursor == "a&b c=d")
    #expect(query.asksForWindow)
  }

  @Test(arguments: ["", "-1", "+1", "1.0", "1e3", "0x1", "a", " 1", "1 ", "%31%", "1,2", "١", "null", "--1"])
  func whatIsNoNumberIsMalformed(_ value: String) {
    for name in ["offset", "limit", "since", "wait"] {
      let outcome = problem { () throws(Problem) in
        let query = try query("\(name)=\(value)")
        switch name {
        case "offset": _ = try query.offset()
        case "limit": _ = try query.limit()
        case "since": _ = try query.since()
        default: _ = try query.wait()
        }
      }
      #expect(outcome == "400 malformed-request", "\(name)=\(value)")
    }
  }

  @Test func aParameterThatNobodyAsksForIsNotChecked() throws {
    let query = try query("limit=-1&tag=!&format=xml&offset=2")
    #expect(try query.offset() == 2)
  }

  @Test func largeNumbersStayNumbersAndTheirSumsFit() throws {
    let huge = String(repeating: "9", count: 1000)
    let query = try query("offset=\(huge)&limit=18446744073709551616")
    let offset = try query.offset()
    let limit = try query.limit() ?? 0
    #expect(offset > 1 << 52 && limit > 1 << 52)
    #expect(!offset.addingReportingOverflow(limit).overflow)
  }

  @Test func aRevisionIsReadExactlyOrRefused() throws {
    #expect(try query("since=9223372036854775807").since() == .max)
    for value in ["9223372036854775808", "18446744073709551616", String(repeating: "9", count: 1000)] {
      #expect(
        problem { () throws(Problem) in _ = try query("since=\(value)").since() } == "400 malformed-request")
    }
  }

  @Test(arguments: ["wait=61", "wait=99999999999999999999"]) func oneMayWaitForAMinute(_ text: String) {
    #expect(problem { () throws(Problem) in _ = try query(text).wait() } == "400 malformed-request")
  }

  @Test(arguments: [
    "tag=", "tag=a%20b", "tag=a+b", "tag=%C3%A9", "tag=a.b", "tag=" + String(repeating: "a", count: 65),
  ])
  func otherTagsAreMalformed(_ text: String) {
    #expect(problem { () throws(Problem) in _ = try query(text).tag() } == "400 malformed-request")
  }

  @Test(arguments: ["format=", "format=ops", "format=JSON-Patch", "format=json-patch%20", "format"])
  func otherFormatsAreMalformed(_ text: String) {
    #expect(problem { () throws(Problem) in _ = try query(text).format() } == "400 malformed-request")
  }

  @Test(arguments: ["limit=0", "limit=1001", "limit=x"]) func theListOfSessionsHasItsOwnLimits(_ text: String)
  {
    #expect(
      problem { () throws(Problem) in _ = try query(text).limit(in: 1...1000, fallback: 100) }
        == "400 malformed-request")
  }

  @Test(arguments: [
    "limit=1&limit=1", "limit=1&x=2&limit=2", "tag=a&t%61g=a", "offset&offset=1", "a=%", "%zz=1", "x=%4",
    "a=%00", "tag=a%00",
  ])
  func doublesAndBadEscapesAreMalformed(_ text: String) {
    #expect(problem { () throws(Problem) in _ = try query(text) } == "400 malformed-request")
  }

  @Test func otherNamesMayComeTwiceAndManyAreNoBurden() throws {
    let many = String(repeating: "a&", count: 30_000) + "limit=7"
    #expect(try query(many).limit() == 7)
  }
}

import HTTP1
import JSONText
import Service
import Testing

@Suite struct PreferenceTests {
  @Test(arguments: [
    "return=minimal", "RETURN=Minimal", "return = minimal", "return=\"minimal\"", "return=\"m\\inimal\"",
    "a, return=minimal",
    "return=minimal; foo=\"a,b\"", "foo; bar=\";\", return=minimal",
    "x=\"return=representation, \", return=minimal",
    ",, return=minimal,", "return=minimal, return=representation", "@@@, return=minimal", "return=minimal;;a",
    "=x, return=minimal", "a=, return=minimal",
  ])
  func minimalIsPreferred(_ value: String) {
    #expect(Preferences(fields(("Prefer", value))).returns == .minimal, "\(value)")
  }

  @Test(arguments: [
    "", "return", "return=", "return=max", "return=max, return=minimal", "xreturn=minimal",
    "return=minimal x",
    "\"return=minimal\"", "a=\"return=minimal", "returnminimal", "x;return=minimal",
  ])
  func nothingIsPreferred(_ value: String) {
    #expect(Preferences(fields(("Prefer", value))) == Preferences(), "\(value)")
  }

  @Test func severalFieldsAndPreferencesAreOneList() {
    let preferences = Preferences(
      fields(("prefer", "respond-async, wait=10"), ("PREFER", "wait=20; x=y, return=representation")))
    #expect(preferences.respondsAsync)
    #expect(preferences.wait == 10)
    #expect(preferences.returns == .representation)
  }

  @Test(arguments: [
    ("wait=0", 0), ("wait=\"5\"", 5), ("Wait=007", 7), ("wait=-1", nil), ("wait=1.5", nil), ("wait", nil),
    ("wait=x, wait=3", nil), ("respond-async, wait=99999999999999999999", 9_007_199_254_740_991),
  ])
  func waitIsWholeSeconds(_ value: String, _ seconds: Int?) {
    #expect(Preferences(fields(("Prefer", value))).wait == seconds)
  }

  @Test func respondAsyncHasNoValue() {
    #expect(Preferences(fields(("Prefer", "Respond-Async"))).respondsAsync)
    #expect(Preferences(fields(("Prefer", "respond-async=\"\""))).respondsAsync)
    #expect(!Preferences(fields(("Prefer", "respond-async=0"))).respondsAsync)
  }

  @Test func everyCutIsReadWithoutATrap() {
    let value = "return=\"min\\imal\" ; a=\"b\\\"\" ,, wait = 5;;, respond-async"
    for end in value.indices { _ = Preferences(fields(("Prefer", String(value[..<end])))) }
  }
}

@Suite struct EntityTagTests {
  private func condition(_ value: String) throws(Problem) -> RevisionCondition {
    try RevisionCondition(fields(("If-Match", value)))
  }

  @Test(arguments: [
    "\"12\"", "\"12-gzip\"", "\"12-w0-20\"", "*", " * ", "\"11\", \"12\"", ",\"12\",", "\"12\",\"11\"",
    "W/\"11\", \"12\"",
  ])
  func theTagOfAnyRepresentationNamesItsRevision(_ value: String) throws {
    #expect(try condition(value).allows(12))
  }

  @Test(arguments: [
    "\"11\"", "W/\"12\"", "\"012\"", "\"12x\"", "\"abc\"", "\"\"", "\"1\", \"2\"", "\"-12\"", "\"+12\"",
    "\"12,\"",
    "\"12.0\"", "\"99999999999999999999999\"", "\"é\"", "\"112\"", "\"1\"", "\"x-12\"",
  ])
  func otherTagsNameAnother(_ value: String) throws {
    #expect(try !condition(value).allows(12))
  }

  @Test(arguments: [
    "12", "\"12", "12\"", "", ",", "w/\"12\"", "W\"12\"", "W/12", "\"12\" \"13\"", "\"12\";", "*, \"12\"",
    "\"12\", *", "**",
    "'12'", "\"1\"2\"", "\"12\", 13", "W/ \"12\"", "\" 12\"", "\"a b\"",
  ])
  func whatIsNoListOfTagsIsMalformed(_ value: String) {
    #expect(problem { () throws(Problem) in _ = try condition(value) } == "400 malformed-request")
  }

  @Test func severalFieldsAreOneListAndNoneIsNoCondition() throws {
    #expect(try RevisionCondition(fields()).allows(5))
    let two = try RevisionCondition(fields(("If-Match", "\"1\""), ("if-match", "\"5\"")))
    #expect(two.allows(5) && two.allows(1) && !two.allows(2))
    #expect(
      problem { () throws(Problem) in
        _ = try RevisionCondition(fields(("If-Match", "*"), ("If-Match", "\"5\"")))
      } == "400 malformed-request")
  }

  @Test func revisionZeroHasATagToo() throws {
    #expect(try condition("\"0\"").allows(0))
    #expect(try !condition("\"00\"").allows(0))
    #expect(try condition("\"1767323045678\"").allows(1_767_323_045_678))
  }

  @Test(arguments: ["\"12\"", "W/\"12\"", "*", "\"1\", \"12\"", "W/\"1\" , W/\"12\""])
  func ifNoneMatchComparesWeakly(_ value: String) {
    #expect(fields(("If-None-Match", value)).ifNoneMatchHolds(Array("\"12\"".utf8)))
  }

  @Test(arguments: ["\"1\"", "12", "\"12-gzip\"", "", "\"12", "w/\"12\"", "\"12\" x", "\"012\""])
  func otherwiseNothingIsHeld(_ value: String) {
    #expect(!fields(("If-None-Match", value)).ifNoneMatchHolds(Array("\"12\"".utf8)))
  }
}

@Suite struct IdempotencyKeyTests {
  @Test(arguments: [
    "a", "\"quoted\"", "a b", "é", String(repeating: "k", count: 255), "8e03978e-40d5-43dd-bc93-6894a57f9324",
  ])
  func aKeyIsItsBytes(_ key: String) throws {
    #expect(try fields(("Idempotency-Key", key)).idempotencyKey() == Bytes(key))
  }

  @Test(arguments: ["", "  ", String(repeating: "k", count: 256), "a\tb", "a\u{1}", "\u{7F}"])
  func otherKeysAreMalformed(_ key: String) {
    #expect(
      problem { () throws(Problem) in _ = try fields(("Idempotency-Key", key)).idempotencyKey() }
        == "400 malformed-request")
  }

  @Test func twoKeysAreMalformedAndNoneIsNone() throws {
    #expect(try fields().idempotencyKey() == nil)
    #expect(
      problem { () throws(Problem) in
        _ = try fields(("Idempotency-Key", "a"), ("idempotency-key", "a")).idempotencyKey()
      } == "400 malformed-request")
  }

  @Test func theLastEventIDIsARevisionOrNothing() {
    #expect(fields(("Last-Event-ID", "12")).lastEventID() == 12)
    #expect(fields(("Last-Event-ID", "x")).lastEventID() == nil)
    #expect(fields().lastEventID() == nil)
  }
}

@Suite struct ContentTypeTests {
  @Test(arguments: [
    "application/json", "Application/JSON", "application/json; charset=utf-8",
    "application/json;charset=\"UTF-8\"",
    "application/json ; Charset=utf-8;x=y", "application/json;", "application/json;;charset=utf-8",
    "application/json; v=1",
  ])
  func jsonInUTF8IsTaken(_ value: String) throws {
    try request(.post, body: "{}", ("Content-Type", value)).checkContentType()
  }

  @Test(arguments: [
    nil, "", "text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1",
    "application/json, text/plain",
    "application/merge-patch+json", "application/jsonx", "application", "application/", "json",
    "application/json x",
    "application/json; charset=utf-8 x", "application/json; charset=\"utf-8", "application /json", "*/*",
    "application/json; charset=utf-16; charset=utf-8", "application/json; charset",
  ])
  func otherTypesAreUnsupported(_ value: String?) {
    let fields = HeaderFields(value.map { [(name: "Content-Type", value: $0)] } ?? [])
    let request = Request(method: .post, path: [47], fields: fields, body: Array("{}".utf8))
    #expect(problem { () throws(Problem) in try request.checkContentType() } == "415 unsupported-media-type")
  }

  @Test func theProblemSaysHowToDoIt() {
    do throws(Problem) {
      try request(.post, body: "{}").checkContentType()
      Issue.record("taken")
    } catch {
      #expect(error.detail.contains("curl --json"))
      #expect(error.response().field("Accept") == "application/json")
    }
  }

  @Test func anEmptyBodyNeedsNoType() throws {
    try request(.post).checkContentType()
    try request(.post, "/v1/sessions", ("Content-Type", "text/plain")).checkContentType()
  }

  @Test func typesGivenTwiceAndCodedBodiesAreUnsupported() {
    let twice = request(
      .post, body: "{}", ("Content-Type", "application/json"), ("Content-Type", "application/json"))
    let coded = request(.post, body: "{}", ("Content-Type", "application/json"), ("Content-Encoding", "gzip"))
    #expect(problem { () throws(Problem) in try twice.checkContentType() } == "415 unsupported-media-type")
    #expect(problem { () throws(Problem) in try coded.checkContentType() } == "415 unsupported-media-type")
  }
}

@Suite struct AcceptTests {
  @Test(arguments: [
    "*/*", "application/json", "APPLICATION/*", "text/html, application/xhtml+xml, */*;q=0.8",
    "application/json;q=0.001",
    "application/json;charset=utf-8", "text/html;q=1, application/json ; q=0.5", "*/*;q=0, application/json",
    "", "nonsense",
    "*/*;q=0, application/*;q=0.1", "application/json;q=1.000",
    "text/html;a=\",application/xml\", application/json", "application/json;q=7",
  ])
  func jsonIsAcceptable(_ value: String) throws {
    #expect(try request(.get, "/v1/tables", ("Accept", value)).representation() == .json)
  }

  @Test(arguments: [
    "text/html", "application/xml", "application/json;q=0", "*/*, application/json;q=0.000",
    "application/*;q=0, */*",
    "application/problem+json", "text/*", "*/*;q=0", "text/event-stream", "application/json;q=0, text/html",
  ])
  func jsonIsRuledOut(_ value: String) {
    #expect(
      problem { () throws(Problem) in _ = try request(.get, "/v1/tables", ("Accept", value)).representation()
      } == "406 not-acceptable")
  }

  @Test(arguments: [
    ("text/event-stream", Representation.eventStream), ("text/*", .eventStream), ("*/*", .json),
    ("text/event-stream, application/json", .eventStream),
    ("text/event-stream;q=0.5, application/json", .json),
    ("text/event-stream, */*", .eventStream), ("text/event-stream, */*;q=0.1", .eventStream),
    ("application/json, text/event-stream;q=0", .json), ("application/json", .json),
    ("Text/Event-Stream", .eventStream),
  ])
  func aStreamIsGivenWhereItIsWanted(_ value: String, _ form: Representation) throws {
    #expect(try request(.get, "/v1/tables", ("Accept", value)).representation(offersStream: true) == form)
  }

  @Test func severalFieldsAreOneList() throws {
    #expect(
      try request(.get, "/v1/tables", ("Accept", "text/html"), ("Accept", "application/json"))
        .representation() == .json)
    #expect(
      try request(.get, "/v1/tables", ("Accept", "application/json"), ("Accept", "application/json;q=0"))
        .representation() == .json)
  }
}

@Suite struct TimestampTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
    (951_782_400_000, "2000-02-29T00:00:00.000Z"),
    (1_767_323_045_678, "2026-01-02T03:04:05.678Z"), (4_107_542_399_999, "2100-02-28T23:59:59.999Z"),
    (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    (Int.max, "9999-12-31T23:59:59.999Z"), (Int.min, "0000-01-01T00:00:00.000Z"),
    (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
  ])
  func rfc3339(_ milliseconds: Int, _ text: String) {
    var bytes: [UInt8] = []
    bytes.append(rfc3339: milliseconds)
    #expect(String(decoding: bytes, as: UTF8.self) == text)
  }
}

import HTTP1
import JSONText
import Service
import Testing

@Suite struct ProblemTests {
  @Test func membersStandInTheProtocolsOrder() {
    let problem = Problem(
      .duplicateID, detail: "“a\"1” is there", instance: "/v1/sessions/s/insert",
      pointer: JSONPointer(tokens: ["rows", "0", "a/b~"]),
      revision: 12)
    #expect(
      String(decoding: problem.json(), as: UTF8.self)
        == #"{"type":"/problems/duplicate-id","title":"The id is taken","status":409,"detail":"“a\"1” is there","instance":"/v1/sessions/s/insert","pointer":"/rows/0/a~1b~0","revision":12}"#
    )
    #expect(problem.response().field("ETag") == "\"12\"")
    #expect(problem.response().field("Content-Type") == "application/problem+json")
  }

  @Test func absentMembersAreLeftOutAndADetailIsAlwaysThere() throws {
    let json = try JSONValue(parsing: Bytes(Problem(.busy).json()))
    var names: [String] = []
    json.forEachMember { name, _ in names.append(name.string) }
    #expect(names == ["type", "title", "status", "detail"])
    #expect(json.member(named: "detail")?.string?.isEmpty == false)
    #expect(Problem(.busy).response().field("ETag") == nil)
  }

  @Test func theInstanceIsAReferenceWhateverThePathWas() throws {
    let asked = Request(method: .get, path: Array("/v1/x%2Fy".utf8) + [0xFF, 0, 34, 92, 32, 10])
    let response = Problem(.unknownPath).response(to: asked)
    let json = try JSONValue(parsing: Bytes(response.text))
    #expect(json.member(named: "instance")?.string == "/v1/x%2Fy%FF%00%22%5C%20%0A")
  }

  @Test(arguments: [
    (RequestFailure.Code.malformed, 400, "malformed-request"), (.bodyTooLarge, 413, "body-too-large"),
    (.headersTooLarge, 431, "headers-too-large"), (.notImplemented, 501, "not-implemented"),
    (.unsupportedVersion, 505, "unsupported-version"), (.timeout, 408, "malformed-request"),
    (.tooManyConnections, 503, "too-many-connections"), (.expectationFailed, 417, "malformed-request"),
  ])
  func requestsThatCannotBeReadAreProblemsAndCloseTheConnection(
    _ code: RequestFailure.Code, _ status: Int, _ slug: String
  ) throws {
    let response = Problem(RequestFailure(code, "why")).response()
    #expect(response.status == status)
    #expect(response.problem == slug)
    #expect(response.closes)
    let json = try JSONValue(parsing: Bytes(response.text))
    #expect(json.member(named: "status")?.integer == status)
    #expect(json.member(named: "detail")?.string == "why")
  }

  @Test func answersThatTimeMayHealSayWhen() {
    for type in [
      ProblemType.storeUnavailable, .draining, .tooManyConnections, .tooManySessions, .tooManySubscribers,
      .idempotencyInProgress,
    ] {
      #expect(Problem(type).response().field("Retry-After") != nil, "\(type)")
    }
    #expect(Problem(.draining, retryAfter: 9).response().field("Retry-After") == "9")
    #expect(Problem(.unknownRow).response().field("Retry-After") == nil)
  }

  /// Protocol §9 and §7, written out a second time.
  @Test func theCatalogueIsTheProtocols() {
    let protocolNine: [Int: [String]] = [
      400: ["malformed-json", "malformed-request"], 401: ["unauthorized"],
      403: ["forbidden-origin", "forbidden-host", "forbidden"],
      404: ["unknown-path", "unknown-table", "unknown-session", "unknown-row"], 405: ["method-not-allowed"],
      406: ["not-acceptable"],
      409: [
        "duplicate-id", "busy", "nothing-to-retry", "nothing-awaited", "not-selectable", "placeholder-row",
        "session-exists",
        "transition-not-allowed", "idempotency-in-progress",
      ], 410: ["session-ended"], 412: ["revision-mismatch"], 413: ["body-too-large"],
      415: ["unsupported-media-type"],
      422: ["invalid-body", "invalid-row", "index-out-of-range", "idempotency-key-reused", "limit-exceeded"],
      429: ["too-many-sessions", "too-many-subscribers"], 431: ["headers-too-large"], 500: ["internal"],
      501: ["not-implemented"], 503: ["store-unavailable", "draining", "too-many-connections"],
      505: ["unsupported-version"],
    ]
    let upstream: Set = [
      "upstream-unreachable", "upstream-status", "upstream-timeout", "upstream-malformed",
      "upstream-too-large",
      "upstream-repeats", "upstream-error", "interrupted",
    ]
    for (status, slugs) in protocolNine {
      for slug in slugs { #expect(ProblemType(rawValue: slug)?.status == status, "\(slug)") }
    }
    let all = Set(protocolNine.values.joined()).union(upstream)
    #expect(all == Set(ProblemType.allCases.map(\.slug)))
    #expect(Set(ProblemType.allCases.map(\.title)).count == ProblemType.allCases.count)
  }
}

@Suite struct PageTests {
  let pages = Pages()

  @Test(arguments: ProblemType.allCases) func everyProblemHasAPage(_ type: ProblemType) throws {
    let page = try pages.problem(Bytes(type.slug))
    let full = page.response(to: request(.get, "/problems/\(type.slug)"))
    #expect(full.status == 200)
    #expect(full.field("Content-Type") == "text/html; charset=utf-8")
    #expect(full.text.contains(type.slug))
    let tag = try #require(full.field("ETag"))
    let again = page.response(to: request(.get, "/", ("If-None-Match", "W/\(tag)")))
    #expect(again.status == 304)
    #expect(again.field("ETag") == tag)
    #expect(again.text.isEmpty)
  }

  @Test(arguments: ["nothing", "", "Busy", "busy/", "<script>", "../busy"]) func noOtherSlugHasOne(
    _ slug: String
  ) {
    #expect(problem { () throws(Problem) in _ = try pages.problem(Bytes(slug)) } == "404 unknown-path")
  }

  @Test func pagesAskNothingOfOthers() throws {
    for page in try ProblemType.allCases.map({ try pages.problem(Bytes($0.slug)) }) {
      let response = page.response(to: request())
      let html = response.text
      #expect(
        !html.contains("http:") && !html.contains("https:") && !html.contains("src=")
          && !html.contains("<script"))
      #expect(!html.contains("url("))
      let policy = try #require(response.field("Content-Security-Policy"))
      #expect(policy.hasPrefix("default-src 'none'; style-src 'sha256-"))
      #expect(response.field("X-Content-Type-Options") == "nosniff")
      #expect(html.hasPrefix("<!DOCTYPE html>") && html.hasSuffix("</html>\n"))
    }
  }

  @Test func textOfTheCatalogueIsEscaped() throws {
    let html = try pages.problem("unauthorized").response(to: request()).text
    #expect(html.contains("curl -H &#39;Authorization"))
    #expect(!html.contains("'Authorization"))
  }
}

import HTTP1
import JSONText
import Service
import Testing

@Suite struct HostRuleTests {
  let gate = Gate(rules: AccessRules(hosts: ["lists.example.com", "Other.Example"]))

  @Test(arguments: [
    "127.0.0.1", "127.0.0.1:8080", "10.1.2.3:1", "255.255.255.255", "0.0.0.0", "[::1]", "[::1]:8080", "[::]",
    "[2001:DB8::1]:443", "[1:2:3:4:5:6:7:8]", "[::ffff:192.0.2.1]", "[1:2:3:4:5:6:1.2.3.4]", "[1::8]",
    "[1:2:3:4:5:6:7::]",
    "localhost", "LOCALHOST:99999", "localhost:", "lists.example.com", "LISTS.example.COM:1", "other.example",
  ])
  func addressesLocalhostAndConfiguredNamesPass(_ host: String) {
    #expect(gate.outcome(request(host: host)) == "tables")
  }

  @Test(arguments: [
    "evil.example", "lists.example.com.evil.example", "xlists.example.com", "localhost.evil.example",
    "localhostx",
    "127.0.0.1.evil.example", "127.1", "0x7f.0.0.1", "127.0.0.256", "127.0.0.01", "2130706433", "1.2.3.4.5",
    "1.2.3.",
    "localhost.", "example.com", "::1", "",
  ])
  func otherNamesAreForbidden(_ host: String) {
    let outcome = gate.outcome(request(host: host))
    #expect(outcome == (host == "::1" ? "malformed-request" : "forbidden-host"))
    #expect(gate.outcome(request(.get, "/healthz", host: host)) == outcome, "on every path")
    #expect(gate.outcome(request(.get, "/nowhere", host: host)) == outcome, "before the path is looked at")
  }

  @Test(arguments: [
    "user@localhost", "localhost:80a", "localhost:-1", "a b", "[::1", "[::1]x", "[]", "[:]", "[:::]",
    "[::1::2]",
    "[1:2:3:4:5:6:7]", "[1:2:3:4:5:6:7:8:9]", "[12345::]", "[g::1]", "[::1%25eth0]", "[v1.a]", ":80",
    "loc/alhost", "local\u{E9}",
    "[1:2:3:4:5:6:7:8::]", "[1:]", "[:1]", "[::1.2.3]", "[1.2.3.4::]",
  ])
  func whatIsNoHostIsMalformed(_ host: String) {
    #expect(gate.outcome(request(host: host)) == "malformed-request")
  }

  @Test func onlyHTTP10MayNameNoHost() {
    #expect(gate.outcome(request(host: "", minorVersion: 0)) == "tables")
    #expect(gate.outcome(request(host: "", minorVersion: 1)) == "forbidden-host")
    #expect(
      gate.outcome(request(.get, "/v1/tables", host: "", minorVersion: 0, ("Host", ""))) == "forbidden-host")
    #expect(gate.outcome(request(host: "evil.example", minorVersion: 0)) == "forbidden-host")
  }
}

@Suite struct OriginRuleTests {
  let gate = Gate(rules: AccessRules(origins: ["https://app.example.com", "null", "http://localhost:3000"]))
  let exposed = "ETag, Location, Retry-After, Idempotent-Replayed, Idempotency-Expires"

  @Test(arguments: [
    ("http://127.0.0.1:8080", "127.0.0.1:8080"), ("https://127.0.0.1:8080", "127.0.0.1:8080"),
    ("http://localhost", "localhost"), ("http://localhost", "localhost:80"),
    ("http://localhost:80", "localhost"),
    ("https://localhost", "localhost:443"), ("http://LocalHost", "LOCALHOST:"), ("http://[::1]:1", "[::1]:1"),
  ])
  func theServersOwnOriginPassesWithoutPermissionToOthers(_ origin: String, _ host: String) {
    let own = gate.admission(request(.post, "/v1/sessions", host: host, ("Origin", origin)))
    #expect(own?.crossOrigin.lines == Array("Vary: Origin\r\n".utf8))
    let bare = Gate(rules: AccessRules())
    #expect(
      bare.admission(request(.post, "/v1/sessions", host: host, ("Origin", origin)))?.crossOrigin.lines == [])
  }

  @Test(arguments: [
    "https://evil.example", "http://127.0.0.1", "http://127.0.0.1:8081", "https://127.0.0.1",
    "https://app.example.com:8443",
    "http://app.example.com", "https://app.example.com.evil.example", "https://app.example.com/", "",
    "http://127.0.0.1:8080/", "http://user@127.0.0.1:8080", "ws://127.0.0.1:8080", "127.0.0.1:8080",
    "file://",
    "https://app.example.com https://app.example.com", "http://127.0.0.1:8080, https://app.example.com",
    "http://",
  ])
  func otherOriginsAreForbiddenOnEveryPath(_ origin: String) {
    for path in ["/v1/sessions", "/healthz", "/", "/nowhere"] {
      let answer = gate.answer(request(.get, path, ("Origin", origin)))
      #expect(answer?.problem == "forbidden-origin")
      #expect(answer?.text.contains("server.origins") == true)
      #expect(answer?.field("Access-Control-Allow-Origin") == nil)
    }
    let preflight = request(
      .options, "/v1/sessions", ("Origin", origin), ("Access-Control-Request-Method", "POST"))
    #expect(gate.outcome(preflight) == "forbidden-origin")
  }

  @Test(arguments: ["https://app.example.com", "null", "http://localhost:3000"])
  func listedOriginsGetPermissionOnAnswersAndOnProblems(_ origin: String) {
    var response = Response(status: 200)
    gate.admission(request(.get, "/v1/tables", ("Origin", origin)))?.crossOrigin.add(to: &response)
    let problem = gate.answer(request(.get, "/nowhere", ("Origin", origin)))
    for answer in [response, problem] {
      #expect(answer?.field("Access-Control-Allow-Origin") == origin)
      #expect(answer?.field("Access-Control-Expose-Headers") == exposed)
      #expect(answer?.field("Vary") == "Origin")
    }
  }

  @Test func nullIsForbiddenUnlessListed() {
    #expect(
      Gate(rules: AccessRules()).outcome(request(.get, "/v1/tables", ("Origin", "null")))
        == "forbidden-origin")
  }

  @Test func twoOriginsAreMalformed() {
    let twice = request(.get, "/", ("Origin", "null"), ("Origin", "https://app.example.com"))
    #expect(gate.outcome(twice) == "malformed-request")
  }

  @Test func aPreflightNeedsNoTokenAndSaysWhatProtocolNineLists() {
    let gate = Gate(rules: AccessRules(origins: ["https://app.example.com"], tokens: ["secret"]))
    let answer = gate.answer(
      request(
        .options, "/v1/sessions/a/insert", ("Origin", "https://app.example.com"),
        ("Access-Control-Request-Method", "POST"),
        ("Access-Control-Request-Headers", "authorization, content-type")))
    #expect(answer?.status == 204)
    #expect(answer?.field("Access-Control-Allow-Origin") == "https://app.example.com")
    #expect(answer?.field("Access-Control-Allow-Methods") == "GET, HEAD, POST, PUT, DELETE")
    #expect(
      answer?.field("Access-Control-Allow-Headers")
        == "Authorization, Content-Type, If-Match, If-None-Match, Idempotency-Key, Last-Event-ID, Prefer")
    #expect(answer?.field("Access-Control-Max-Age") == "7200")
    #expect(answer?.field("Vary") == "Origin")
    #expect(
      gate.outcome(request(.options, "/v1/sessions", ("Origin", "https://app.example.com"))) == "unauthorized"
    )
    #expect(
      gate.outcome(request(.options, "/v1/sessions", ("Access-Control-Request-Method", "POST")))
        == "unauthorized")
  }
}

@Suite struct TokenRuleTests {
  let gate = Gate(rules: AccessRules(tokens: ["first", "second"], adminTokens: ["boss"]))

  @Test(arguments: [
    "Bearer first", "bearer second", "BEARER  first", "Bearer boss", "Bearer\tfirst", " Bearer first ",
  ])
  func aTokenOpensWhatIsUnderV1(_ field: String) {
    #expect(gate.outcome(request(.post, "/v1/sessions", ("Authorization", field))) == "sessions")
    #expect(gate.outcome(request(.get, "/v1/nowhere", ("Authorization", field))) == "unknown-path")
  }

  @Test(arguments: [
    nil, "", "Bearer", "Bearer ", "first", "Basic first", "Bearer firs", "Bearer firstx", "Bearer First",
    "Bearer first second",
    "Bearer first,", "Bearer firstfirst", "Bearerfirst", "Bearer fir\u{E9}", "Bearer \"first\"",
  ])
  func withoutATokenOfTheServersNothingUnderV1IsTold(_ field: String?) {
    for path in ["/v1/sessions", "/v1", "/v1/", "/v1/nowhere", "/v1/sessions/%zz", "/metrics"] {
      let fields = field.map { [(name: "Authorization", value: $0)] } ?? []
      let request = Request(
        method: .get, path: Array(path.utf8), authority: Array("localhost".utf8), fields: HeaderFields(fields)
      )
      let answer = gate.answer(request)
      #expect(answer?.problem == "unauthorized", "\(path)")
      #expect(answer?.field("WWW-Authenticate") == "Bearer")
    }
  }

  @Test(arguments: ["/", "/healthz", "/readyz", "/openapi.json", "/problems/unauthorized"])
  func whatIsNotUnderV1NeedsNone(_ path: String) {
    #expect(gate.admission(request(.get, path)) != nil)
  }

  @Test func theListOfSessionsAndTheMetricsAreForAdmins() {
    for path in ["/v1/sessions", "/metrics"] {
      for method in [Method.get, .head] {
        #expect(gate.outcome(request(method, path, ("Authorization", "Bearer first"))) == "forbidden")
        #expect(gate.admission(request(method, path, ("Authorization", "Bearer boss"))) != nil)
      }
    }
    let plain = Gate(rules: AccessRules(tokens: ["first"]))
    #expect(plain.outcome(request(.get, "/v1/sessions", ("Authorization", "Bearer first"))) == "sessions")
    #expect(plain.outcome(request(.get, "/metrics", ("Authorization", "Bearer first"))) == "metrics")
    #expect(Gate(rules: AccessRules()).outcome(request(.get, "/metrics")) == "metrics")
  }

  @Test func twoAuthorizationsAreMalformed() {
    let twice = request(
      .get, "/v1/tables", ("Authorization", "Bearer first"), ("Authorization", "Bearer first"))
    #expect(gate.outcome(twice) == "malformed-request")
  }

  @Test func anEmptyTokenOfTheConfigurationOpensNothing() {
    let gate = Gate(rules: AccessRules(tokens: [""]))
    #expect(gate.outcome(request(.get, "/v1/tables", ("Authorization", "Bearer "))) == "unauthorized")
  }

  @Test func aPrincipalIsTheTokensDigestAndNothingElse() {
    let first = gate.admission(request(.post, "/v1/sessions", ("Authorization", "Bearer first")))?.principal
    let second = gate.admission(request(.post, "/v1/sessions", ("Authorization", "Bearer second")))?.principal
    let again = Gate(rules: AccessRules(tokens: ["zero", "first"]))
      .admission(request(.post, "/v1/sessions", ("Authorization", "bearer first")))?.principal
    #expect(first != nil && first == again)
    #expect(first != second)
    #expect(Gate(rules: AccessRules()).admission(request())?.principal == .anyone)
    // FIPS 180-4's example "abc", and one of two blocks.
    let abc = Gate(rules: AccessRules(tokens: ["abc"])).admission(
      request(.get, "/v1/tables", ("Authorization", "Bearer abc")))
    #expect(
      abc?.principal.fingerprint.array
        == [0xBA, 0x78, 0x16, 0xBF, 0x8F, 0x01, 0xCF, 0xEA, 0x41, 0x41, 0x40, 0xDE, 0x5D, 0xAE, 0x22, 0x23])
    let long = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"
    let two = Gate(rules: AccessRules(tokens: [Bytes(long)]))
      .admission(request(.get, "/v1/tables", ("Authorization", "Bearer \(long)")))
    #expect(
      two?.principal.fingerprint.array
        == [0x24, 0x8D, 0x6A, 0x61, 0xD2, 0x06, 0x38, 0xB8, 0xE5, 0xC0, 0x26, 0x93, 0x0C, 0x3E, 0x60, 0x39])
  }
}

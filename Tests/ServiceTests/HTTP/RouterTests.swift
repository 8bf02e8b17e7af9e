import HTTP1
import JSONText
import ListModel
import Service
import Testing

@Suite struct RouterTests {
  let gate = Gate(rules: AccessRules())

  static let paths: [(String, RouteKind)] = [
    ("/", .index), ("/rowcast.js", .library), ("/client/0a/app.js", .client),
    ("/openapi.json", .openAPI), ("/healthz", .healthz), ("/readyz", .readyz),
    ("/metrics", .metrics), ("/problems/duplicate-id", .problem), ("/v1/tables", .tables),
    ("/v1/tables/articles", .table), ("/v1/sessions", .sessions), ("/v1/sessions/a", .session),
    ("/v1/sessions/a/rows/0", .row), ("/v1/sessions/a/items/b", .item), ("/v1/sessions/a/changes", .changes),
  ]

  @Test(arguments: paths) func everyPathThatCanBeReadIsFoundForGetAndHead(_ path: String, _ kind: RouteKind) {
    #expect(gate.outcome(request(.get, path)) == "\(kind)")
    #expect(gate.outcome(request(.head, path)) == "\(kind)")
    #expect(gate.outcome(request(.patch, path)) == "method-not-allowed")
    #expect(gate.answer(request(.trace, path))?.field("Allow") == "\(kind.allow)")
    #expect(gate.answer(request(.options, path))?.status == 204)
    #expect(gate.answer(request(.options, path))?.field("Allow") == "\(kind.allow)")
  }

  @Test func allowNamesExactlyTheMethodsThatAreAllowed() {
    let names: [(Method, String)] = [
      (.get, "GET"), (.head, "HEAD"), (.post, "POST"), (.put, "PUT"), (.delete, "DELETE"),
      (.options, "OPTIONS"),
      (.patch, "PATCH"), (.trace, "TRACE"), (.connect, "CONNECT"),
    ]
    for kind in RouteKind.allCases {
      let allowed = names.filter { kind.allows($0.0) }.map(\.1).joined(separator: ", ")
      #expect(allowed == "\(kind.allow)", "\(kind)")
    }
  }

  @Test(arguments: CommandName.allCases) func everyCommandIsFoundForPostAlone(_ command: CommandName) {
    let path = "/v1/sessions/s-1/\(command.rawValue)"
    #expect(gate.admission(request(.post, path))?.route == .command(session: "s-1", command))
    for method in [Method.get, .head, .put, .delete, .patch] {
      let answer = gate.answer(request(method, path))
      #expect(answer?.status == 405)
      #expect(answer?.field("Allow") == "POST, OPTIONS")
    }
  }

  @Test(arguments: [
    "/v1", "/v1/", "/v2/tables", "/V1/tables", "/v1/tables/", "/v1/tables/a/", "/v1/tables/a/b", "/v1/table",
    "/v1/tablesx", "/v1/sessions/", "/v1/sessionsx", "/v1/sessions//changes", "/v1/sessions/a/",
    "/v1/sessions/a//",
    "/v1/sessions/a/rows", "/v1/sessions/a/rows/", "/v1/sessions/a/rows/1/", "/v1/sessions/a/rows/1/2",
    "/v1/sessions/a/items", "/v1/sessions/a/items/", "/v1/sessions/a/items/b/c", "/v1/sessions/a/changes/",
    "/v1/sessions/a/changes/1", "/v1/sessions/a/Load", "/v1/sessions/a/loadmore", "/v1/sessions/a/load_more",
    "/v1/sessions/a/loa", "/v1/sessions/a/loadd", "/v1/sessions/a/transitions", "/v1/sessions/a/load/x",
    "/v1/sessions/a/l%6Fad", "/v1/%74ables", "//", "//v1/tables", "", "/problems", "/problems/",
    "/problems/a/b",
    "/healthz/", "/readyz/x", "/metrics/", "/openapi.json/", "/openapi", "/rowcast.js/", "/favicon.ico",
    "/client", "/client/", "/client/0a", "/client/0a/", "/client//app.js", "/client/0a/app.js/",
    "/client/0a/b/c",
    "/v1/sessions/a/recover",
  ])
  func otherPathsAreUnknown(_ path: String) {
    #expect(gate.outcome(request(.get, path)) == "unknown-path")
    #expect(gate.outcome(request(.post, path)) == "unknown-path")
    #expect(gate.outcome(request(.options, path)) == "unknown-path")
  }

  @Test func everyCutOfAPathIsAnsweredWithoutATrap() {
    let path = "/v1/sessions/abc%2Fdef/items/x%00y/zz"
    for end in path.indices { _ = gate.admit(request(.get, String(path[..<end]))) }
  }

  @Test func idsAreDecodedOnceBehindTheSplitAtSlashes() {
    #expect(
      gate.admission(request(.get, "/v1/sessions/a%2Fb/items/%25%32%46+%C3%A9"))?.route
        == .item(session: "a/b", id: "%2F+é"))
    #expect(gate.admission(request(.get, "/v1/sessions/%2e%2E"))?.route == .session(id: ".."))
    #expect(gate.admission(request(.get, "/v1/tables/%ff"))?.route == .table(name: Bytes([0xFF])))
    #expect(
      gate.admission(request(.get, "/v1/sessions/rows/rows/007"))?.route == .row(session: "rows", index: 7))
  }

  @Test(arguments: ["%", "%2", "%zz", "a%", "a%4", "%2%2", "%-1", "%+1", "%0x"])
  func badTripletsAreMalformed(_ id: String) {
    #expect(gate.outcome(request(.get, "/v1/sessions/\(id)")) == "malformed-request")
    #expect(gate.outcome(request(.get, "/v1/sessions/a/items/\(id)")) == "malformed-request")
    #expect(gate.outcome(request(.post, "/v1/sessions/\(id)/load")) == "malformed-request")
    #expect(gate.outcome(request(.get, "/v1/tables/\(id)")) == "malformed-request")
  }

  @Test(arguments: ["-1", "+1", "1.0", "a", "0x1", "%20", "1e3", "%2D1"])
  func aRowIndexThatIsNoNumberIsMalformed(_ index: String) {
    #expect(gate.outcome(request(.get, "/v1/sessions/a/rows/\(index)")) == "malformed-request")
  }

  @Test func aRowIndexBeyondEveryListIsStillAnIndex() {
    let digits = String(repeating: "9", count: 4000)
    guard case .row(_, let index)? = gate.admission(request(.get, "/v1/sessions/a/rows/\(digits)"))?.route
    else {
      Issue.record("not admitted")
      return
    }
    #expect(index > 1 << 50)
  }

  @Test func optionsOfTheWholeServerAllowsWhatItKnows() {
    #expect(
      gate.answer(request(.options, "*"))?.field("Allow") == "GET, HEAD, POST, PUT, DELETE, OPTIONS")
    #expect(gate.outcome(request(.get, "*")) == "unknown-path")
  }

  @Test(arguments: [
    ("a", true), ("A-z_09", true), (String(repeating: "x", count: 64), true),
    (String(repeating: "x", count: 65), false),
    ("", false), ("a b", false), ("é", false), ("a.b", false), ("a/b", false), ("a\0", false), ("~", false),
  ])
  func clientsMayNameSessionsSo(_ id: String, _ isFit: Bool) {
    #expect(Bytes(id).isClientName == isFit)
  }
}

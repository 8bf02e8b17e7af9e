import HTTP1
import JSONText
import ListModel
import Service
import Sessions
import Testing

/// Protocol §7 and §9 over HTTP: commands, their headers, and what refuses them.
@Suite(.timeLimit(.minutes(5)))
struct CommandRouteTests {
  private static let R = Desk.R

  // MARK: Answers

  @Test("An insert, byte for byte: change, ids and snapshot")
  func insert() throws {
    let desk = Desk()
    let path = try desk.notes()
    let response = try desk.ask(
      .post, "\(path)/insert?tag=t-1", #"{ "rows": [ {"id":"é","data":{"n": 1.0}} ] }"#)
    let hidden = #"{"placeholder":"hidden","cell":"HiddenCell","visible":false,"selectable":false,"data":{}}"#
    let row = #"{"id":"é","cell":"Cell","data":{"n":1.0}}"#
    let head = #""state":"populated","loading":null,"hasNext":false,"error":null"#
    #expect(
      response.text
        == #"{"revision":\#(Self.R + 1),"changes":[{"revision":\#(Self.R + 1),"cause":"insert",\#(head),"selected":null,"itemCount":1,"rowCount":2,"#
        + #""ops":[{"op":"insert","to":0,"row":\#(row)},{"op":"update","from":0,"to":1,"row":\#(hidden)}],"tag":"t-1"}],"#
        + #""ids":["é"],"snapshot":{"session":"n","table":"notes","params":{},"revision":\#(Self.R + 1),\#(head),"itemCount":1,"rowCount":2,"#
        + #""selected":null,"offset":0,"rows":[\#(row),\#(hidden)]}}"#)
    #expect(response.status == 200 && response.field("ETag") == "\"\(Self.R + 1)\"")
  }

  @Test("format=json-patch gives patches in place of ops")
  func patches() throws {
    let desk = Desk()
    let path = try desk.notes(["a"])
    let response = try desk.ask(
      .post, "\(path)/delete?format=json-patch", #"{"indexes":[0,0]}"#, [("Prefer", "return=minimal")])
    let change = try #require(response.member("/changes/0"))
    #expect(!change.contains("\"ops\"") && response.member("/snapshot") == nil)
    #expect(change.contains(#"{"op":"replace","path":"/revision","value":\#(Self.R + 2)}"#))
    #expect(change.contains(#"{"op":"remove","path":"/rows/0"}"#))
    #expect(change.hasSuffix(#"]}"#))
    #expect(try desk.ask(.post, "\(path)/delete?format=xml").status == 400)
  }

  @Test("Prefer and the window shape the snapshot; a reset has the whole one all the same")
  func shapes() throws {
    let desk = Desk()
    let path = try desk.notes(["a", "b", "c"])
    let nothing = #"{"ids":[]}"#
    let minimal = [(name: "Prefer", value: "return=minimal")]
    #expect(
      try desk.ask(.post, "\(path)/delete", nothing, minimal).text
        == #"{"revision":\#(Self.R + 1),"changes":[]}"#)
    let window = try desk.ask(.post, "\(path)/delete?offset=1&limit=1", nothing)
    #expect(window.member("/snapshot/offset") == "1" && window.member("/snapshot/rows/1") == nil)
    let reset = try desk.ask(.post, "\(path)/delete?since=3&offset=1&limit=1", nothing, minimal)
    #expect(reset.text.hasPrefix(#"{"revision":\#(Self.R + 1),"reset":true,"changes":[],"snapshot":{"#))
    #expect(reset.member("/snapshot/offset") == "0" && reset.member("/snapshot/rows/3") != nil)
    #expect(try desk.ask(.post, "\(path)/delete?since=\(Self.R)", nothing).revisions == [Self.R + 1])
  }

  @Test("A fetch: both changes when it has ended, 202 when that takes too long or nobody waits")
  func fetches() throws {
    let desk = Desk()
    try desk.ask(.put, "/v1/sessions/a", #"{"table":"articles"}"#)
    let load = desk.send(.post, "/v1/sessions/a/load")
    let impatient = desk.send(.post, "/v1/sessions/a/load", nil, [("Prefer", "wait=3, return=minimal")])
    let hasty = try desk.ask(.post, "/v1/sessions/a/load", nil, [("Prefer", "wait=0")])
    #expect(hasty.status == 202 && hasty.revisions == [Self.R + 1])
    desk.advance(seconds: 3)
    let accepted = try #require(impatient.response)
    #expect(
      accepted.status == 202 && accepted.revisions == [Self.R + 1] && accepted.member("/snapshot") == nil)
    #expect(load.response == nil)
    desk.release(ids: ["x"])
    let response = try #require(load.response)
    #expect(response.status == 200 && response.revisions == [Self.R + 1, Self.R + 2])
    #expect(response.member("/snapshot/itemCount") == "1")
    let again = try desk.ask(.post, "/v1/sessions/a/load", "{}", [("Prefer", "respond-async")])
    #expect(again.status == 200 && again.revisions == [])
  }

  @Test("The upstream's failure is 200, with the error in the list")
  func failures() throws {
    let desk = Desk()
    try desk.ask(.put, "/v1/sessions/a", #"{"table":"articles"}"#)
    let load = desk.send(.post, "/v1/sessions/a/load")
    desk.release(.failure(UpstreamFailure(.status, detail: "503 came", upstreamStatus: 503, retryAfter: 7)))
    let response = try #require(load.response)
    #expect(response.status == 200 && response.member("/snapshot/state") == #""error""#)
    #expect(
      response.member("/snapshot/error/during") == #""load""#
        && response.member("/snapshot/error/retryAfter") == "7")
  }

  // MARK: Headers

  @Test("Idempotency-Key: the answer again, with its own status, revision and moment")
  func idempotency() throws {
    let desk = Desk()
    let path = try desk.notes()
    let key = [(name: "Idempotency-Key", value: "k 1")]
    let body = #"{"rows":[{"data":1}]}"#
    let first = try desk.ask(.post, "\(path)/insert?tag=a", body, key)
    try desk.ask(.post, "\(path)/insert", #"{"rows":[{"id":"z","data":1}]}"#)
    let again = try desk.ask(.post, "\(path)/insert?tag=a", body, key)
    #expect(first.field("Idempotent-Replayed") == nil && again.field("Idempotent-Replayed") == "true")
    #expect(first.field("Idempotency-Expires") == "Wed, 15 Nov 2023 22:13:20 GMT")
    #expect(again.field("Idempotency-Expires") == first.field("Idempotency-Expires"))
    #expect(again.field("ETag") == first.field("ETag") && again.member("/ids") == first.member("/ids"))
    #expect(again.member("/changes") == first.member("/changes"))
    #expect(again.member("/snapshot/revision") == "\(Self.R + 2)")
    for (target, other) in [
      ("insert", body), ("insert?tag=b", body), ("insert?tag=a", body + " "), ("replace?tag=a", body),
    ] {
      let reused = try desk.ask(.post, "\(path)/\(target)", other, key)
      #expect(reused.status == 422 && reused.member("/type") == #""/problems/idempotency-key-reused""#)
      #expect(reused.field("Idempotency-Expires") == nil)
    }
    for value in ["", String(repeating: "x", count: 256)] {
      #expect(try desk.ask(.post, "\(path)/insert", body, [("Idempotency-Key", value)]).status == 400)
    }
  }

  @Test("A refusal under a key is kept, and a request in progress is one")
  func keptRefusals() throws {
    let desk = Desk()
    let path = try desk.notes()
    let key = [(name: "Idempotency-Key", value: "k")]
    let refused = try desk.ask(.post, "\(path)/retry", "{}", key)
    #expect(refused.status == 409 && refused.field("Idempotency-Expires") != nil)
    try desk.ask(.post, "\(path)/load")
    try desk.ask(.post, "\(path)/fail")
    let again = try desk.ask(.post, "\(path)/retry", "{}", key)
    #expect(again.text == refused.text && again.field("Idempotent-Replayed") == "true")

    try desk.ask(.put, "/v1/sessions/a", #"{"table":"articles"}"#)
    _ = desk.send(.post, "/v1/sessions/a/load", "{}", key)
    let busy = try desk.ask(.post, "/v1/sessions/a/load", "{}", key)
    #expect(busy.status == 409 && busy.member("/type") == #""/problems/idempotency-in-progress""#)
  }

  @Test("A create under a key gives the same Location, also when the session has ended meanwhile")
  func createTwice() throws {
    let desk = Desk()
    let key = [(name: "Idempotency-Key", value: "k")]
    let first = try desk.ask(.post, "/v1/sessions", #"{"table":"notes"}"#, key)
    let location = try #require(first.field("Location"))
    let again = try desk.ask(.post, "/v1/sessions", #"{"table":"notes"}"#, key)
    #expect(again.status == 201 && again.field("Location") == location && again.text == first.text)
    try desk.ask(.delete, location)
    let late = try desk.ask(.post, "/v1/sessions", #"{"table":"notes"}"#, key)
    #expect(
      late.status == 201 && late.field("Location") == location && late.field("Idempotent-Replayed") == "true")
    #expect(late.text == #"{"revision":0,"changes":[]}"#)
  }

  @Test(
    "If-Match takes the tag of any representation of the present revision",
    arguments: [
      ("\"R\"", 200), ("\"R-gzip\"", 200), ("\"1\", \"R\"", 200), ("*", 200), ("\"1\"", 412),
      ("W/\"R\"", 412), ("R", 400),
    ])
  func ifMatch(value: String, status: Int) throws {
    let desk = Desk()
    let path = try desk.notes()
    let tag = value.split(separator: "R", omittingEmptySubsequences: false).joined(separator: "\(Self.R)")
    let response = try desk.ask(.post, "\(path)/delete", #"{"ids":[]}"#, [("If-Match", tag)])
    #expect(response.status == status)
    if status == 412 {
      #expect(response.member("/type") == #""/problems/revision-mismatch""#)
      #expect(response.member("/revision") == "\(Self.R)" && response.field("ETag") == "\"\(Self.R)\"")
    }
  }

  // MARK: Refusals

  @Test(
    "Every refusal: status, type, pointer and revision; the list stays as it is",
    arguments: [
      ("insert", #"{"rows":[{"id":"a","data":1}]}"#, 409, "duplicate-id", "/rows/0/id"),
      (
        "batch", #"{"commands":[{"delete":{"ids":["a"]}},{"insert":{"rows":[{"id":"b","data":1}]}}]}"#, 409,
        "duplicate-id", "/commands/1/insert/rows/0/id"
      ),
      ("retry", "{}", 409, "nothing-to-retry", nil),
      ("fail", "{}", 409, "nothing-awaited", nil),
      ("load", #"{"rows":[],"fetch":3}"#, 409, "nothing-awaited", "/fetch"),
      ("select", #"{"index":2}"#, 409, "not-selectable", "/index"),
      ("delete", #"{"indexes":[2]}"#, 409, "placeholder-row", "/indexes/0"),
      ("delete", #"{"indexes":[3]}"#, 422, "index-out-of-range", "/indexes/0"),
      ("move", #"{"id":"a","to":2}"#, 422, "index-out-of-range", "/to"),
      ("insert", #"{"rows":[],"at":3}"#, 422, "index-out-of-range", "/at"),
      ("delete", #"{"ids":["x"]}"#, 404, "unknown-row", "/ids/0"),
      ("transition", #"{"to":"nowhere"}"#, 422, "invalid-body", "/to"),
      ("insert", #"{"rows":[{"data":1,"extra":2}]}"#, 422, "invalid-body", "/rows/0/extra"),
      ("insert", #"{"rows":[{"id":7,"data":1}]}"#, 422, "invalid-row", "/rows/0/id"),
      ("insert", #"{"rows":[{"id":"z"}]}"#, 422, "invalid-row", "/rows/0/data"),
      (
        "insert", #"{"rows":[{"cell":"Strict","data":{"title":1}}]}"#, 422, "invalid-row",
        "/rows/0/data/title"
      ),
      ("insert", #"{"rows":[],"wrong":1}"#, 422, "invalid-body", "/wrong"),
      ("insert", #"[]"#, 422, "invalid-body", ""),
      ("insert", #"{"rows":[{"id":"1","data":1},{"id":"2","data":1}]}"#, 422, "limit-exceeded", "/rows"),
    ] as [(String, String, Int, String, String?)])
  func refusals(command: String, body: String, status: Int, type: String, pointer: String?) throws {
    var limits = SessionLimits()
    limits.itemsPerSession = 3
    let desk = Desk(limits: limits)
    let path = try desk.notes(["a", "b"])
    let before = try desk.ask(.get, path).text
    let response = try desk.ask(.post, "\(path)/\(command)", body)
    #expect(response.status == status)
    #expect(response.member("/type") == "\"/problems/\(type)\"")
    #expect(response.member("/pointer") == pointer.map { "\"\($0)\"" })
    #expect(response.member("/revision") == "\(Self.R + 1)" && response.field("ETag") == "\"\(Self.R + 1)\"")
    #expect(response.member("/instance") == "\"\(path)/\(command)\"")
    #expect(response.member("/title") != nil && response.member("/detail") != nil)
    #expect(response.field("Cache-Control") == "no-store")
    #expect(try desk.ask(.get, path).text == before)
  }

  @Test("Refusals that need a state of their own")
  func otherRefusals() throws {
    let desk = Desk()
    let path = try desk.notes(["a"])
    try desk.ask(.post, "\(path)/transition", #"{"to":"maintenance"}"#)
    #expect(
      try desk.ask(.post, "\(path)/transition", #"{"to":"loading"}"#).member("/type")
        == #""/problems/transition-not-allowed""#)
    #expect(
      try desk.ask(.post, "\(path)/select", #"{"id":"a"}"#).member("/type") == #""/problems/not-selectable""#)
    try desk.ask(.put, "/v1/sessions/a", #"{"table":"articles"}"#)
    _ = desk.send(.post, "/v1/sessions/a/load")
    let busy = try desk.ask(.post, "/v1/sessions/a/load-more")
    #expect(busy.status == 409 && busy.member("/type") == #""/problems/busy""#)
    let rows = try desk.ask(.post, "/v1/sessions/a/load", #"{"rows":[]}"#)
    #expect(rows.status == 422 && rows.member("/pointer") == #""/rows""#)
  }

  @Test(
    "Bodies that are no JSON, or do not say that they are",
    arguments: [
      ("application/json", #"{"rows":[}"#, 400, "malformed-json"),
      ("application/json", "\u{FEFF}{}", 400, "malformed-json"),
      ("application/json;charset=latin1", "{}", 415, "unsupported-media-type"),
      ("text/plain", "{}", 415, "unsupported-media-type"),
      ("application/json; charset=UTF-8", "{", 400, "malformed-json"),
    ])
  func badBodies(type: String, body: String, status: Int, problem: String) throws {
    let desk = Desk()
    let path = try desk.notes()
    let response = try desk.ask(.post, "\(path)/insert", body, [("Content-Type", type)])
    #expect(response.status == status && response.member("/type") == "\"/problems/\(problem)\"")
    #expect(response.member("/revision") == "\(Self.R)")
    if status == 415 { #expect(response.text.contains("curl --json")) }
  }

  @Test(
    "Bad queries, and forms that nobody can give",
    arguments: [
      ("tag=", 400), ("tag=a.b", 400), ("since=x", 400), ("offset=-1", 400), ("limit=x", 400),
      ("format=ops", 400),
      ("tag=a&tag=a", 400), ("other=1&other=2", 200),
    ])
  func queries(query: String, status: Int) throws {
    let desk = Desk()
    let response = try desk.ask(.post, "\(try desk.notes())/delete?\(query)", #"{"ids":[]}"#)
    #expect(response.status == status)
    if status == 400 { #expect(response.member("/revision") == "\(Self.R)") }
  }

  @Test("406 where JSON is ruled out; an unknown session before the body")
  func negotiation() throws {
    let desk = Desk()
    let path = try desk.notes()
    #expect(try desk.ask(.get, path, nil, [("Accept", "text/html")]).status == 406)
    #expect(try desk.ask(.post, "\(path)/load", nil, [("Accept", "application/json;q=0")]).status == 406)
    #expect(try desk.ask(.get, path, nil, [("Accept", "text/html, */*;q=0.1")]).status == 200)
    #expect(try desk.ask(.post, "/v1/sessions/none/insert", "[").status == 404)
    #expect(try desk.ask(.post, "\(path)/explode", "{}").member("/type") == #""/problems/unknown-path""#)
  }
}

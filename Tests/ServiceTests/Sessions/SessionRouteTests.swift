import HTTP1
import JSONText
import ListModel
import Service
import Sessions
import Testing

/// Protocol §5 and §6 over HTTP: sessions as resources.
@Suite(.timeLimit(.minutes(5)))
struct SessionRouteTests {
  private static let R = Desk.R
  private static let empty =
    #""state":"empty","loading":null,"hasNext":false,"error":null,"itemCount":0,"rowCount":1,"selected":null,"offset":0,"#
    + #""rows":[{"placeholder":"empty","cell":"EmptyCell","visible":true,"selectable":false,"data":{}}]"#

  // MARK: Made and opened

  @Test("POST: 201, Location, ETag and the answer at revision 0, byte for byte")
  func post() throws {
    let desk = Desk()
    let made = try desk.ask(.post, "/v1/sessions", #"{"table":"notes"}"#)
    let location = try #require(made.field("Location"))
    let id = location.dropFirst("/v1/sessions/".count)
    #expect(made.status == 201 && made.field("ETag") == #""0""#)
    #expect(made.field("Content-Type") == "application/json")
    #expect(
      made.text
        == #"{"revision":0,"changes":[],"snapshot":{"session":"\#(id)","table":"notes","params":{},"revision":0,\#(Self.empty)}}"#
    )
    #expect(try desk.ask(.get, location).text == made.member("/snapshot"))
    let minimal = try desk.ask(.post, "/v1/sessions", #"{"table":"notes"}"#, [("Prefer", "return=minimal")])
    #expect(minimal.text == #"{"revision":0,"changes":[]}"#)
  }

  @Test("POST with load waits for the page; the status is 201 whatever Prefer says")
  func postLoading() throws {
    let desk = Desk()
    let exchange = desk.send(.post, "/v1/sessions?tag=mine", #"{"table":"articles","load":true}"#)
    #expect(exchange.response == nil)
    desk.release(ids: ["a"], hasNext: true)
    let response = try #require(exchange.response)
    #expect(response.status == 201 && response.revisions == [1, 2] && response.field("ETag") == #""2""#)
    #expect(
      response.member("/changes/0/tag") == #""mine""# && response.member("/changes/1/tag") == #""mine""#)

    let hasty = try desk.ask(
      .post, "/v1/sessions", #"{"table":"articles","load":true}"#, [("Prefer", "respond-async")])
    #expect(hasty.status == 201 && hasty.revisions == [1] && hasty.member("/snapshot/loading") == #""load""#)
  }

  @Test("PUT: 201 with Location, then 200 without; other params are a conflict")
  func put() throws {
    let desk = Desk()
    let made = try desk.ask(.put, "/v1/sessions/my_id-1", #"{"table":"articles"}"#)
    #expect(made.status == 201 && made.field("Location") == "/v1/sessions/my_id-1")
    #expect(made.field("ETag") == "\"\(Self.R)\"" && made.revisions == [])
    let opened = try desk.ask(
      .put, "/v1/sessions/my_id-1", #"{"table":"articles","params":{"topic":"swift"}}"#)
    #expect(opened.status == 200 && opened.field("Location") == nil && opened.text == made.text)
    let other = try desk.ask(.put, "/v1/sessions/my_id-1", #"{"table":"articles","params":{"topic":"c"}}"#)
    #expect(other.status == 409 && other.member("/type") == #""/problems/session-exists""#)
    #expect(other.member("/revision") == "\(Self.R)" && other.field("ETag") == "\"\(Self.R)\"")
    #expect(other.member("/instance") == #""/v1/sessions/my_id-1""#)
  }

  @Test(
    "An id is 1 to 64 of A–Z a–z 0–9 _ -",
    arguments: [
      ("a", 201), (String(repeating: "x", count: 64), 201), ("%61", 201),
      (String(repeating: "x", count: 65), 400),
      ("a.b", 400), ("a%20b", 400), ("%C3%A9", 400), ("a%2Fb", 400), ("a%", 400), ("a%00", 400), ("a+b", 400),
    ])
  func putIDs(id: String, status: Int) throws {
    let response = try Desk().ask(.put, "/v1/sessions/\(id)", #"{"table":"notes"}"#)
    #expect(response.status == status)
    if status == 400 { #expect(response.member("/type") == #""/problems/malformed-request""#) }
  }

  @Test(
    "What is wrong with a body is said where it is",
    arguments: [
      (#"{"table":"nope"}"#, 404, "unknown-table", #""/table""#),
      (#"{"table":7}"#, 422, "invalid-body", #""/table""#),
      (#"{}"#, 422, "invalid-body", #""/table""#),
      (#"[]"#, 422, "invalid-body", #""""#),
      (#"null"#, 422, "invalid-body", #""""#),
      (#"{"table":"notes","load":1}"#, 422, "invalid-body", #""/load""#),
      (#"{"table":"notes","a/b":1}"#, 422, "invalid-body", #""/a~1b""#),
      (#"{"table":"notes","params":[]}"#, 422, "invalid-body", #""/params""#),
      (#"{"table":"articles","params":{"topic":1}}"#, 422, "invalid-body", #""/params/topic""#),
      (#"{"table":"articles","params":{"topic":"123456789"}}"#, 422, "invalid-body", #""/params/topic""#),
      (#"{"table":"notes","params":{"topic":"a"}}"#, 422, "invalid-body", #""/params/topic""#),
      (#"{"table":"notes","table":"notes"}"#, 400, "malformed-json", nil),
      (#"{"table":"notes",}"#, 400, "malformed-json", nil),
    ] as [(String, Int, String, String?)])
  func bodies(body: String, status: Int, type: String, pointer: String?) throws {
    let desk = Desk()
    for (method, path) in [(Method.post, "/v1/sessions"), (.put, "/v1/sessions/mine")] {
      let response = try desk.ask(method, path, body)
      #expect(response.status == status)
      #expect(response.field("Content-Type") == "application/problem+json")
      #expect(response.member("/type") == "\"/problems/\(type)\"")
      #expect(response.member("/status") == "\(status)")
      #expect(response.member("/pointer") == pointer)
      #expect(response.member("/instance") == "\"\(path)\"")
    }
    #expect(desk.registry.count == 0)
  }

  // MARK: Read

  @Test("GET: a strong tag, 304 for it, windows, and the whole in between")
  func get() throws {
    let desk = Desk()
    let path = try desk.notes(["a", "b", "c"])
    let tag = "\"\(Self.R + 1)\""
    for _ in 0..<4 {
      let whole = try desk.ask(.get, path)
      #expect(whole.status == 200 && whole.field("ETag") == tag && whole.field("Cache-Control") == "no-cache")
      #expect(whole.member("/rowCount") == "4" && whole.member("/offset") == "0")
      #expect(whole.member("/rows/2") == #"{"id":"c","cell":"Cell","data":{}}"#)
      #expect(whole.member("/rows/3/placeholder") == #""hidden""#)
    }
    for value in [tag, "W/\(tag)", "\"x\", \(tag)", "*"] {
      let response = try desk.ask(.get, path, nil, [("If-None-Match", value)])
      #expect(response.status == 304 && response.text == "" && response.field("ETag") == tag, "\(value)")
    }
    for value in ["\"\(Self.R)\"", "nonsense"] {
      #expect(try desk.ask(.get, path, nil, [("If-None-Match", value)]).status == 200)
    }
    #expect(try desk.ask(.head, path).status == 200)
    #expect(try desk.ask(.head, path, nil, [("If-None-Match", tag)]).status == 304)
  }

  @Test(
    "Windows of the rows",
    arguments: [
      ("offset=1&limit=2", "1", #"[{"id":"b","cell":"Cell","data":{}},{"id":"c","cell":"Cell","data":{}}]"#),
      ("limit=1", "0", #"[{"id":"a","cell":"Cell","data":{}}]"#),
      ("limit=0", "0", "[]"), ("offset=4", "4", "[]"), ("offset=9007199254740993", "9007199254740991", "[]"),
      (
        "offset=3&limit=9999999999999999999999", "3",
        #"[{"placeholder":"hidden","cell":"HiddenCell","visible":false,"selectable":false,"data":{}}]"#
      ),
    ])
  func windows(query: String, offset: String, rows: String) throws {
    let desk = Desk()
    let response = try desk.ask(.get, "\(try desk.notes(["a", "b", "c"]))?\(query)")
    #expect(
      response.status == 200 && response.member("/rows") == rows && response.member("/offset") == offset)
    #expect(response.member("/rowCount") == "4" && response.field("ETag") == "\"\(Self.R + 1)\"")
  }

  @Test(
    "A window that is none is refused, and the session's revision is named",
    arguments: [
      "offset=-1", "limit=-1", "offset=a", "limit=1.5", "limit=", "offset=1&offset=1", "offset=%zz",
    ])
  func noWindows(query: String) throws {
    let desk = Desk()
    let response = try desk.ask(.get, "\(try desk.notes())?\(query)")
    #expect(response.status == 400 && response.member("/type") == #""/problems/malformed-request""#)
    #expect(response.member("/revision") == "\(Self.R)")
  }

  @Test("One row, one item, and what is not there")
  func rowsAndItems() throws {
    let desk = Desk()
    let path = try desk.notes(["a", "b/c é"])
    let tag = "\"\(Self.R + 1)\""
    let row = try desk.ask(.get, "\(path)/rows/0")
    #expect(row.text == #"{"id":"a","cell":"Cell","data":{}}"# && row.field("ETag") == tag)
    #expect(try desk.ask(.get, "\(path)/rows/2").member("/placeholder") == #""hidden""#)
    let item = try desk.ask(.get, "\(path)/items/b%2Fc%20%C3%A9")
    #expect(item.text == #"{"index":1,"id":"b/c é","cell":"Cell","data":{}}"# && item.field("ETag") == tag)
    for one in ["\(path)/rows/0", "\(path)/items/a"] {
      #expect(try desk.ask(.get, one, nil, [("If-None-Match", tag)]).status == 304)
      #expect(try desk.ask(.head, one).status == 200)
    }
    for (none, type) in [
      ("rows/3", "unknown-row"), ("rows/99999999999999999999", "unknown-row"), ("items/x", "unknown-row"),
    ] {
      let response = try desk.ask(.get, "\(path)/\(none)", nil, [("If-None-Match", tag)])
      #expect(response.status == 404 && response.member("/type") == "\"/problems/\(type)\"")
      #expect(
        response.member("/revision") == "\(Self.R + 1)" && response.field("Cache-Control") == "no-store")
    }
    #expect(try desk.ask(.get, "\(path)/rows/-1").status == 400)
    #expect(try desk.ask(.get, "\(path)/rows/x").status == 400)
  }

  @Test("Reading rows does not touch what the next reading of the whole gives")
  func rowsThenWhole() throws {
    let desk = Desk()
    let path = try desk.notes(["a"])
    for _ in 0..<3 { try desk.ask(.get, "\(path)/rows/0") }
    try desk.ask(.post, "\(path)/insert", #"{"rows":[{"id":"b","data":1}]}"#)
    #expect(try desk.ask(.get, path).member("/itemCount") == "2")
    #expect(try desk.ask(.get, path).member("/itemCount") == "2")
  }

  // MARK: Listed and ended

  @Test("The list of sessions, byte for byte, and page by page")
  func list() throws {
    let desk = Desk()
    #expect(try desk.ask(.get, "/v1/sessions").text == #"{"sessions":[],"next":null}"#)
    let path = try desk.notes(["a"])
    desk.advance(seconds: 5)
    try desk.ask(.get, path)
    try desk.ask(.put, "/v1/sessions/two", #"{"table":"articles"}"#)
    let first = try desk.ask(.get, "/v1/sessions?limit=1")
    #expect(
      first.text
        == #"{"sessions":[{"session":"n","table":"notes","revision":\#(Self.R + 1),"state":"populated","itemCount":1,"created":"2023-11-14T22:13:20.000Z","touched":"2023-11-14T22:13:25.000Z"}],"next":"1"}"#
    )
    #expect(first.field("Cache-Control") == "no-store")
    let second = try desk.ask(.get, "/v1/sessions?limit=1&cursor=1")
    #expect(second.member("/sessions/0/session") == #""two""# && second.member("/next") == "null")
    desk.advance(seconds: 60)
    #expect(try desk.ask(.get, "/v1/sessions?cursor=1").text == #"{"sessions":[],"next":null}"#, "expired")
    for query in ["limit=0", "limit=1001", "limit=x", "cursor=x", "cursor="] {
      #expect(try desk.ask(.get, "/v1/sessions?\(query)").status == 400, "\(query)")
    }
  }

  @Test("DELETE: 204, then 410 for an hour, then 404; If-Match guards it")
  func delete() throws {
    let desk = Desk()
    let path = try desk.notes()
    let mismatch = try desk.ask(.delete, path, nil, [("If-Match", "\"7\"")])
    #expect(mismatch.status == 412 && mismatch.member("/revision") == "\(Self.R)")
    #expect(mismatch.field("ETag") == "\"\(Self.R)\"")
    let deleted = try desk.ask(.delete, path, nil, [("If-Match", "\"\(Self.R)-gzip\"")])
    #expect(deleted.status == 204 && deleted.text == "")
    for (method, one) in [
      (Method.delete, path), (.get, path), (.get, "\(path)/rows/0"), (.get, "\(path)/changes?since=0"),
      (.post, "\(path)/load"),
    ] {
      let gone = try desk.ask(method, one)
      #expect(gone.status == 410 && gone.member("/type") == #""/problems/session-ended""#, "\(one)")
    }
    #expect(try desk.ask(.put, path, #"{"table":"notes"}"#).status == 201)
    try desk.ask(.delete, path)
    desk.advance(seconds: 3600)
    let unknown = try desk.ask(.get, path)
    #expect(unknown.status == 404 && unknown.member("/type") == #""/problems/unknown-session""#)
    #expect(unknown.member("/revision") == nil)
  }

  @Test("limits.sessions, and draining")
  func refused() throws {
    var limits = SessionLimits()
    limits.sessions = 1
    let desk = Desk(limits: limits)
    let path = try desk.notes()
    let full = try desk.ask(.post, "/v1/sessions", #"{"table":"notes"}"#)
    #expect(full.status == 429 && full.member("/type") == #""/problems/too-many-sessions""#)
    desk.service.drain()
    let draining = try desk.ask(.post, "/v1/sessions", #"{"table":"notes"}"#)
    #expect(draining.status == 503 && draining.member("/type") == #""/problems/draining""#)
    #expect(draining.field("Retry-After") != nil)
    #expect(try desk.ask(.get, "/readyz").status == 503)
    #expect(try desk.ask(.put, path, #"{"table":"notes"}"#).status == 200)
  }

  @Test(
    "Only GET and HEAD, POST, PUT and DELETE where they belong",
    arguments: [
      (Method.post, "/v1/sessions/n", "GET, HEAD, PUT, DELETE, OPTIONS"),
      (.put, "/v1/sessions", "GET, HEAD, POST, OPTIONS"),
      (.get, "/v1/sessions/n/insert", "POST, OPTIONS"),
      (.delete, "/v1/sessions/n/changes", "GET, HEAD, OPTIONS"),
    ])
  func methods(method: Method, path: String, allow: String) throws {
    let response = try Desk().ask(method, path)
    #expect(response.status == 405 && response.field("Allow") == allow)
  }
}

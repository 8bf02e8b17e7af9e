import JSONText
import ListModel
import Testing

/// Protocol §7, "Fetches", and the rows of its table that fetch, sentence by sentence.
@Suite("Fetches of a source")
struct FetchTests {
  // MARK: Starting, joining, overtaking

  static let starts: [(given: [String], step: String, outcome: String)] = [
    ([], "load", "starts"), (["load"], "load", "joins"), (["refresh"], "load", "joins"),
    (["load", "page a"], "load", "nothing"),
    (["replace a"], "load", "nothing"), (["refresh", "page a"], "load", "nothing"),
    (["insert a"], "load", "starts"),
    (["load", "fails"], "load", "starts"), (["load", "page a", "refresh now", "fails"], "load", "starts"),
    (["load", "page a", "refresh", "fails"], "load", "nothing"),
    (["replace a +", "load-more"], "load", "nothing"),
    ([], "load-more", "nothing"), (["load", "page a"], "load-more", "nothing"),
    (["load", "page a +"], "load-more", "starts"),
    (["load", "page a +", "load-more"], "load-more", "joins"), (["load"], "load-more", "busy"),
    (["load", "page a +", "refresh"], "load-more", "busy"),
    (["load", "page a +", "refresh", "fails"], "load-more", "starts"),
    (["load", "page a +", "refresh now", "fails"], "load-more", "nothing"),
    (["replace a +"], "load-more", "starts"),
    (["load", "page a +", "load-more", "fails"], "load-more", "starts"),
    ([], "refresh", "starts"), (["load"], "refresh", "starts"),
    (["load", "page a +", "load-more"], "refresh", "starts"),
    ([], "retry", "nothing-to-retry"), (["load"], "retry", "nothing-to-retry"),
    (["load", "fails"], "retry", "starts"),
    (["load", "fails", "retry"], "retry", "joins"), (["load", "fails", "retry"], "load", "joins"),
    (["load", "fails", "replace a"], "retry", "nothing-to-retry"),
    (["load", "fails", "insert a"], "retry", "starts"),
    ([], "fail", "nothing-awaited"), (["load"], "fail", "nothing-awaited"),
    ([], #"load {"rows":[]}"#, "invalid-body /rows"), ([], #"refresh {"rows":[]}"#, "invalid-body /rows"),
    ([], #"load-more {"hasNext":true}"#, "invalid-body /hasNext"),
    ([], #"retry {"fetch":1}"#, "invalid-body /fetch"),
  ]

  @Test("A command starts a fetch, joins the one in flight, does nothing or is refused", arguments: starts)
  func start(given: [String], step: String, outcome: String) throws {
    var list = try TestList(after: given)
    let reads = list.reads
    let revision = list["revision"]
    let result =
      list.refusal(of: step) ?? (!list.waits ? "nothing" : list.reads == reads ? "joins" : "starts")
    #expect(result == outcome)
    #expect((list["revision"] == revision) == (outcome != "starts"))
  }

  @Test("Fetching makes two changes; both carry the cause of the command that started it")
  func twoChanges() throws {
    var list = TestList(revision: 7)
    let start = try #require(try list.take("load"))
    #expect(
      start["loading"] == .string("load") && start["cause"] == .string("load")
        && start["revision"] == .number("8"))
    #expect(list.list.fetchInFlight?.startRevision == 8)
    let end = try #require(try list.take("page a +"))
    #expect(end["loading"] == .null && end["cause"] == .string("load") && end["hasNext"] == .bool(true))
    #expect(list.list.fetchInFlight == nil)
  }

  @Test("What overtakes a fetch makes its result void", arguments: ["refresh", "refresh now", "replace b"])
  func overtaken(step: String) throws {
    var list = try TestList(after: ["load"])
    let old = try #require(list.read)
    try list.take(step)
    let sight = list.sight
    #expect(list.page(TestList.rows(["stale"]), hasNext: true, generation: old.generation) == nil)
    #expect(list.end(.failure(UpstreamFailure(.timeout, detail: "")), generation: old.generation) == nil)
    #expect(list.sight == sight)
  }

  @Test("A second refresh makes the first void, with no change where nothing shows")
  func secondRefresh() throws {
    var list = try TestList(after: ["load", "page a"])
    try list.take("refresh")
    #expect(try list.take("refresh") == nil && list.waits)
    #expect(list.list.fetchInFlight?.startRevision == nil)
    #expect(try list.take(#"refresh {"immediately":true}"#) != nil)
    #expect(list.sight == "loading: [loading] (refresh)")
  }

  // MARK: Merging

  static let merges: [(given: [String], page: String, sight: String)] = [
    // load
    (["insert a b", "load"], "page b=2 c", "populated: a b=2 c [hidden]"),
    (["load"], "page a a=2 b", "populated: a b [hidden]"),
    (["insert a b", "load", "update b"], "page b=2 c", #"populated: a b="new" c [hidden]"#),
    (["insert a b", "load", "delete b"], "page b=2 c", "populated: a c [hidden]"),
    (["load", "insert a"], "page b a=2", "populated: a b [hidden]"),
    (["load", "insert a", "delete a"], "page b a=2", "populated: b [hidden]"),
    // load-more
    (["load", "page a b +", "load-more"], "page b=2 c", "populated: a b=2 c [hidden]"),
    (["load", "page a b +", "load-more", "update b"], "page b=2 c", #"populated: a b="new" c [hidden]"#),
    (["load", "page a b +", "load-more", "delete a"], "page a c", "populated: b c [hidden]"),
    (["load", "page a b +", "load-more", "insert c=3"], "page c d", "populated: a b c=3 d [hidden]"),
    // refresh
    (["load", "page a b c", "refresh"], "page c b=2 d", "populated: c b=2 d [hidden]"),
    (["load", "page a b c", "insert x", "refresh"], "page a", "populated: a [hidden]"),
    (
      ["load", "page a b c", "refresh", #"insert {"rows":[{"id":"x","data":1}],"at":1}"#], "page c b a",
      "populated: c x b a [hidden]"
    ),
    (["load", "page a b c", "refresh", "insert x"], "page a", "populated: a x [hidden]"),
    (["load", "page a b c", "refresh", "insert x"], "page a x=2", "populated: a x [hidden]"),
    (["load", "page a b c", "refresh", "delete b"], "page a b c", "populated: a c [hidden]"),
    (["load", "page a b c", "refresh", "update b"], "page c b=2", #"populated: c b="new" [hidden]"#),
    (["load", "page a b c", "refresh", "update b"], "page c", "populated: c [hidden]"),
    (
      ["load", "page a b c", "refresh", #"move {"id":"a","to":2}"#], "page a b c", "populated: a b c [hidden]"
    ),
    (
      ["load", "page a b c", "refresh", "delete b", "insert b=2"], "page a b c", "populated: a c b=2 [hidden]"
    ),
    (
      [
        "load", "page a b", "refresh",
        #"batch {"commands":[{"delete":{"ids":["b"]}},{"insert":{"rows":[{"id":"b","data":1}],"at":0}}]}"#,
      ],
      "page a b=2", "populated: a b=2 [hidden]"
    ),
    (
      [
        "load", "page a b", "refresh",
        #"batch {"commands":[{"insert":{"rows":[{"id":"x","data":1}]}},{"delete":{"ids":["x"]}}]}"#,
      ],
      "page a x", "populated: a x [hidden]"
    ),
    (["load", "page a b", "refresh now", "insert x"], "page a b", "populated: x a b [hidden]"),
    // what was read before and comes again
    (["load", "page a b +", "load-more"], "page again a=2 b then c", "populated: a=2 b c [hidden]"),
    (["load", "page a b +", "load-more"], "page again b a then b=2 c +", "populated: a b c [more]"),
    (["load", "page a b +", "load-more"], "page again a b=2", "populated: a b=2 [hidden]"),
    (["load", "page a b +", "delete a", "load-more"], "page again a b then c", "populated: b c [hidden]"),
    (["load", "page a b +", "load-more", "delete a"], "page again a b then c", "populated: b c [hidden]"),
    (
      ["load", "page a b +", "load-more", "update a"], "page again a=2 b then c",
      #"populated: a="new" b c [hidden]"#
    ),
    (["load", "page a +", "load-more"], "page again x=2 y=2 then x", "populated: a x [hidden]"),
    (
      ["load", "page a +", "load-more", "page b +", #"refresh {"pages":"loaded"}"#, "page a c +"],
      "page again a=2 x then b c=3 d", "populated: a=2 c=3 b d [hidden]"
    ),
    (
      ["load", "page a +", "load-more", "page b +", #"refresh {"pages":"loaded"}"#, "page a +"],
      "page again x then x=2", "populated: a x=2 [hidden]"
    ),
  ]

  @Test(
    "Pages are merged into the list as it is when they arrive; edits made meanwhile stay", arguments: merges)
  func merge(given: [String], page: String, sight: String) throws {
    var list = try TestList(after: given)
    try list.take(page)
    #expect(list.sight == sight)
  }

  @Test("A page is cut at itemsPerSession, and hasNext is false then")
  func cut() throws {
    var list = try TestList(
      PlainTable(itemsPerSession: 3), after: ["load", "page a b +", "load-more", "page b=2 c d +"])
    #expect(list.sight == "populated: a b=2 c [hidden]")
    for step in ["refresh", "delete a", "insert x", "page p q r +"] { try list.take(step) }
    #expect(list.sight == "populated: p q x [hidden]", "what was inserted meanwhile stays")
  }

  // MARK: Pages

  @Test("load-more goes on behind what was read, whatever is held; replace leaves the place alone")
  func place() throws {
    for edit in ["insert x", "delete a b", "replace q +", "transition loading"] {
      let list = try TestList(after: ["load", "page a b +", edit, "load-more"])
      #expect(list.read?.place == Place(read: 2, pages: 1, token: "t1"), "\(edit)")
    }
  }

  @Test("A failed refresh that was not immediate leaves rows and paging as they were")
  func failedRefresh() throws {
    var list = try TestList(after: ["load", "page a b +", "refresh", "fails"])
    #expect(list.sight == "populated: a b [retry]" && list["hasNext"] == .bool(true))
    try list.take("load-more")
    #expect(list.read?.place.read == 2)
  }

  @Test("An immediate refresh drops the items, sets hasNext false and shows loading at once")
  func immediateRefresh() throws {
    var list = try TestList(after: ["load", "page a b +"])
    let change = try list.take("refresh now")
    #expect(change?["itemCount"] == .number("0") && change?["hasNext"] == .bool(false))
    #expect(list.sight == "loading: [loading] (refresh)")
    try list.take("fails")
    #expect(list.sight == "error: [error]")
  }

  @Test(
    "An empty page that names a next one is passed over, after the tenth it ends",
    arguments: ["load", "load-more", "refresh", "retry"])
  func emptyPages(step: String) throws {
    var given = ["load", "page a +"]
    if step == "load" { given = [] }
    if step == "retry" { given += ["refresh", "page +", "page +", "fails"] }
    var list = try TestList(after: given + [step])
    for number in 1...9 { #expect(try list.take("page +") == nil && list.reads > number) }
    let change = try list.take("page +")
    #expect(change?["loading"] == .null && change?["hasNext"] == .bool(true) && change?["error"] == .null)
    let pages = list.read?.place.pages ?? 0
    try list.take("load-more")
    #expect(list.read?.place.pages == pages + 1, "the next command goes on from there")
  }

  @Test("What comes again is no empty page")
  func againIsNotEmpty() throws {
    var list = try TestList(after: ["load", "page a b +", "load-more", "page again a b +"])
    #expect(list.sight == "populated: a b [more]" && list.read?.place.pages == 1)
    try list.take("load-more")
    #expect(list.read?.place.pages == 2)
  }

  static let repeats: [(given: [String], page: String, sight: String)] = [
    (["load"], "page a b repeats", "populated: a b [retry]"), (["load"], "page repeats", "error: [error]"),
    (["load", "page a +", "load-more"], "page a=2 b repeats", "populated: a=2 b [retry]"),
    (["load", "page a +", "load-more"], "page repeats", "populated: a [retry]"),
    (["load", "page a +", "load-more", "page +"], "page b repeats", "populated: a b [retry]"),
    (["load", "page a b", "refresh"], "page b c repeats", "populated: b c [retry]"),
    (
      ["load", "page a +", "load-more", "page b +", #"refresh {"pages":"loaded"}"#, "page a=2 +"],
      "page c repeats", "populated: a=2 c [retry]"
    ),
  ]

  @Test("A page whose next place was used is merged, ends the list, and is an error", arguments: repeats)
  func repeating(given: [String], page: String, sight: String) throws {
    var list = try TestList(after: given)
    let place = list.read?.place
    let change = try #require(try list.take(page))
    #expect(list.sight == sight && change["hasNext"] == .bool(false))
    #expect(change["error"]?["type"] == .string("/problems/upstream-repeats"))
    #expect(try list.take("load-more") == nil)
    try list.take("retry")
    #expect(list.read?.place == place && change["error"]?["during"] == list["loading"])
    try list.take("page a c")
    #expect(list["error"] == .null)
  }

  @Test("retry goes on from the page that failed")
  func retry() throws {
    var list = try TestList(after: [
      "load", "page a +", "load-more", "page b +", #"refresh {"pages":"loaded"}"#, "page c +", "fails",
    ])
    #expect(list.sight == "populated: a b [retry]" && list["error"]?["during"] == .string("refresh"))
    #expect(try list.take("retry")?["cause"] == .string("retry"))
    #expect(list.read?.place.pages == 1)
    try list.take("page d +")
    #expect(list.sight == "populated: c d [more]")
  }

  static let extents: [(body: String, pages: [String], sight: String)] = [
    ("{}", ["p +"], "p [more]"), (#"{"pages":"first"}"#, ["p +"], "p [more]"),
    (#"{"pages":"loaded"}"#, ["p +", "q +"], "p q [more]"),
    (#"{"pages":"loaded"}"#, ["p +", "q"], "p q [hidden]"),
    (#"{"pages":"loaded"}"#, ["p"], "p [hidden]"),
    (#"{"pages":"loaded","immediately":true}"#, ["p +", "q +"], "p q [more]"),
    (#"{"through":"q"}"#, ["p +", "q +"], "p q [more]"), (#"{"through":"p"}"#, ["p +"], "p [more]"),
    (#"{"through":"z"}"#, ["p +", "q +", "r +"], "p q r [more]"),
    (#"{"through":"z"}"#, ["p +", "q"], "p q [hidden]"),
    (#"{"pages":"loaded"}"#, ["p q +", "q=2 r +"], "p q=2 r [more]"),
  ]

  @Test("A refresh reads as far as it is told", arguments: extents)
  func extent(body: String, pages: [String], sight: String) throws {
    var list = try TestList(after: ["load", "page a +", "load-more", "page b +"])
    try list.take("refresh", body)
    for (number, page) in pages.enumerated() {
      #expect(list["loading"] == .string("refresh") && list.read?.place.pages == number)
      try list.take("page \(page)")
    }
    #expect(list.sight == "populated: \(sight)")
  }

  @Test("pages loaded counts the pages before any blanking")
  func blanked() throws {
    var list = try TestList(after: ["load", "page a +", "load-more", "page b +", "refresh now", "fails"])
    try list.take(#"refresh {"pages":"loaded"}"#)
    try list.take("page a +")
    #expect(list["loading"] == .string("refresh"))
    try list.take("page b +")
    #expect(list.sight == "populated: a b [more]")
  }

  @Test("Starting any fetch sets error to null, and new params stay though it fails")
  func errorAndParams() throws {
    var table = PlainTable()
    table.params = [.init(name: "q", fallback: "sw", maxLength: 3)]
    var list = TestList(table)
    #expect(try list.take("load")?["params"] == nil)
    try list.take("fails")
    let change = try list.take(#"refresh {"params":{"q":"éèà"}}"#)
    #expect(change?["params"] == .object(["q": .string("éèà")]) && change?["error"] == .null)
    #expect(try list.take("fails")?["params"] == nil)
    #expect(list["params"] == .object(["q": .string("éèà")]))
    #expect(list.refusal(of: #"refresh {"params":{"q":"four"}}"#) == "invalid-body /params/q")
    try list.take(#"refresh {"params":{}}"#)
    #expect(list["params"] == .object(["q": .string("sw")]))
  }

  @Test(
    "An upstream's failure says what it was, in a problem object", arguments: UpstreamFailure.Code.allCases)
  func failure(code: UpstreamFailure.Code) throws {
    var list = try TestList(after: ["insert a", "load"])
    list.end(.failure(UpstreamFailure(code, detail: "D", upstreamStatus: 503, retryAfter: 7)))
    let error = try #require(list["error"])
    #expect(
      error["type"] == .string(Text("/problems/\(code.rawValue)")) && error["during"] == .string("load"))
    #expect(error["detail"] == .string("D") && error["upstreamStatus"] == .number("503"))
    #expect(error["retryAfter"] == .number("7") && error["title"]?.text?.isEmpty == false)
    #expect((error["status"]?.integer ?? 0) >= 500)
  }
}

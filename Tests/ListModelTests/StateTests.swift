import ListModel
import Testing

/// Protocol §3, sentence by sentence.
@Suite("States")
struct StateTests {
  static func table(_ mode: PlainTable.Mode = .resident) -> PlainTable {
    var table = PlainTable(mode: mode)
    table.states = [
      "maintenance": .init(rows: [
        .init(
          cell: "NoticeCell", data: .object(["title": .string("Back soon")]), bind: [("message", ["message"])]
        )
      ]),
      "bare": .init(items: true),
      "browse": .init(items: true, selectable: true, rows: [.init()]),
    ]
    return table
  }

  // MARK: What a state shows

  static let shown: [(mode: PlainTable.Mode, state: String, sight: String)] = [
    (.resident, "maintenance", "maintenance: [maintenance]"), (.resident, "bare", "bare: a b [hidden]"),
    (.resident, "browse", "browse: a b [browse]"), (.transient, "maintenance", "maintenance: [maintenance]"),
    (.transient, "bare", "bare: a b"), (.none, "browse", "browse: a b [browse]"),
    (.resident, "loading", "loading: [loading]"), (.resident, "error", "error: [error]"),
    (.transient, "loading", "loading: [loading]"), (.none, "error", "error:"),
  ]

  @Test("A state says whether items are shown, and which status rows it brings", arguments: shown)
  func shows(mode: PlainTable.Mode, state: String, sight: String) throws {
    var list = try TestList(Self.table(mode), after: ["load", "page a b +", "transition \(state)"])
    #expect(list.sight == sight)
    let change = try list.take("transition populated")
    #expect(list.sight == (mode == .none ? "populated: a b" : "populated: a b [more]"))
    #expect(change?["cause"] == .string("transition"))
  }

  @Test("The placeholder becomes a custom state's row by an update; in other modes its rows come and go")
  func rowIdentity() throws {
    for mode in [PlainTable.Mode.resident, .transient] {
      var list = try TestList(Self.table(mode), after: ["load", "page a +"])
      let names = try list.take("transition browse")?["ops"]?.elements.compactMap { $0["op"]?.text }
      #expect(names == (mode == .resident ? ["update"] : ["delete", "insert"]))
    }
  }

  static let bound: [(data: String, message: PlainJSON)] = [
    (#"{"message":"M"}"#, .string("M")), (#"{"message":{"a":1.0}}"#, .object(["a": .number("1.0")])),
    ("{}", .null), ("5", .null), ("[1]", .null), ("null", .null),
  ]

  @Test("bind fills members from the transition's data; what does not resolve is null", arguments: bound)
  func bind(data: String, message: PlainJSON) throws {
    let list = try TestList(Self.table(), after: [#"transition {"to":"maintenance","data":\#(data)}"#])
    let row = list["rows"]?.elements.last
    #expect(row?["data"] == .object(["title": .string("Back soon"), "message": message]))
    #expect(row?["cell"] == .string("NoticeCell") && row?["selectable"] == .bool(false))
  }

  // MARK: Transitions

  static let moves: [(from: String, to: String, refusal: String?)] = [
    ("maintenance", "populated", nil), ("maintenance", "empty", nil),
    ("maintenance", "loading", "transition-not-allowed /to"),
    ("maintenance", "browse", "transition-not-allowed /to"),
    ("maintenance", "maintenance", nil), ("browse", "maintenance", nil), ("populated", "browse", nil),
    ("bare", "populated", "transition-not-allowed /to"), ("bare", "nowhere", "invalid-body /to"),
    ("maintenance", "nowhere", "invalid-body /to"), ("populated", "Maintenance", "invalid-body /to"),
    ("populated", "", "invalid-body /to"),
  ]

  @Test("A state that is a key may be left only for those listed; others are free", arguments: moves)
  func transitions(from: String, to: String, refusal: String?) throws {
    var table = Self.table()
    table.transitions = ["maintenance": ["populated", "empty"], "bare": []]
    var list = try TestList(table, after: ["insert a", "transition \(from)"])
    #expect(list.refusal(of: #"transition {"to":"\#(to)"}"#) == refusal)
  }

  static let same: [(state: String, first: String, second: String, isChange: Bool)] = [
    ("maintenance", "{}", "{}", false),
    ("maintenance", #"{"a":1,"message":"é"}"#, #"{ "message":"\u00e9","a":1}"#, false),
    ("maintenance", #"{"message":1}"#, #"{"message":1.0}"#, true), ("loading", "1", "2", false),
    ("error", "null", "null", false), ("populated", "1", "2", false), ("empty", "null", "null", false),
  ]

  @Test("To the same state with the same data: no change", arguments: same)
  func sameState(state: String, first: String, second: String, isChange: Bool) throws {
    var list = try TestList(Self.table(), after: [#"transition {"to":"\#(state)","data":\#(first)}"#])
    let change = try list.take(#"transition {"to":"\#(state)","data":\#(second)}"#)
    #expect((change != nil) == isChange)
  }

  @Test("populated and empty both mean back to the list", arguments: ["populated", "empty"])
  func backToTheList(target: String) throws {
    let cases: [(steps: [String], sight: String)] = [
      ([], "empty: [empty]"), (["load"], "loading: [loading] (load)"), (["load", "fails"], "error: [error]"),
      (["insert a"], "populated: a [hidden]"), (["insert a", "load", "fails"], "populated: a [retry]"),
      (["load", "page a +", "load-more"], "populated: a [loading-more] (load-more)"),
    ]
    for (steps, sight) in cases {
      for state in ["maintenance", "browse", "error"] {
        #expect(
          try TestList(Self.table(), after: steps + ["transition \(state)", "transition \(target)"]).sight
            == sight)
      }
    }
  }

  static let ends: [(step: String, sight: String)] = [
    ("load", "populated: a [hidden] (load)"), ("refresh", "populated: a [hidden] (refresh)"),
    ("insert b", "error: [error]"), ("transition populated", "populated: a [hidden]"),
    ("replace b", "error: [error]"),
  ]

  @Test(
    "A forced loading or error hides the items until a load or refresh starts or a transition",
    arguments: ends)
  func forced(step: String, sight: String) throws {
    let list = try TestList(after: ["insert a", "transition error", step])
    #expect(list.sight == sight)
  }

  @Test("A forced error leaves the member error as it was; its row has nothing to retry without one")
  func forcedError() throws {
    var list = try TestList(after: ["insert a", "transition error"])
    #expect(list["error"] == .null)
    #expect(list.refusal(of: "select 0") == "nothing-to-retry")
    list = try TestList(after: ["insert a", "load", "fails", "transition error"])
    #expect(list["error"]?["upstreamStatus"] == .number("500"))
    try list.take("select 0")
    #expect(list.sight == "populated: a [hidden] (load)")
  }

  @Test("A loaded list loads again where loading or error is forced", arguments: ["loading", "error"])
  func forcedLoad(state: String) throws {
    var list = try TestList(after: ["load", "page a"])
    #expect(try list.take("load") == nil && !list.waits)
    try list.take("transition \(state)")
    try list.take("load")
    #expect(list.sight == "populated: a [hidden] (load)" && list.waits)
  }

  // MARK: In a custom state

  static let hidden: [(step: String, count: Int)] = [
    ("insert c", 3), ("delete a", 1), ("update a", 2), (#"move {"id":"a","to":1}"#, 2), ("replace c d e", 3),
    (#"batch {"commands":[{"delete":{"all":true}},{"insert":{"rows":[{"data":1}]}}]}"#, 1),
  ]

  @Test("Commands still act on the items; what is hidden yields a change without ops", arguments: hidden)
  func hiddenEdits(step: String, count: Int) throws {
    var list = try TestList(Self.table(), after: ["insert a b", "transition maintenance"])
    let change = try #require(try list.take(step))
    #expect(change["ops"] == .array([]))
    #expect(change["itemCount"] == .integer(count) && change["rowCount"] == .number("1"))
    #expect(list["revision"] == .number("3"))
  }

  @Test("A fetch that ends changes the items but not the state")
  func hiddenFetch() throws {
    var list = try TestList(Self.table(), after: ["load", "transition maintenance", "page a b +"])
    #expect(list.sight == "maintenance: [maintenance]" && list["itemCount"] == .number("2"))
    try list.take("load-more")
    try list.take("fails")
    #expect(list.sight == "maintenance: [maintenance]" && list["error"] != .null)
    try list.take("transition populated")
    #expect(list.sight == "populated: a b [retry]")
  }

  static let selecting: [(state: String, step: String, refusal: String?)] = [
    ("browse", "select 0", nil), ("browse", #"select {"id":"a"}"#, nil),
    ("browse", "select 1", "not-selectable /index"),
    ("bare", "select 0", "not-selectable /index"), ("bare", #"select {"id":"a"}"#, "not-selectable /id"),
    ("maintenance", "select 0", "not-selectable /index"),
    ("maintenance", #"select {"id":"a"}"#, "not-selectable /id"),
    ("loading", #"select {"id":"a"}"#, "not-selectable /id"),
    ("loading", "select 0", "not-selectable /index"),
    ("maintenance", #"select {"id":null}"#, nil), ("maintenance", "select 1", "index-out-of-range /index"),
  ]

  @Test("Rows are selectable where the state says so, and the built-in states do", arguments: selecting)
  func selectable(state: String, step: String, refusal: String?) throws {
    var list = try TestList(Self.table(), after: ["insert a", "transition \(state)"])
    #expect(list.refusal(of: step) == refusal)
  }
}

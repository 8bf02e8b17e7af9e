import ListModel
import Testing

/// The commands of protocol §7 that edit and select: what each body does to a list of `a b c`, or why it is refused.
@Suite("Commands")
struct CommandTests {
  static let edits: [(step: String, sight: String)] = [
    // insert
    (#"insert {"rows":[{"id":"x","data":1}]}"#, "a b c x"),
    (#"insert {"rows":[{"id":"x","data":1}],"at":0}"#, "x a b c"),
    (#"insert {"rows":[{"id":"x","data":1},{"id":"y","data":1}],"at":3}"#, "a b c x y"),
    (#"insert {"rows":[{"id":"x","data":1},{"id":"y","data":1}],"before":"b"}"#, "a x y b c"),
    (#"insert {"rows":[{"id":"x","data":1},{"id":"y","data":1}],"after":"b"}"#, "a b x y c"),
    (#"insert {"rows":[{"data":null}]}"#, "a b c made=null"), (#"insert {"rows":[]}"#, "a b c"),
    // delete
    (#"delete {"ids":["a","c"]}"#, "b"), (#"delete {"ids":["a","a"]}"#, "b c"),
    (#"delete {"indexes":[2,0]}"#, "b"),
    (#"delete {"indexes":[1,1]}"#, "a c"), (#"delete {"all":true}"#, ""), (#"delete {"ids":[]}"#, "a b c"),
    // move
    (#"move {"id":"a","to":2}"#, "b c a"), (#"move {"id":"c","to":0}"#, "c a b"),
    (#"move {"id":"b","to":1}"#, "a b c"),
    (#"move {"id":"a","before":"c"}"#, "b a c"), (#"move {"id":"a","after":"c"}"#, "b c a"),
    (#"move {"id":"c","before":"a"}"#, "c a b"), (#"move {"id":"c","after":"a"}"#, "a c b"),
    (#"move {"id":"a","before":"a"}"#, "a b c"), (#"move {"id":"a","after":"a"}"#, "a b c"),
    (#"move {"id":"a","before":"b"}"#, "a b c"), (#"move {"id":"b","after":"a"}"#, "a b c"),
    // update
    (#"update {"rows":[{"id":"b","data":{"v":2}}]}"#, #"a b={"v":2} c"#),
    (#"update {"rows":[{"id":"b","merge":{"v":null,"w":2}}]}"#, #"a b={"w":2} c"#),
    (#"update {"rows":[{"id":"b","data":2},{"id":"b","data":3}]}"#, "a b=3 c"),
    (#"update {"rows":[{"id":"b","data":2},{"id":"b","data":1}]}"#, "a b c"),
    (#"update {"rows":[]}"#, "a b c"),
    // replace
    (#"replace {"rows":[{"id":"c","data":1},{"id":"x","data":1},{"id":"a","data":2}]}"#, "c x a=2"),
    (#"replace {"rows":[]}"#, ""),
    // batch
    (#"batch {"commands":[]}"#, "a b c"),
    (
      #"batch {"commands":[{"delete":{"ids":["a"]}},{"insert":{"rows":[{"id":"a","data":1}],"at":0}}]}"#,
      "a b c"
    ),
    (
      #"batch {"commands":[{"delete":{"indexes":[0]}},{"delete":{"indexes":[0]}},{"move":{"id":"c","to":0}}]}"#,
      "c"
    ),
    (
      #"batch {"commands":[{"insert":{"rows":[{"id":"x","data":1}]}},{"move":{"id":"x","to":3}},{"update":{"rows":[{"id":"x","data":2}]}}]}"#,
      "a b c x=2"
    ),
    (
      #"batch {"commands":[{"replace":{"rows":[{"id":"q","data":1}]}},{"insert":{"rows":[{"id":"a","data":1}]}}]}"#,
      "q a"
    ),
  ]

  @Test("do to the items what their bodies say, and alter nothing where nothing alters", arguments: edits)
  func edit(step: String, sight: String) throws {
    var list = try TestList(PlainTable(mode: .none, isClient: true), after: ["replace a b c"])
    let change = try list.take(step)
    #expect(list.sight == (sight.isEmpty ? "empty:" : "populated: \(sight)"))
    #expect((change == nil) == (sight == "a b c"))
    #expect(list["revision"] == .integer(sight == "a b c" ? 1 : 2))
  }

  static let refusals: [(step: String, refusal: String)] = [
    // insert
    (#"insert {"rows":[{"id":"x","data":1},{"id":"b","data":1}]}"#, "duplicate-id /rows/1/id"),
    (#"insert {"rows":[{"id":"x","data":1},{"id":"x","data":1}]}"#, "duplicate-id /rows/1/id"),
    (#"insert {"rows":[{"id":"x","data":1}],"at":4}"#, "index-out-of-range /at"),
    (#"insert {"rows":[{"id":"x","data":1}],"at":-1}"#, "index-out-of-range /at"),
    (#"insert {"rows":[{"id":"x","data":1}],"at":99999999999999999999}"#, "index-out-of-range /at"),
    (#"insert {"rows":[{"id":"x","data":1}],"at":1.0}"#, "invalid-body /at"),
    (#"insert {"rows":[{"id":"x","data":1}],"at":null}"#, "invalid-body /at"),
    (#"insert {"rows":[],"before":"z"}"#, "unknown-row /before"),
    (#"insert {"rows":[],"after":"z"}"#, "unknown-row /after"),
    (#"insert {"rows":[],"at":0,"after":"a"}"#, "invalid-body /after"),
    (#"insert {"rows":[{"id":"x"}]}"#, "invalid-row /rows/0/data"),
    (#"insert {"rows":[{"id":"","data":1}]}"#, "invalid-row /rows/0/id"),
    (#"insert {"rows":[{"id":7,"data":1}]}"#, "invalid-row /rows/0/id"),
    (#"insert {"rows":[{"id":null,"data":1}]}"#, "invalid-row /rows/0/id"),
    (#"insert {"rows":[7]}"#, "invalid-row /rows/0"),
    (#"insert {"rows":[{"id":"x","data":1,"Data":1}]}"#, "invalid-body /rows/0/Data"),
    (#"insert {"rows":{}}"#, "invalid-body /rows"), ("insert {}", "invalid-body /rows"),
    (#"insert {"rows":[],"a/b~":1}"#, "invalid-body /a~1b~0"),
    ("insert{\"rows\":[{\"data\":\"\(String(repeating: "x", count: 99))\"}]}", "invalid-row /rows/0/data"),
    (#"insert {"rows":[{"data":1},{"data":2},{"data":3}]}"#, "duplicate-id /rows/1/id"),
    // delete
    (#"delete {"ids":["a","z"]}"#, "unknown-row /ids/1"),
    (#"delete {"indexes":[0,3]}"#, "placeholder-row /indexes/1"),
    (#"delete {"indexes":[4]}"#, "index-out-of-range /indexes/0"),
    (#"delete {"indexes":[-1]}"#, "index-out-of-range /indexes/0"),
    (#"delete {"indexes":["0"]}"#, "invalid-body /indexes/0"),
    (#"delete {"ids":[0]}"#, "invalid-body /ids/0"),
    (#"delete {"all":false}"#, "invalid-body /all"), ("delete {}", "invalid-body "),
    (#"delete {"all":true,"ids":[]}"#, "invalid-body /all"),
    // move
    (#"move {"id":"z","to":0}"#, "unknown-row /id"), (#"move {"id":"a","to":3}"#, "index-out-of-range /to"),
    (#"move {"id":"a","to":-1}"#, "index-out-of-range /to"),
    (#"move {"id":"a","before":"z"}"#, "unknown-row /before"),
    (#"move {"id":"a","after":"z"}"#, "unknown-row /after"), (#"move {"id":"a"}"#, "invalid-body "),
    (#"move {"to":0}"#, "invalid-body /id"),
    (#"move {"id":"a","to":0,"before":"b"}"#, "invalid-body /before"),
    // update
    (#"update {"rows":[{"id":"a","data":1},{"id":"z","data":1}]}"#, "unknown-row /rows/1/id"),
    (#"update {"rows":[{"id":"a"}]}"#, "invalid-row /rows/0/data"),
    (#"update {"rows":[{"id":"a","data":1,"merge":1}]}"#, "invalid-row /rows/0/merge"),
    (#"update {"rows":[{"data":1}]}"#, "invalid-row /rows/0/id"),
    (#"update {"rows":[{"id":"a","data":{"name":7},"cell":"UserCell"}]}"#, "invalid-row /rows/0/data/name"),
    (#"update {"rows":[{"id":"a","merge":{},"cell":"UserCell"}]}"#, "invalid-row /rows/0/merge/name"),
    (#"update {"rows":[{"id":"a","data":1,"cell":""}]}"#, "invalid-row /rows/0/cell"),
    // replace
    (#"replace {"rows":[{"id":"x","data":1},{"id":"x","data":2}]}"#, "duplicate-id /rows/1/id"),
    (#"replace {"rows":[{"data":1}]}"#, "invalid-row /rows/0/id"),
    (#"replace {"hasNext":true}"#, "invalid-body /rows"),
    (#"replace {"rows":[],"hasNext":1}"#, "invalid-body /hasNext"),
    (
      #"replace {"rows":[{"id":"x","cell":"UserCell","data":{"name":"N","age":1}},{"id":"y","cell":"UserCell","data":[]}]}"#,
      "invalid-row /rows/1/data"
    ),
    // batch
    (
      #"batch {"commands":[{"delete":{"ids":["a"]}},{"delete":{"ids":["a"]}}]}"#,
      "unknown-row /commands/1/delete/ids/0"
    ),
    (
      #"batch {"commands":[{"insert":{"rows":[{"id":"x","data":1}]}},{"move":{"id":"x","to":4}}]}"#,
      "index-out-of-range /commands/1/move/to"
    ),
    (#"batch {"commands":[{"insert":{"rows":[{"id":"x"}]}}]}"#, "invalid-row /commands/0/insert/rows/0/data"),
    (#"batch {"commands":[{"load":{}}]}"#, "invalid-body /commands/0/load"),
    (#"batch {"commands":[{}]}"#, "invalid-body /commands/0"),
    (
      #"batch {"commands":[{"delete":{"all":true},"move":{"id":"a","to":0}}]}"#,
      "invalid-body /commands/0/move"
    ),
    (#"batch {"commands":[7]}"#, "invalid-body /commands/0"),
    (#"batch {"commands":[{"delete":7}]}"#, "invalid-body /commands/0/delete"),
    ("batch {}", "invalid-body /commands"),
    // select
    (#"select {"id":"z"}"#, "unknown-row /id"), (#"select {"index":3}"#, "not-selectable /index"),
    (#"select {"index":4}"#, "index-out-of-range /index"),
    (#"select {"index":-1}"#, "index-out-of-range /index"),
    (#"select {"id":7}"#, "invalid-body /id"), ("select {}", "invalid-body "),
    (#"select {"id":"a","index":0}"#, "invalid-body /index"),
    // others
    (#"transition {"data":1}"#, "invalid-body /to"), (#"transition {"to":7}"#, "invalid-body /to"),
    (#"refresh {"pages":"all"}"#, "invalid-body /pages"),
    (#"refresh {"pages":"first","through":"a"}"#, "invalid-body /through"),
    (#"refresh {"through":""}"#, "invalid-body /through"),
    (#"refresh {"immediately":1}"#, "invalid-body /immediately"),
    (#"refresh {"params":{"x":"y"}}"#, "invalid-body /params/x"),
    (#"refresh {"params":7}"#, "invalid-body /params"),
    (#"load {"hasNext":true}"#, "invalid-body /rows"),
    (#"load {"rows":[],"fetch":1}"#, "nothing-awaited /fetch"),
    ("retry", "nothing-to-retry"), ("fail", "nothing-awaited"), (#"fail {"title":7}"#, "invalid-body /title"),
  ]

  @Test("are refused with the member at fault, and leave the list as it was", arguments: refusals)
  func refuse(step: String, refusal: String) throws {
    var table = PlainTable(isClient: true, rowBytes: 50)
    table.required = ["UserCell": [("name", "string")]]
    var list = try TestList(table, after: ["replace a b c"])
    #expect(list.refusal(of: step) == refusal)
    if step.hasPrefix("batch") || step.hasPrefix("{") { return }
    let parts = step.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, ["insert", "delete", "move", "update", "replace"].contains(parts[0]) else {
      return
    }
    let words = refusal.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let pointer = "/commands/1/\(parts[0])\(words[1])"
    let batch = #"batch {"commands":[{"insert":{"rows":[]}},{"\#(parts[0])":\#(parts[1])}]}"#
    #expect(
      list.refusal(of: batch) == "\(words[0]) \(pointer)", "pointers of a batch begin with its command's")
  }

  @Test("Bodies that are no object are refused", arguments: ["[{}]", "7", "\"{}\"", "null"])
  func noObject(body: String) throws {
    var list = TestList(PlainTable(isClient: true))
    for name in CommandName.allCases {
      #expect(throws: Refusal.self) { try list.take(name.rawValue, body) }
    }
  }

  @Test("The index behind the items is the placeholder's only where a placeholder row exists")
  func placeholderRow() throws {
    var none = try TestList(PlainTable(mode: .none), after: ["replace a"])
    #expect(none.refusal(of: #"delete {"indexes":[1]}"#) == "index-out-of-range /indexes/0")
    var transient = try TestList(PlainTable(mode: .transient), after: ["replace a"])
    #expect(transient.refusal(of: #"delete {"indexes":[1]}"#) == "index-out-of-range /indexes/0")
    try transient.take("replace a +")
    #expect(transient.refusal(of: #"delete {"indexes":[1]}"#) == "placeholder-row /indexes/0")
    // In a batch it is the list in between that counts: here the row is there again once the items are gone.
    try transient.take("replace a")
    let step = #"batch {"commands":[{"delete":{"all":true}},{"delete":{"indexes":[0]}}]}"#
    #expect(transient.refusal(of: step) == "placeholder-row /commands/1/delete/indexes/0")
  }

  @Test("A session holds at most itemsPerSession items")
  func limit() throws {
    var list = try TestList(PlainTable(isClient: true, itemsPerSession: 3), after: ["replace a b c"])
    for step in ["insert x", "replace a b c d", "give x", "give-refresh p q r s", "give-more x"] {
      #expect(list.refusal(of: step) == "limit-exceeded /rows", "\(step)")
    }
    for step in ["give a", "give-refresh x y z", "give-more x y"] {
      #expect(list.refusal(of: step) == nil, "\(step)")
    }
    try list.take("refresh")
    try list.take("delete x")
    try list.take("insert new")
    #expect(list.refusal(of: "give p q r") == "limit-exceeded /rows", "beside what was inserted meanwhile")
    #expect(list.refusal(of: "give x p q") == nil, "what was deleted meanwhile stays away")
    #expect(list.sight == "populated: p q new [hidden]")
    try list.take("refresh")
    try list.take("fail")
    #expect(list.refusal(of: "give-retry p q r s") == "limit-exceeded /rows")
  }

  // MARK: Rows

  @Test(
    "Equal data is no update, and the old text stays",
    arguments: ["update", "replace", "load", "load-more", "refresh"])
  func equalData(command: String) throws {
    var list = TestList(PlainTable(isClient: true))
    try list.take(#"replace {"rows":[{"id":"a","data":{"n":1.0,"s":"é","t":[]}}]}"#)
    let same = #"{"rows":[{"id":"a","data":{"s":"\u00e9" , "t":[ ],"n":1.0}}]}"#
    #expect(try list.take(command, same) == nil)
    #expect(list["rows"]?.elements.first?["data"]?.description == #"{"n":1.0,"s":"é","t":[]}"#)
    let other = #"{"rows":[{"id":"a","data":{"n":1,"s":"é","t":[]}}]}"#
    #expect(try list.take(command, other)?["ops"]?.elements.first?["op"] == .string("update"))
  }

  @Test("In a batch an id there before and after is the same item")
  func sameItem() throws {
    var list = TestList(PlainTable(isClient: true))
    try list.take(#"replace {"rows":[{"id":"a","data":{"v":1,"w":2}},{"id":"b","data":1}]}"#)
    try list.take("select 0")
    let again = { (data: String) in
      #"batch {"commands":[{"delete":{"all":true}},{"insert":{"rows":[{"id":"a","data":\#(data)},{"id":"b","data":1}]}}]}"#
    }
    #expect(try list.take(again(#"{"w":2,"v":1}"#)) == nil)
    #expect(list["rows"]?.elements.first?["data"]?.description == #"{"v":1,"w":2}"#)
    #expect(list.ids == ["a", "b"])
    let ops = try list.take(again("3"))?["ops"]?.elements
    #expect(ops?.count == 1 && ops?.first?["op"] == .string("update"))
    #expect(list["selected"] == .string("a"))
  }

  @Test("Without cell the table's rule applies to data; an update keeps the cell unless it is given")
  func cells() throws {
    var table = PlainTable(isClient: true)
    table.rule = .choice(["kind"], map: ["user": "UserCell"], fallback: "Other")
    var list = TestList(table)
    try list.take(
      #"insert {"rows":[{"id":"a","data":{"kind":"user"}},{"id":"b","data":{"kind":"x"}},{"id":"c","cell":"Mine","data":{"kind":"user"}}]}"#
    )
    func cells() -> [Text] { (list["rows"]?.elements ?? []).prefix(3).compactMap { $0["cell"]?.text } }
    #expect(cells() == ["UserCell", "Other", "Mine"])
    try list.take(
      #"update {"rows":[{"id":"a","data":{"kind":"x"}},{"id":"b","cell":"New","data":{"kind":"x"}}]}"#)
    #expect(cells() == ["UserCell", "New", "Mine"])
    try list.take(#"load {"rows":[{"id":"a","data":{"kind":"x"}}]}"#)
    #expect(cells() == ["Other", "New", "Mine"])
  }

  // MARK: Selecting

  @Test("selected is a change without ops, and null once its item is gone")
  func selected() throws {
    for leaving in [
      "delete b", "replace a c", "refresh now", "give-refresh a",
      #"batch {"commands":[{"delete":{"ids":["b"]}}]}"#,
    ] {
      var list = try TestList(PlainTable(isClient: true), after: ["replace a b c"])
      let change = try list.take("select 1")
      #expect(change?["ops"] == .array([]) && change?["selected"] == .string("b"))
      #expect(try list.take(#"select {"id":"b"}"#) == nil)
      try list.take(#"move {"id":"b","to":0}"#)
      try list.take("transition loading")
      try list.take("transition populated")
      #expect(list["selected"] == .string("b"))
      #expect(try list.take(leaving)?["selected"] == .null, "\(leaving)")
    }
  }

  @Test("select on a status row has the cause of what it does")
  func selectCauses() throws {
    var list = try TestList(after: ["load", "page a +"])
    #expect(try list.take("select 1")?["cause"] == .string("load-more") && list.waits)
    #expect(try list.take("fails")?["cause"] == .string("load-more"))
    #expect(try list.take("select 1")?["cause"] == .string("retry") && list.waits)
    #expect(try list.take("page b")?["cause"] == .string("retry"))
  }
}

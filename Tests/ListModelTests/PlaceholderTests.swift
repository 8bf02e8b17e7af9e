import ListModel
import Testing

/// The table of protocol §2, row by row, in each mode.
@Suite("The placeholder")
struct PlaceholderTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let steps: [String]
    /// The list in mode `resident`; in the others the placeholder is left out where it has nothing to show.
    let sight: String
    /// What selecting the placeholder leads to.
    let selecting: String

    init(_ words: String, _ steps: [String], _ sight: String, selecting: String = "not-selectable /index") {
      testDescription = words
      self.steps = steps
      self.sight = sight
      self.selecting = selecting
    }
  }

  static let rows = [
    Row("0 items, load", ["load"], "loading: [loading] (load)"),
    Row("0 items, refresh", ["refresh"], "loading: [loading] (refresh)"),
    Row(
      "items, load-more", ["load", "page a +", "load-more"], "populated: a [loading-more] (load-more)"),
    Row(
      "0 items, load-more", ["load", "page a +", "load-more", "delete a"], "empty: [loading-more] (load-more)"
    ),
    Row(
      "0 items, last fetch failed", ["load", "fails"], "error: [error]",
      selecting: "loading: [loading] (load)"),
    Row(
      "0 items, last fetch failed, hasNext", ["load", "page a +", "load-more", "fails", "delete a"],
      "error: [error]", selecting: "empty: [loading-more] (load-more)"),
    Row("0 items, a load completed", ["load", "page"], "empty: [empty]"),
    Row("0 items, hasNext", ["load", "page a +", "delete a"], "empty: [empty]"),
    Row("0 items, nothing has happened", [], "loading: [loading]"),
    Row("0 items, items have been given", ["insert a", "delete a"], "empty: [empty]"),
    Row("0 items, populated was entered", ["transition populated"], "empty: [empty]"),
    Row("0 items, empty was entered", ["transition empty"], "empty: [empty]"),
    Row(
      "items, last fetch failed", ["load", "page a", "refresh", "fails"], "populated: a [retry]",
      selecting: "populated: a [hidden] (refresh)"),
    Row(
      "items, last fetch failed, hasNext", ["load", "page a +", "load-more", "fails"], "populated: a [retry]",
      selecting: "populated: a [loading-more] (load-more)"),
    Row(
      "items, hasNext", ["load", "page a +"], "populated: a [more]",
      selecting: "populated: a [loading-more] (load-more)"),
    Row("items, nothing next", ["load", "page a"], "populated: a [hidden]"),
    Row(
      "items, refresh: counts as none", ["load", "page a +", "refresh"], "populated: a [more] (refresh)",
      selecting: "busy"),
    Row("items, load: counts as none", ["insert a", "load"], "populated: a [hidden] (load)"),
    Row(
      "items, refresh after a failure: the failure is gone",
      ["load", "page a", "refresh", "fails", "refresh"],
      "populated: a [hidden] (refresh)"),
  ]

  @Test("says what the table says, in mode resident", arguments: rows)
  func resident(row: Row) throws {
    var list = try TestList(after: row.steps)
    #expect(list.sight == row.sight)
    #expect(list["rowCount"] == .integer((list["itemCount"]?.integer ?? 0) + 1))
    let last = try #require(list["rows"]?.elements.last)
    let isSelectable = row.selecting != "not-selectable /index"
    #expect(last["selectable"] == .bool(isSelectable))
    #expect(last["visible"] == .bool(!row.sight.contains("[hidden]")))
    let outcome = list.refusal(of: "select \((list["rowCount"]?.integer ?? 0) - 1)") ?? list.sight
    #expect(outcome == row.selecting)
  }

  @Test("is there only where it has something to show, in mode transient", arguments: rows)
  func transient(row: Row) throws {
    var list = try TestList(PlainTable(mode: .transient), after: row.steps)
    #expect(list.sight == row.sight.replacing(" [hidden]", with: ""))
    guard !row.sight.contains("[hidden]") else { return }
    let outcome = list.refusal(of: "select \((list["rowCount"]?.integer ?? 0) - 1)") ?? list.sight
    #expect(outcome == row.selecting.replacing(" [hidden]", with: ""))
  }

  @Test("is never there in mode none", arguments: rows)
  func none(row: Row) throws {
    let list = try TestList(PlainTable(mode: .none), after: row.steps)
    #expect(list.sight == row.sight.replacing(#/ \[.*\]/#, with: ""))
  }

  @Test("comes and goes by insert and delete in mode transient, and changes kind by update")
  func transientOps() throws {
    var list = try TestList(PlainTable(mode: .transient), after: ["load"])
    func names(_ change: PlainJSON?) -> [Text] {
      (change?["ops"]?.elements ?? []).compactMap { $0["op"]?.text }
    }
    #expect(names(try list.take("page a +")) == ["insert", "update"])
    #expect(names(try list.take("load-more")) == ["update"])
    #expect(names(list.page([], hasNext: false)) == ["delete"])
    #expect(names(try list.take(#"replace {"rows":[],"hasNext":true}"#)) == ["delete", "insert"])
  }

  @Test("changes by update alone in mode resident")
  func residentOps() throws {
    var list = TestList()
    for step in [
      "load", "page", "load", "refresh", "page +", "transition loading", "refresh", "fails", "retry",
    ] {
      for op in try list.take(step)?["ops"]?.elements ?? [] {
        #expect(op["op"] == .string("update"), "\(step)")
      }
    }
  }

  static let defaults: [(kind: String, cell: String)] = [
    ("loading", "LoadingCell"), ("loading-more", "LoadingCell"), ("empty", "EmptyCell"),
    ("error", "RetryCell"),
    ("retry", "RetryCell"), ("more", "MoreCell"), ("hidden", "HiddenCell"),
  ]

  @Test("has the protocol's cells and no data where the table says nothing", arguments: defaults)
  func cells(kind: String, cell: String) throws {
    let row = try #require(Self.rows.first { $0.sight.contains("[\(kind)]") })
    let last = try TestList(after: row.steps)["rows"]?.elements.last
    #expect(last?["cell"] == .string(Text(cell)))
    #expect(last?["data"] == .object([:]))
    #expect(last?["presentation"] == nil && last?["id"] == nil)
  }

  @Test("is end where the table gives it, with the table's cell, data and presentation")
  func end() throws {
    var table = PlainTable()
    table.kinds["end"] = .init(
      cell: "Fin", data: .object(["title": .string("That is all")]),
      presentation: .object(["height": .integer(7)]))
    let last = try TestList(table, after: ["load", "page a"])["rows"]?.elements.last
    #expect(
      last
        == .object([
          "placeholder": .string("end"), "cell": .string("Fin"), "visible": .bool(true),
          "selectable": .bool(false),
          "data": .object(["title": .string("That is all")]),
          "presentation": .object(["height": .integer(7)]),
        ]))
  }

  @Test("binds members of data to the error, so that the row can say why", arguments: ["error", "retry"])
  func bind(kind: Text) throws {
    var table = PlainTable()
    table.kinds[kind] = .init(
      data: .object(["why": .string("unknown"), "text": .string("Try again")]),
      bind: [("why", ["detail"]), ("status", ["upstreamStatus"]), ("deep", ["detail", "0"])])
    let list = try TestList(
      table, after: kind == "error" ? ["load", "fails"] : ["insert a", "load", "fails"])
    #expect(
      list["rows"]?.elements.last?["data"]
        == .object([
          "why": .string("It is down."), "text": .string("Try again"), "status": .number("500"),
          "deep": .null,
        ]))
  }

  static let initialStates: [(state: Text, sight: String)] = [
    ("loading", "loading: [loading]"), ("empty", "empty: [empty]"), ("mine", "mine: [hidden]"),
    ("error", "error: [empty]"), ("populated", "populated: [empty]"),
  ]

  @Test("begins as the table's initialState says", arguments: initialStates)
  func initialState(state: Text, sight: String) throws {
    var table = PlainTable(initialState: state)
    table.states["mine"] = .init()
    var list = TestList(table)
    #expect(list.sight == sight)
    try list.take("load")
    #expect(list.sight == (state == "mine" ? "mine: [hidden] (load)" : "loading: [loading] (load)"))
    try list.take("page")
    #expect(list.sight == (state == "mine" ? "mine: [hidden]" : "empty: [empty]"))
  }
}

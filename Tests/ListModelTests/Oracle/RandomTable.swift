import TestSupport

// Tables of every look, made so that what is rare in life is frequent here.
extension PlainTable {
  static func random(_ generator: inout Seeded) -> PlainTable {
    var table = PlainTable()
    table.isClient = generator.once(in: 2)
    table.mode = generator.one(of: [.resident, .resident, .transient, .none])
    table.kinds = kinds(&generator)
    table.states = states(in: table.mode, &generator)
    let states = table.states.keys.sorted()
    table.initialState = generator.one(
      of: ["loading", "loading", "empty", "empty", "error", "populated"] + states)
    if generator.once(in: 2) {
      let all = builtInStates + states
      for _ in 0..<(1 + generator.below(3)) {
        table.transitions[generator.one(of: all)] = all.filter { _ in generator.once(in: 2) }
      }
    }
    if generator.once(in: 2) {
      table.rule = .choice(
        generator.one(of: [["kind"], ["v", "0"], []]), map: ["user": "UserCell", "x": "XCell"],
        fallback: "Other")
    }
    if generator.once(in: 2) { table.required = required(&generator) }
    table.params = [
      Parameter(name: "topic", fallback: "swift", maxLength: 5),
      Parameter(name: "a/b", fallback: "", maxLength: nil),
      Parameter(name: "must", fallback: nil, maxLength: nil),
    ].filter { _ in generator.once(in: 3) }
    table.itemsPerSession = generator.one(of: [4, 9, 100_000, 100_000])
    table.rowBytes = generator.one(of: [40, 65_536, 65_536])
    return table
  }

  private static func kinds(_ generator: inout Seeded) -> [Text: Template] {
    var kinds: [Text: Template] = [:]
    for kind in PlainList.defaultCells.keys.sorted() where generator.once(in: 3) {
      var template = Template()
      if generator.once(in: 2) { template.cell = Text("Own\(kind)") }
      if generator.once(in: 2) {
        template.data = .object(["title": .string("T"), "why": .string("unbound"), "n": .number("1.0")])
      }
      if kind == "error" || kind == "retry", generator.once(in: 2) {
        template.bind = [("why", ["detail"]), ("deep", ["nowhere", "0"]), ("all", [])]
      }
      if generator.once(in: 3) { template.presentation = .object(["height": .integer(generator.below(3))]) }
      kinds[kind] = template
    }
    return kinds
  }

  private static func states(in mode: Mode, _ generator: inout Seeded) -> [Text: State] {
    var states: [Text: State] = [:]
    for name: Text in ["maintenance", "browse", "frozen"] where generator.below(4) > 0 {
      var state = State(items: name != "maintenance", selectable: name == "browse")
      for number in 0..<generator.below(mode == .resident ? 2 : 3) {
        state.rows.append(
          Template(
            cell: generator.once(in: 2) ? "NoticeCell" : nil, data: .object(["n": .integer(number)]),
            bind: generator.once(in: 2) ? [("message", ["message"]), ("first", ["list", "0"])] : [],
            presentation: generator.once(in: 3) ? .string("fill") : nil))
      }
      states[name] = state
    }
    return states
  }

  private static func required(_ generator: inout Seeded) -> [Text: [(member: Text, type: Text)]] {
    let types: [Text] = ["string", "number", "integer", "boolean", "object", "array", "null"]
    return ["UserCell": [("name", "string")], "XCell": [("v", generator.one(of: types)), ("w", "string")]]
  }
}

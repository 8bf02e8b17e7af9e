import ListModel
import TestSupport

/// Makes steps that mean something to the list as it stands, and some that do not.
struct RandomSteps {
  var generator: Seeded
  /// How many ids there are: few, so that they meet.
  var pool = 14
  /// The most rows of one body.
  var rowsAtMost = 4
  /// How many empty pages are still to come before anything else does.
  private var emptyPages = 0

  init(generator: Seeded, pool: Int, rowsAtMost: Int) {
    self.generator = generator
    self.pool = pool
    self.rowsAtMost = rowsAtMost
  }

  mutating func next(_ model: PlainList) -> Step {
    if model.fetch == nil || model.table.isClient { emptyPages = 0 }
    if emptyPages > 0 {
      emptyPages -= 1
      return .page(PlainList.Page(items: [], hasNext: true), back: 0)
    }
    if model.fetch != nil, generator.once(in: 3) { return end(model) }
    if generator.once(in: 40) { return end(model) }
    let name = generator.one(of: RandomSteps.names)
    guard var body = body(of: name, model) else { return .command(name, nil) }
    if generator.once(in: 12), let tree = try? PlainJSON(body) { body = spoiled(tree).description }
    return .command(name, body)
  }

  /// The commands, the more telling ones more often.
  private static let names: [CommandName] =
    CommandName.allCases + [
      .load, .refresh, .refresh, .loadMore, .loadMore, .insert, .insert, .batch, .update, .select,
    ]

  // MARK: Bodies

  private mutating func body(of name: CommandName, _ model: PlainList) -> String? {
    switch name {
    case .load, .loadMore, .retry:
      return model.table.isClient && generator.below(3) > 0
        ? "{\(delivery(model))}" : generator.one(of: [nil, "{}", nil])
    case .refresh: return refresh(model)
    case .fail:
      let members = [#""title":"T\"""#, #""detail":"D""#] + (generator.once(in: 3) ? [fetch(model)] : [])
      return object(members.filter { _ in generator.once(in: 2) })
    case .insert, .delete, .move, .update, .replace: return edit(name, model)
    case .batch:
      let count = generator.below(5)
      let commands = (0..<count).map { _ in
        let name: CommandName = generator.one(of: [
          .insert, .delete, .move, .update, .insert, .delete, .replace,
        ])
        return "{\"\(name.rawValue)\":\(edit(name, model))}"
      }
      return "{\"commands\":[\(commands.joined(separator: ","))]}"
    case .select:
      switch generator.below(8) {
      case 0: return #"{"id":null}"#
      case 1...3: return "{\"id\":\(id(model))}"
      case 4: return "{\"index\":\(index(model))}"
      default: return "{\"index\":\(model.rows.count - 1)}"
      }
    case .transition:
      let states: [Text] =
        PlainTable.builtInStates + ["maintenance", "browse", "frozen", "maintenance", "nowhere"]
      let data = generator.one(of: [
        "", "", #","data":{"message":"M"}"#, #","data": {"message" :"\u004d"}"#, #","data":{"list":[1.0]}"#,
        #","data":5"#,
      ])
      return "{\"to\":\"\(generator.one(of: states))\"\(data)}"
    }
  }

  private mutating func refresh(_ model: PlainList) -> String? {
    var members: [String] = []
    if generator.once(in: 3) { members.append("\"immediately\":\(generator.below(3) > 0)") }
    switch generator.below(6) {
    case 0, 1: members.append(#""pages":"loaded""#)
    case 2: members.append("\"through\":\(id(model))")
    case 3: members.append(#""pages":"first""#)
    default: break
    }
    if generator.once(in: 4) {
      let params = [
        #""topic":"\#(generator.one(of: ["swift", "é́uvw", "toolong"]))""#, #""a/b":"x""#, #""must":"y""#,
      ]
      members.append("\"params\":\(object(params.filter { _ in generator.once(in: 2) }))")
    }
    if model.table.isClient, generator.once(in: 2) { members.append(delivery(model)) }
    return members.isEmpty && generator.once(in: 2) ? nil : object(members)
  }

  private mutating func delivery(_ model: PlainList) -> String {
    var members = ["\"rows\":\(rows(model))"]
    if generator.once(in: 2) { members.append("\"hasNext\":\(generator.once(in: 2))") }
    if generator.once(in: 4) { members.append(fetch(model)) }
    return members.joined(separator: ",")
  }

  private mutating func fetch(_ model: PlainList) -> String {
    let name = model.fetch?.name ?? model.revision
    return "\"fetch\":\(generator.one(of: [name, name, model.fetch?.start ?? 0, name - 1, model.revision]))"
  }

  private mutating func edit(_ name: CommandName, _ model: PlainList) -> String {
    switch name {
    case .insert:
      let place = generator.one(of: [
        "", "", ",\"at\":\(index(model))", ",\"before\":\(id(model))", ",\"after\":\(id(model))",
      ])
      return "{\"rows\":\(rows(model, fresh: true))\(place)}"
    case .delete:
      switch generator.below(8) {
      case 0: return #"{"all":true}"#
      case 1...3: return "{\"indexes\":\(list(2) { $0.index(model) })}"
      default: return "{\"ids\":\(list(2) { $0.id(model) })}"
      }
    case .move:
      let place = generator.one(of: [
        "\"to\":\(index(model))", "\"before\":\(id(model))", "\"after\":\(id(model))",
      ])
      return "{\"id\":\(id(model)),\(place)}"
    case .update: return "{\"rows\":\(list(3) { $0.update(model) })}"
    default:
      let more = generator.once(in: 2) ? ",\"hasNext\":\(generator.once(in: 2))" : ""
      return "{\"rows\":\(rows(model))\(more)}"
    }
  }

  private mutating func update(_ model: PlainList) -> String {
    let content =
      generator.once(in: 2)
      ? "\"data\":\(data())"
      : "\"merge\":\(generator.one(of: [#"{"v":null}"#, #"{"v":{"z":null,"y":2}}"#, #"{"name":"N"}"#, "{}", data()]))"
    let cell = generator.once(in: 6) ? ",\"cell\":\"\(generator.one(of: ["UserCell", "XCell", "Q"]))\"" : ""
    return "{\"id\":\(id(model)),\(content)\(cell)}"
  }

  // MARK: Rows

  private mutating func rows(_ model: PlainList, fresh: Bool = false) -> String {
    var unused = Set(0..<pool).subtracting(model.items.compactMap { self.number(of: $0.id) }).sorted()
    unused.shuffle(using: &generator)
    return list(rowsAtMost) { steps in
      var members: [String] = []
      let isUnused = steps.generator.below(fresh ? 8 : 3) > 0
      if let number = isUnused ? unused.popLast() : nil {
        members.append("\"id\":\(RandomSteps.name(number))")
      } else if !fresh || steps.generator.once(in: 2) {
        members.append("\"id\":\(steps.id(model))")
      }
      if steps.generator.once(in: 6) {
        members.append("\"cell\":\"\(steps.generator.one(of: ["UserCell", "XCell", "Q"]))\"")
      }
      members.append("\"data\":\(steps.data())")
      return steps.object(members)
    }
  }

  /// The JSON text of an id, written in ways that could be mistaken.
  static func name(_ number: Int) -> String {
    switch number {
    case 0: "\"é\""
    case 1: "\"e\u{301}\""
    case 2: #""q\"\\/~""#
    case 3: #""\u0001""#
    case 4: "\"" + String(repeating: "x", count: 256) + "\""
    default: "\"i\(number)\""
    }
  }

  private static let numbers: [Text: Int] = Dictionary(
    uniqueKeysWithValues: (0..<5).map { number in ((try? PlainJSON(name(number)))?.text ?? "", number) })

  private func number(of id: Text) -> Int? {
    RandomSteps.numbers[id] ?? (id.string.hasPrefix("i") ? Int(id.string.dropFirst()) : nil)
  }

  /// An id's text: one that is held, mostly.
  private mutating func id(_ model: PlainList) -> String {
    if !model.items.isEmpty, generator.below(6) > 0 {
      return PlainJSON.escaped(generator.one(of: model.items).id)
    }
    return RandomSteps.name(generator.below(pool))
  }

  private mutating func index(_ model: PlainList) -> String {
    let count = model.items.count
    if generator.once(in: 40) {
      return generator.one(of: ["-1", "123456789012345678901234567890", "-9223372036854775809"])
    }
    return String(generator.once(in: 8) ? count + generator.below(3) : generator.below(count))
  }

  private mutating func data() -> String { generator.one(of: RandomSteps.data) }

  /// Data of every type, and the same data written in several ways.
  private static let data = [
    #"{"v":1}"#, #"{"v":1.0}"#, #"{ "v" : 1 }"#, #"{"v":2,"w":"x"}"#, #"{"w":"x","v":2}"#,
    #"{"w":"\u0078","v":2}"#,
    #"{"w":"y","v":{}}"#, #"{"w":"y","v":[]}"#, #"{"w":"y","v":null}"#, #"{"w":"y","v":true}"#,
    #"{"kind":"user","name":"N"}"#, #"{"kind":"user","name":7}"#, #"{"kind":"x","v":"s","w":""}"#,
    #"{"kind":7}"#,
    #"{"v":["user",{"a":[1,2]}]}"#, "{}", "[]", "[1, 2]", "null", "5", "12345678901234567890", #""user""#,
    #""\ud83d\ude00\n""#,
    #"{"long":"01234567890123456789012345678901234567890123456789"}"#,
  ]

  private mutating func list(_ most: Int, _ element: (inout RandomSteps) -> String) -> String {
    var elements: [String] = []
    for _ in 0..<(generator.once(in: 8) ? 0 : 1 + generator.below(most)) { elements.append(element(&self)) }
    return "[" + elements.joined(separator: ",") + "]"
  }

  private func object(_ members: [String]) -> String { "{" + members.joined(separator: ",") + "}" }

  // MARK: Spoiling

  /// The same body with one thing wrong somewhere.
  private mutating func spoiled(_ tree: PlainJSON) -> PlainJSON {
    switch tree {
    case .object(var members) where !members.isEmpty && generator.below(4) > 0:
      let index = generator.below(members.count)
      members[index].value = spoiled(members[index].value)
      return .object(members)
    case .array(var elements) where !elements.isEmpty && generator.below(4) > 0:
      let index = generator.below(elements.count)
      elements[index] = spoiled(elements[index])
      return .array(elements)
    case .object(var members):
      if generator.once(in: 3), !members.isEmpty {
        members.remove(at: generator.below(members.count))
        return .object(members)
      }
      var result = PlainJSON.object(members)
      result.set(
        generator.one(of: [
          "a/b~c", "rows", "id", "data", "merge", "hasNext", "fetch", "at", "all", "through", "index",
        ]),
        generator.one(of: RandomSteps.oddities))
      return result
    default: return generator.one(of: RandomSteps.oddities)
    }
  }

  private static let oddities: [PlainJSON] = [
    .null, .bool(true), .bool(false), .number("0"), .number("-1"), .number("1.0"), .number("1e2"),
    .number("-0"),
    .number("99999999999999999999"), .string(""), .string("first"), .string("i7"), .array([]), .object([:]),
    .string(Text(String(repeating: "y", count: 257))), .array([.object([:])]),
  ]

  // MARK: Ends of fetches

  private mutating func end(_ model: PlainList) -> Step {
    let back = generator.once(in: 6) ? 1 + generator.below(3) : 0
    if model.table.isClient { return .failure(.timeout, back: back) }
    if generator.once(in: 4) { return .failure(generator.one(of: UpstreamFailure.Code.allCases), back: back) }
    if generator.once(in: 20) { emptyPages = generator.one(of: [3, 9, 10, 12]) }
    var page = PlainList.Page(
      items: items(generator.once(in: 3) ? 0 : rowsAtMost + 2, model), hasNext: generator.below(3) > 0,
      leftOut: generator.once(in: 8) ? generator.below(3) : 0)
    if generator.once(in: 6) { page.again = items(rowsAtMost, model) }
    if generator.once(in: 12) {
      page.repeats = true
      page.hasNext = generator.once(in: 4)
    }
    return .page(page, back: back)
  }

  /// Fewer items than `most`, as a source reads them.
  private mutating func items(_ most: Int, _ model: PlainList) -> [PlainList.Item] {
    var items: [PlainList.Item] = []
    for _ in 0..<(most > 0 ? generator.below(most) : 0) {
      guard let id = try? PlainJSON(id(model)).text, let data = try? PlainJSON(data()) else { continue }
      items.append(PlainList.Item(id: id, cell: generator.one(of: ["Cell", "Cell", "UserCell"]), data: data))
    }
    return items
  }
}

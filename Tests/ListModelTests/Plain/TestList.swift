import JSONText
import ListModel

/// A list in a test's hands, which speaks to it in words.
///
/// `take("insert a b")` inserts two rows; what has no such short form takes its JSON body: `take("move", body)`.
struct TestList {
  private(set) var list: ListState
  private let context: ListContext
  /// What is to be read for the latest fetch.
  private(set) var read: (generation: Int, place: Place)?
  /// How many reads were asked for.
  private(set) var reads = 0
  private(set) var ids: [Text]?
  /// Whether the latest command waits for a fetch.
  private(set) var waits = false

  init(_ table: PlainTable = PlainTable(), revision: Int = 0) {
    context = table.context
    list = ListState(rules: ListRules(look: table.look), revision: revision, params: "{}")
  }

  /// A list that has taken these steps.
  init(_ table: PlainTable = PlainTable(), after steps: [String]) throws {
    self.init(table)
    for step in steps { try take(step) }
  }

  // MARK: Steps

  /// Takes a step in words: a command, or what a source does.
  ///
  /// - `insert a b`, `replace a b +`, `delete a`, `update a`, `select 2`, `transition loading`, `refresh now`
  /// - `give a b +` loads with these rows, `give-more`, `give-refresh`, `give-retry` likewise; `+` has more behind it
  /// - `page a b +` is a page from the source, `page again a b then c` one of which a and b were read before, `page a
  ///   repeats` one that names a place used before, `fails` a failure
  /// - anything with a `{` is a command and its body
  @discardableResult
  mutating func take(_ step: String) throws(Refusal) -> PlainJSON? {
    if let brace = step.firstIndex(of: "{") {
      return try take(String(step[..<brace].filter { $0 != " " }), String(step[brace...]))
    }
    let words = step.split(separator: " ").map(String.init)
    let names = words.dropFirst().filter { $0 != "+" }
    let more = words.last == "+"
    switch words.first ?? "" {
    case "page" where names.first == "again":
      let parts = names.dropFirst().split(separator: "then", omittingEmptySubsequences: false).map {
        Array($0)
      }
      return page(
        TestList.rows(parts.count > 1 ? parts[1] : []), again: TestList.rows(parts[0]), hasNext: more)
    case "page" where names.last == "repeats":
      return page(TestList.rows(names.dropLast()), hasNext: false, repeats: true)
    case "page": return page(TestList.rows(names), hasNext: more)
    case "fails": return end(.failure(UpstreamFailure(.status, detail: "It is down.", upstreamStatus: 500)))
    case "insert": return try take("insert", "{\"rows\":\(TestList.text(names))}")
    case "replace": return try take("replace", "{\"rows\":\(TestList.text(names)),\"hasNext\":\(more)}")
    case "update": return try take("update", "{\"rows\":\(TestList.text(names, data: "\"new\""))}")
    case "delete":
      return try take("delete", "{\"ids\":[\(names.map { "\"\($0)\"" }.joined(separator: ","))]}")
    case "select": return try take("select", "{\"index\":\(names.first ?? "")}")
    case "transition": return try take("transition", "{\"to\":\"\(names.first ?? "")\"}")
    case "refresh" where names == ["now"]: return try take("refresh", #"{"immediately":true}"#)
    case "give": return try take("load", TestList.delivery(names, more))
    case "give-more": return try take("load-more", TestList.delivery(names, more))
    case "give-refresh": return try take("refresh", TestList.delivery(names, more))
    case "give-retry": return try take("retry", TestList.delivery(names, more))
    default: return try take(words.first ?? "", nil)
    }
  }

  /// Does a command; gives its change.
  @discardableResult
  mutating func take(_ command: String, _ body: String?) throws(Refusal) -> PlainJSON? {
    let decoder = CommandDecoder(rules: list.rules, context: context) { "made" }
    guard let name = CommandName(rawValue: command) else {
      throw Refusal(.invalidBody, "the test names no command: \(command)")
    }
    let value: JSONValue?
    do { value = try body.map { try JSONValue(parsing: Bytes($0)) } } catch {
      throw Refusal(.invalidBody, "the test gives no JSON: \(body ?? "")")
    }
    return note(try list.perform(try decoder.command(name, value), in: context))
  }

  /// Why a step is refused, and that the list is as before: `code`, or `code /pointer`; nil where it is not.
  mutating func refusal(of step: String) -> String? {
    let before = snapshot
    do {
      try take(step)
      return nil
    } catch {
      guard snapshot == before else { return "\(error.code.rawValue), and the list is another" }
      return ([error.code.rawValue] + [error.pointer?.text.string].compactMap { $0 }).joined(separator: " ")
    }
  }

  @discardableResult
  mutating func page(
    _ items: [Item], again: [Item] = [], hasNext: Bool, repeats: Bool = false, generation: Int? = nil
  ) -> PlainJSON? {
    let place = read?.place ?? .top
    let next = Place(
      read: place.read + items.count, pages: place.pages + 1, token: hasNext ? Bytes("t\(reads)") : nil)
    let page = Page(
      items: items, hasNext: hasNext, next: next, again: again,
      failure: repeats ? UpstreamFailure(.repeats, detail: "It repeats.") : nil)
    return end(.success(page), generation: generation)
  }

  @discardableResult
  mutating func end(_ result: Result<Page, UpstreamFailure>, generation: Int? = nil) -> PlainJSON? {
    note(list.finish(generation: generation ?? read?.generation ?? -1, with: result, in: context))
  }

  private mutating func note(_ outcome: Outcome) -> PlainJSON? {
    switch outcome.effect {
    case .read(let generation, let place): read = (generation, place)
    case .awaitClient(let generation): read = (generation, .top)
    case nil: break
    }
    if outcome.effect != nil { reads += 1 }
    ids = outcome.ids?.map { Text($0) }
    waits = outcome.fetch != nil
    return outcome.change.flatMap { try? PlainJSON($0.text.array) }
  }

  // MARK: Rows

  /// Rows of these ids; `a=2` has the data `2`, `a` alone `1`.
  static func text(_ names: [String], data: String = "1") -> String {
    let rows = names.map { name in
      let parts = name.split(separator: "=", maxSplits: 1).map(String.init)
      return "{\"id\":\"\(parts[0])\",\"data\":\(parts.count > 1 ? parts[1] : data)}"
    }
    return "[" + rows.joined(separator: ",") + "]"
  }

  static func rows(_ names: [String]) -> [Item] {
    var storage = ItemStorage()
    for name in names {
      let parts = name.split(separator: "=", maxSplits: 1).map(String.init)
      storage.add(
        id: Bytes(parts[0]), cell: "Cell", data: JSONValue(trusted: Bytes(parts.count > 1 ? parts[1] : "1")))
    }
    return storage.items()
  }

  private static func delivery(_ names: [String], _ more: Bool) -> String {
    "{\"rows\":\(text(names)),\"hasNext\":\(more)}"
  }

  // MARK: Seeing

  var snapshot: PlainJSON {
    var text = TextBuffer()
    list.version.appendSnapshot(identity: "", to: &text)
    return (try? PlainJSON(text.array())) ?? .null
  }

  /// The list at a glance: `populated: a b=2 [more]`, and ` (refresh)` where one is in flight.
  var sight: String {
    let snapshot = snapshot
    let rows = (snapshot["rows"]?.elements ?? []).map { row in
      if let kind = row["placeholder"]?.text { return "[\(kind)]" }
      let data = row["data"] ?? .null
      return (row["id"]?.text?.string ?? "") + (data == .number("1") ? "" : "=\(data)")
    }
    let loading = snapshot["loading"]?.text.map { " (\($0))" } ?? ""
    return (["\(snapshot["state"]?.text ?? ""):"] + rows).joined(separator: " ") + loading
  }

  subscript(_ name: Text) -> PlainJSON? { snapshot[name] }
}

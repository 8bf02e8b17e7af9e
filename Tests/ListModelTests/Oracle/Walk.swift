import JSONText
import ListModel

/// One thing that happens to a list, written so that it stands alone: steps around it can be left out.
enum Step {
  /// A command with its body's text.
  case command(CommandName, String?)
  /// A page for a read that was asked for: the latest, or one of those before it, which is stale by then.
  ///
  /// Where it leads is up to the read.
  case page(PlainList.Page, back: Int)
  /// The same read fails.
  case failure(UpstreamFailure.Code, back: Int)
}

/// What a step came to.
enum StepResult {
  case refusal(PlainRefusal)
  case change(cause: Text)
  case nothing
}

/// A list and its second model, taken through the same steps and compared after each.
struct Walk {
  let table: PlainTable
  private(set) var model: PlainList
  private(set) var list: ListState
  private let context: ListContext
  /// The reads that were asked for, in their order.
  private var reads: [(generation: Int, place: PlainList.Place)] = []
  private var made = 0
  private var snapshot: [UInt8]
  private var document: PlainJSON
  /// What the latest step came to.
  private(set) var last = StepResult.nothing
  private var keeper: Keeper
  /// Whether every step is checked in the dearer ways too: patches, windows, single rows.
  var isThorough = true

  init(_ table: PlainTable, revision: Int) throws {
    self.table = table
    context = table.context
    var params = PlainJSON.object([:])
    for parameter in table.params { params.set(parameter.name, .string(parameter.fallback ?? "")) }
    model = PlainList(table: table, revision: revision, params: params)
    list = ListState(
      rules: ListRules(look: table.look), revision: revision, params: Bytes(params.description))
    snapshot = Walk.snapshot(of: list)
    document = try PlainJSON(snapshot)
    keeper = Keeper(list)
    try require(document == model.snapshot, "a new list is \(document)\nand not        \(model.snapshot)")
  }

  static func snapshot(of list: ListState) -> [UInt8] {
    var text = TextBuffer()
    list.version.appendSnapshot(identity: "\"session\":\"s\",\"table\":\"t\",", to: &text)
    return text.array()
  }

  /// Takes both through a step; throws a `Difference` where they part.
  ///
  /// Now and then the list is put in the place of itself as a store would give it back.
  mutating func take(_ step: Step) throws {
    if let restored = try keeper.restored(insteadOf: list) { list = restored }
    try takeStep(step)
    try keeper.check(list)
  }

  private mutating func takeStep(_ step: Step) throws {
    last = .nothing
    switch step {
    case .command(let name, let body): try command(name, body)
    case .page(var page, let back):
      guard let (read, isStale) = read(back) else { return }
      page.next = PlainList.Place(
        read: read.place.read + page.items.count + page.leftOut, pages: read.place.pages + 1,
        token: page.hasNext ? Text("t\(read.place.read + page.items.count)") : nil)
      let before = model
      let answer = isStale ? PlainList.Answer("") : model.finish(page)
      let outcome = list.finish(generation: read.generation, with: .success(page.page), in: context)
      try compare(outcome, answer, since: before)
    case .failure(let code, let back):
      guard let (read, isStale) = read(back) else { return }
      let before = model
      let answer =
        isStale
        ? PlainList.Answer("")
        : model.finish(
          failing: Text(code.rawValue), title: Text(code.title), detail: "It is down.", status: code.status)
      let outcome = list.finish(
        generation: read.generation, with: .failure(UpstreamFailure(code, detail: "It is down.")), in: context
      )
      try compare(outcome, answer, since: before)
    }
  }

  /// A read that was asked for and whether nobody waits for it any more.
  private func read(_ back: Int) -> (read: (generation: Int, place: PlainList.Place), isStale: Bool)? {
    let index = reads.count - 1 - back
    guard reads.indices.contains(index) else { return nil }
    if back > 0, reads[index].generation == reads.last?.generation { return nil }
    return (reads[index], back > 0 || model.fetch == nil)
  }

  private mutating func command(_ name: CommandName, _ text: String?) throws {
    let body = try text.map { try JSONValue(parsing: Bytes($0)) }
    let maker = IDMaker(first: made)
    defer { made += maker.ids.count }
    let decoder = CommandDecoder(rules: list.rules, context: context) { maker.next().bytes }
    var outcome: Outcome?
    var refusal: PlainRefusal?
    do throws(Refusal) {
      outcome = try list.perform(try decoder.command(name, body), in: context)
    } catch {
      refusal = PlainRefusal(error.code.rawValue, error.pointer?.text.string)
    }
    let before = model
    let answer: PlainList.Answer
    do throws(PlainRefusal) {
      var reader = PlainCommandReader(table: table, made: maker.ids)
      answer = try model.perform(try reader.command(Text(name.rawValue), try? text.map { try PlainJSON($0) }))
    } catch {
      last = .refusal(error)
      try require(refusal == error, "refused: \(refusal as Any), not \(error)")
      return try require(Walk.snapshot(of: list) == snapshot, "refused, but the snapshot is another")
    }
    guard let outcome else { throw Difference("refused: \(refusal as Any), which the model does not") }
    try compare(outcome, answer, since: before)
  }

  // MARK: Comparing

  private mutating func compare(_ outcome: Outcome, _ answer: PlainList.Answer, since before: PlainList)
    throws
  {
    try keeper.note(outcome, list)
    try compareEffects(outcome, answer)
    let oldDocument = document
    let newSnapshot = Walk.snapshot(of: list)
    try require(list.revision == model.revision, "revision \(list.revision), not \(model.revision)")
    guard let change = outcome.change else {
      try require(
        model.revision == before.revision, "no change, but \(model.snapshot)\nafter \(before.snapshot)")
      try require(newSnapshot == snapshot, "no change, but another snapshot")
      return
    }
    try require(model.revision == before.revision + 1, "a change where there is none: \(change.text.string)")
    last = .change(cause: answer.cause)
    snapshot = newSnapshot
    document = try PlainJSON(snapshot)
    try require(document == model.snapshot, "the snapshot is \(document)\nand not         \(model.snapshot)")
    try compare(try PlainJSON(change.text.array), answer, since: before)
    if isThorough {
      let patched = try PlainJSON(Change.patched(change.text).array)
      try require(patched["ops"] == nil, "ops beside the patch")
      let result = try oldDocument.patched(by: patched["patch"] ?? .null)
      try require(result == document, "patched, the document before is \(result)\nand not \(document)")
      try compareWindow()
    }
  }

  private mutating func compareEffects(_ outcome: Outcome, _ answer: PlainList.Answer) throws {
    var effect: PlainList.Effect?
    switch outcome.effect {
    case .read(let generation, let place):
      let plain = PlainList.Place(read: place.read, pages: place.pages, token: place.token.map { Text($0) })
      reads.append((generation, plain))
      effect = .read(plain)
    case .awaitClient(let generation):
      reads.append((generation, PlainList.Place()))
      effect = .awaitClient
    case nil: break
    }
    try require(effect == answer.effect, "effect \(effect as Any), not \(answer.effect as Any)")
    try require(
      outcome.ids?.map { Text($0) } == answer.ids, "ids \(outcome.ids as Any), not \(answer.ids as Any)")
    let waits = answer.hasStarted || answer.hasJoined
    try require((outcome.fetch != nil) == waits, "waits: \(outcome.fetch != nil), not \(waits)")
    for reference in [outcome.fetch, list.fetchInFlight].compactMap({ $0 }) {
      try require(
        reference.startRevision == model.fetch?.start && reference.generation == reads.last?.generation,
        "the fetch is \(reference), not started by \(model.fetch?.start as Any)")
    }
    try require(
      (list.fetchInFlight != nil) == (model.fetch != nil), "in flight: \(list.fetchInFlight as Any)")
  }

  private func compare(_ change: PlainJSON, _ answer: PlainList.Answer, since before: PlainList) throws {
    var expected: [(Text, PlainJSON)] = [
      ("revision", .integer(model.revision)), ("cause", .string(answer.cause)),
    ]
    expected += model.header
    if model.params != before.params { expected.append(("params", model.params)) }
    for (name, value) in expected {
      try require(change[name] == value, "the change's \(name) is \(change[name] as Any), not \(value)")
    }
    try require(change.members.count == expected.count + 1, "other members: \(change)")
    guard case .array(let ops) = change["ops"] else { throw Difference("no ops: \(change)") }
    if let fault = OpsLaws(before: before.rows, after: model.rows, ops: ops).fault() {
      throw Difference(
        "\(fault)\nops \(ops)\nfrom \(before.rows.map(\.document))\nto   \(model.rows.map(\.document))")
    }
  }

  /// One window of the rows, one row and one item, all found by arithmetic on the revision.
  private func compareWindow() throws {
    let rows = model.rows.map(\.document)
    let offset = model.revision % (rows.count + 2)
    let limit = model.revision / 3 % (rows.count + 2)
    var text = TextBuffer()
    let version = list.version
    version.appendSnapshot(identity: "\"session\":\"s\",", offset: offset, limit: limit, to: &text)
    let window = try PlainJSON(text.array())
    let expected = Array(rows.dropFirst(offset).prefix(limit))
    try require(
      window["rows"] == .array(expected) && window["offset"] == .integer(offset),
      "the window of \(limit) from \(offset) is \(window)")
    let row = try version.row(at: offset).map { try PlainJSON($0.array) }
    try require(row == rows[safe: offset], "row \(offset) is \(row as Any)")
    if let item = model.items[safe: offset] {
      try require(version.index(ofItem: item.id.bytes) == offset, "item \(item.id) is not at \(offset)")
    }
    try require(version.index(ofItem: "nobody") == nil, "an item that nobody gave")
  }

  private func require(_ condition: Bool, _ words: @autoclosure () -> String) throws {
    if !condition { throw Difference(words()) }
  }
}

/// Makes ids, and remembers which: the model is told.
private final class IDMaker {
  private(set) var ids: [Text] = []
  private let first: Int

  init(first: Int) { self.first = first }

  func next() -> Text {
    ids.append(Text("made-\(first + ids.count)"))
    return ids[ids.count - 1]
  }
}

/// Where the list and its second model part.
struct Difference: Error, CustomStringConvertible {
  var description: String

  init(_ words: String) { description = words }
}

extension PlainList.Page {
  var page: Page {
    Page(
      items: Self.stored(items), hasNext: hasNext,
      next: Place(read: next.read, pages: next.pages, token: next.token?.bytes), leftOut: leftOut,
      again: Self.stored(again),
      failure: repeats ? UpstreamFailure(.repeats, detail: "Round and round.") : nil)
  }

  private static func stored(_ items: [PlainList.Item]) -> [Item] {
    var storage = ItemStorage()
    for item in items {
      storage.add(
        id: item.id.bytes, cell: item.cell.bytes, data: JSONValue(trusted: Bytes(item.data.description)))
    }
    return storage.items()
  }
}

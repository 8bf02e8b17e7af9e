import JSONText

/// Turns a command's name and body into a command, or says which member is wrong and how (protocol §7, §9).
///
/// It checks all that can be checked without the list: members, types, rows against their cells. What depends on the
/// list is the list's to refuse.
public struct CommandDecoder {
  let rules: ListRules
  let context: ListContext
  let makeID: () -> Bytes

  /// - Parameter makeID: gives ids to inserted rows that come without one; never the same twice.
  public init(rules: ListRules, context: ListContext, makeID: @escaping () -> Bytes) {
    self.rules = rules
    self.context = context
    self.makeID = makeID
  }

  /// Decodes a body; nil where the request had none; O(size of the body).
  public func command(_ name: CommandName, _ body: JSONValue?) throws(Refusal) -> Command {
    // The body, its array of rows and each row; in a batch the array of commands, each with its name around it.
    let reader = try BodyReader(body, levels: name == .batch ? 6 : 3)
    try reader.allow(name.members)
    switch name {
    case .load: return .load(try delivery(reader))
    case .refresh: return try refresh(reader)
    case .loadMore: return .loadMore(try delivery(reader))
    case .retry: return .retry(try delivery(reader))
    case .fail: return try fail(reader)
    case .insert, .delete, .move, .update, .replace: return .edit(try edit(name, reader))
    case .batch: return .batch(try batch(reader))
    case .select: return .select(try selection(reader))
    case .transition: return try transition(reader)
    }
  }

  // MARK: Fetching

  private func delivery(_ reader: BodyReader) throws(Refusal) -> Delivery? {
    if !context.isClient {
      for name in Self.deliveryMembers where reader.has(name) {
        throw reader.refusal(name, "this table's rows come from its source, not from clients")
      }
      return nil
    }
    let fetch = try reader.integer("fetch")
    let hasNext = reader.has("hasNext")
    let more = try reader.bool("hasNext", default: false)
    guard let items = try items(reader) else {
      if fetch != nil || hasNext { throw reader.refusal("rows", "fetch and hasNext go with rows") }
      return nil
    }
    return Delivery(items: items, hasNext: more, fetch: fetch)
  }

  private func refresh(_ reader: BodyReader) throws(Refusal) -> Command {
    var options = RefreshOptions()
    options.immediately = try reader.bool("immediately", default: false)
    try reader.requireOne(of: Self.extents, orNone: true)
    switch try reader.string("pages") {
    case nil, Bytes("first"): break
    case Bytes("loaded"): options.extent = .loadedPages
    default: throw reader.refusal("pages", "\"first\" or \"loaded\" was expected")
    }
    if let id = try reader.string("through") {
      guard Item.isUsableID(id) else { throw reader.refusal("through", "an id has 1 to 256 bytes") }
      options.extent = .through(id)
    }
    if let params = reader.member("params") {
      do throws(Refusal) {
        options.params = try context.parameters(params)
      } catch {
        throw error.under(["params"])
      }
    }
    return .refresh(options, try delivery(reader))
  }

  private func fail(_ reader: BodyReader) throws(Refusal) -> Command {
    let title = try reader.string("title")
    let detail = try reader.string("detail")
    let fetch = try reader.integer("fetch")
    return .fail(
      UpstreamFailure(
        .error, title: title?.string,
        detail: detail?.string ?? "The client that was to give the rows could not."),
      fetch: fetch)
  }

  // MARK: Editing

  private func edit(
    _ name: CommandName, _ reader: BodyReader, at pointer: [Bytes] = []
  ) throws(Refusal) -> Edit {
    let action: Edit.Action
    switch name {
    case .insert: action = try insert(reader)
    case .delete: action = .delete(try deletion(reader))
    case .move:
      guard let id = try reader.string("id") else {
        throw reader.refusal("id", "the id of an item was expected")
      }
      try reader.requireOne(of: Self.targets)
      action = .move(id: id, to: try position(reader, index: "to"))
    case .update:
      var updates: [RowUpdate] = []
      guard
        try reader.forEachObject(
          of: "rows", "an array was expected", orElse: .invalidRow,
          { (row) throws(Refusal) in updates.append(try rowUpdate(row)) })
      else { throw reader.refusal("rows", "an array of rows was expected") }
      action = .update(updates)
    default:
      guard let items = try items(reader) else {
        throw reader.refusal("rows", "an array of rows was expected")
      }
      action = .replace(items, hasNext: try reader.bool("hasNext", default: false))
    }
    return Edit(action: action, pointer: pointer)
  }

  private func batch(_ reader: BodyReader) throws(Refusal) -> [Edit] {
    var edits: [Edit] = []
    let areThere = try reader.forEachObject(of: "commands", "an array was expected", orElse: .invalidBody) {
      (entry) throws(Refusal) in
      try entry.allow(Self.edits)
      try entry.requireOne(of: Self.edits)
      for name in Self.edits where entry.has(name) {
        do throws(Refusal) {
          guard let command = CommandName(rawValue: name.description), let body = try entry.object(name)
          else {
            continue
          }
          try body.allow(command.members)
          edits.append(
            try edit(command, body, at: ["commands", Bytes(String(edits.count)), Bytes(name)]))
        } catch {
          throw error.under([Bytes(name)])
        }
      }
    }
    guard areThere else { throw reader.refusal("commands", "an array of commands was expected") }
    return edits
  }

  private func insert(_ reader: BodyReader) throws(Refusal) -> Edit.Action {
    guard let items = try items(reader, makeID: makeID) else {
      throw reader.refusal("rows", "an array of rows was expected")
    }
    try reader.requireOne(of: Self.places, orNone: true)
    return .insert(items, at: try position(reader, index: "at"))
  }

  private func position(_ reader: BodyReader, index name: StaticString) throws(Refusal) -> Position {
    if let index = try reader.integer(name) { return .index(index) }
    if let id = try reader.string("before") { return .before(id) }
    if let id = try reader.string("after") { return .after(id) }
    return .end
  }

  private func deletion(_ reader: BodyReader) throws(Refusal) -> Deletion {
    try reader.requireOne(of: Self.selections)
    let ids = try reader.array("ids") { (value) throws(Refusal) -> Bytes in
      guard let id = value.string else { throw Refusal(.invalidBody, at: JSONPointer(), "an id is a string") }
      return id
    }
    if let ids { return .ids(ids) }
    let indexes = try reader.array("indexes") { (value) throws(Refusal) in try BodyReader.integer(value) }
    if let indexes { return .indexes(indexes) }
    guard try reader.bool("all", default: false) else { throw reader.refusal("all", "true was expected") }
    return .all
  }

  // MARK: Others

  private func selection(_ reader: BodyReader) throws(Refusal) -> Selection {
    try reader.requireOne(of: Self.rowNames)
    if let index = try reader.integer("index") { return .row(index) }
    guard let id = reader.member("id") else { return .nothing }
    if id.kind == .null { return .nothing }
    guard let string = id.string else {
      throw reader.refusal("id", "the id of an item, or null, was expected")
    }
    return .id(string)
  }

  private func transition(_ reader: BodyReader) throws(Refusal) -> Command {
    guard let target = try reader.string("to") else {
      throw reader.refusal("to", "the name of a state was expected")
    }
    return .transition(to: target, data: reader.member("data")?.minified() ?? .null)
  }

  // MARK: Members that exclude each other

  private static let deliveryMembers: [StaticString] = ["rows", "hasNext", "fetch"]
  private static let extents: [StaticString] = ["pages", "through"]
  private static let targets: [StaticString] = ["to", "before", "after"]
  private static let places: [StaticString] = ["at", "before", "after"]
  private static let selections: [StaticString] = ["ids", "indexes", "all"]
  private static let rowNames: [StaticString] = ["id", "index"]
  private static let edits: [StaticString] = ["insert", "delete", "move", "update", "replace"]
}

extension CommandName {
  /// The members that a body may have.
  var members: [StaticString] {
    switch self {
    case .load, .loadMore, .retry: Self.delivery
    case .refresh: Self.refreshing
    case .fail: Self.failing
    case .insert: Self.inserting
    case .delete: Self.deleting
    case .move: Self.moving
    case .update: Self.updating
    case .replace: Self.replacing
    case .batch: Self.batching
    case .select: Self.selecting
    case .transition: Self.entering
    }
  }

  // Made once, not for every body.
  private static let delivery: [StaticString] = ["rows", "hasNext", "fetch"]
  private static let refreshing: [StaticString] = [
    "immediately", "pages", "through", "params", "rows", "hasNext", "fetch",
  ]
  private static let failing: [StaticString] = ["title", "detail", "fetch"]
  private static let inserting: [StaticString] = ["rows", "at", "before", "after"]
  private static let deleting: [StaticString] = ["ids", "indexes", "all"]
  private static let moving: [StaticString] = ["id", "to", "before", "after"]
  private static let updating: [StaticString] = ["rows"]
  private static let replacing: [StaticString] = ["rows", "hasNext"]
  private static let batching: [StaticString] = ["commands"]
  private static let selecting: [StaticString] = ["id", "index"]
  private static let entering: [StaticString] = ["to", "data"]
}

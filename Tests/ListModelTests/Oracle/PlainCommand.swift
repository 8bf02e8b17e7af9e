/// A command's body, read by the words of protocol §7 and §9.
enum PlainCommand {
  struct Delivery {
    var rows: [PlainList.Item]
    var hasNext: Bool
    var fetch: Int?
  }

  enum Position { case index(Int), before(Text), after(Text), end }

  enum Content { case data(PlainJSON), merge(PlainJSON) }

  enum Edit {
    case insert([PlainList.Item], Position)
    case deleteIDs([Text])
    case deleteIndexes([Int])
    case deleteAll
    case move(Text, Position)
    case update([(id: Text, cell: Text?, content: Content)])
    case replace([PlainList.Item], hasNext: Bool)
  }

  case load(Delivery?)
  case refresh(immediately: Bool, PlainList.Extent, params: PlainJSON?, Delivery?)
  case loadMore(Delivery?)
  case retry(Delivery?)
  case fail(title: Text?, detail: Text?, fetch: Int?)
  case edit(Text, Edit)
  case batch([(pointer: String, edit: Edit)])
  case selectID(Text)
  case selectRow(Int)
  case selectNothing
  case transition(Text, PlainJSON)
}

/// Reads bodies.
///
/// `made` are the ids that the server makes, in their order.
struct PlainCommandReader {
  let table: PlainTable
  var made: ArraySlice<Text>

  init(table: PlainTable, made: [Text]) {
    self.table = table
    self.made = made[...]
  }

  mutating func command(_ name: Text, _ body: PlainJSON?) throws(PlainRefusal) -> PlainCommand {
    var body = try PlainBody(body ?? .object([:]), "")
    try body.only(Self.members(of: name))
    return try read(name, &body)
  }

  private static func members(of name: Text) -> [Text] {
    switch name {
    case "load", "load-more", "retry": ["rows", "hasNext", "fetch"]
    case "refresh": ["immediately", "pages", "through", "params", "rows", "hasNext", "fetch"]
    case "fail": ["title", "detail", "fetch"]
    case "insert": ["rows", "at", "before", "after"]
    case "delete": ["ids", "indexes", "all"]
    case "move": ["id", "to", "before", "after"]
    case "update": ["rows"]
    case "replace": ["rows", "hasNext"]
    case "batch": ["commands"]
    case "select": ["id", "index"]
    default: ["to", "data"]
    }
  }

  private mutating func read(_ name: Text, _ body: inout PlainBody) throws(PlainRefusal) -> PlainCommand {
    switch name {
    case "load": return .load(try delivery(&body))
    case "load-more": return .loadMore(try delivery(&body))
    case "retry": return .retry(try delivery(&body))
    case "refresh": return try refresh(&body)
    case "fail":
      return .fail(
        title: try body.string("title"), detail: try body.string("detail"), fetch: try body.integer("fetch"))
    case "batch":
      guard let list = try body.array("commands") else { throw body.fault("commands") }
      var edits: [(String, PlainCommand.Edit)] = []
      for (index, value) in list.enumerated() {
        var entry = try PlainBody(value, "/commands/\(index)")
        try entry.only(["insert", "delete", "move", "update", "replace"])
        let name = try entry.one(of: ["insert", "delete", "move", "update", "replace"])
        guard let name, let value = entry.take(name) else {
          throw PlainRefusal("invalid-body", entry.pointer)
        }
        var inner = try PlainBody(value, "\(entry.pointer)/\(name)")
        try inner.only(Self.members(of: name))
        edits.append((inner.pointer, try edit(name, &inner)))
      }
      return .batch(edits)
    case "select":
      if try body.one(of: ["id", "index"]) == "index" { return .selectRow(try body.integer("index") ?? 0) }
      guard let id = body.take("id"), id != .null else { return .selectNothing }
      guard let text = id.text else { throw body.fault("id") }
      return .selectID(text)
    case "transition":
      guard let state = try body.string("to") else { throw body.fault("to") }
      return .transition(state, body.take("data") ?? .null)
    default: return .edit(name, try edit(name, &body))
    }
  }

  private mutating func delivery(_ body: inout PlainBody) throws(PlainRefusal) -> PlainCommand.Delivery? {
    for name: Text in ["rows", "hasNext", "fetch"] where body.has(name) && !table.isClient {
      throw body.fault(name)
    }
    let isGiven = body.has("hasNext") || body.has("fetch")
    let fetch = try body.integer("fetch")
    let hasNext = try body.bool("hasNext")
    guard let rows = try body.array("rows") else {
      if isGiven { throw body.fault("rows") }
      return nil
    }
    return PlainCommand.Delivery(
      rows: try items(rows, "/rows", needID: true), hasNext: hasNext ?? false, fetch: fetch)
  }

  private mutating func refresh(_ body: inout PlainBody) throws(PlainRefusal) -> PlainCommand {
    let immediately = try body.bool("immediately") ?? false
    _ = try body.one(of: ["pages", "through"], optional: true)
    var extent = PlainList.Extent.first
    if let pages = try body.string("pages") {
      guard pages == "first" || pages == "loaded" else { throw body.fault("pages") }
      if pages == "loaded" { extent = .loaded }
    }
    if let id = try body.string("through") {
      guard PlainBody.isID(id) else { throw body.fault("through") }
      extent = .through(id)
    }
    var params: PlainJSON?
    if let given = body.take("params") {
      var reader = try PlainBody(given, "/params")
      try reader.only(table.params.map(\.name))
      params = .object([:])
      for parameter in table.params {
        guard let value = try reader.string(parameter.name) ?? parameter.fallback else {
          throw reader.fault(parameter.name)
        }
        if let most = parameter.maxLength, value.string.unicodeScalars.count > most {
          throw reader.fault(parameter.name)
        }
        params?.set(parameter.name, .string(value))
      }
    }
    return .refresh(immediately: immediately, extent, params: params, try delivery(&body))
  }

  private mutating func edit(_ name: Text, _ body: inout PlainBody) throws(PlainRefusal) -> PlainCommand.Edit
  {
    switch name {
    case "insert":
      guard let rows = try body.array("rows") else { throw body.fault("rows") }
      let items = try items(rows, "\(body.pointer)/rows", needID: false)
      _ = try body.one(of: ["at", "before", "after"], optional: true)
      return .insert(items, try position(&body, "at"))
    case "delete":
      switch try body.one(of: ["ids", "indexes", "all"]) {
      case "ids":
        let ids = try body.array("ids") ?? []
        var texts: [Text] = []
        for (index, id) in ids.enumerated() {
          guard let text = id.text else { throw PlainRefusal("invalid-body", "\(body.pointer)/ids/\(index)") }
          texts.append(text)
        }
        return .deleteIDs(texts)
      case "indexes":
        var indexes: [Int] = []
        for (index, value) in (try body.array("indexes") ?? []).enumerated() {
          indexes.append(try PlainBody.integer(value, "\(body.pointer)/indexes/\(index)"))
        }
        return .deleteIndexes(indexes)
      default:
        guard try body.bool("all") == true else { throw body.fault("all") }
        return .deleteAll
      }
    case "move":
      guard let id = try body.string("id") else { throw body.fault("id") }
      _ = try body.one(of: ["to", "before", "after"])
      return .move(id, try position(&body, "to"))
    case "update":
      guard let rows = try body.array("rows") else { throw body.fault("rows") }
      return try update(rows, "\(body.pointer)/rows")
    default:
      guard let rows = try body.array("rows") else { throw body.fault("rows") }
      let items = try items(rows, "\(body.pointer)/rows", needID: true)
      return .replace(items, hasNext: try body.bool("hasNext") ?? false)
    }
  }

  private func position(_ body: inout PlainBody, _ name: Text) throws(PlainRefusal) -> PlainCommand.Position {
    if let index = try body.integer(name) { return .index(index) }
    if let id = try body.string("before") { return .before(id) }
    if let id = try body.string("after") { return .after(id) }
    return .end
  }

  private mutating func items(
    _ rows: [PlainJSON], _ pointer: String, needID: Bool
  ) throws(PlainRefusal) -> [PlainList.Item] {
    var items: [PlainList.Item] = []
    for (index, row) in rows.enumerated() {
      var body = try PlainBody(row, "\(pointer)/\(index)", code: "invalid-row")
      try body.only(["id", "cell", "data"])
      let isMade = !needID && !body.has("id")
      let id = isMade ? made.popFirst() ?? "no id was made" : try body.id()
      let cell = try body.cell()
      guard let data = body.take("data") else { throw body.fault("data", "invalid-row") }
      if data.written > table.rowBytes { throw body.fault("data", "invalid-row") }
      let name = cell ?? table.cell(for: data)
      if let fault = table.fault(in: data, cell: name) {
        throw PlainRefusal("invalid-row", "\(body.pointer)/data\(fault)")
      }
      items.append(PlainList.Item(id: id, cell: name, data: data))
    }
    return items
  }

  private func update(_ rows: [PlainJSON], _ pointer: String) throws(PlainRefusal) -> PlainCommand.Edit {
    var updates: [(Text, Text?, PlainCommand.Content)] = []
    for (index, row) in rows.enumerated() {
      var body = try PlainBody(row, "\(pointer)/\(index)", code: "invalid-row")
      try body.only(["id", "cell", "data", "merge"])
      let id = try body.id()
      let cell = try body.cell()
      let data = body.take("data")
      let merge = body.take("merge")
      if data != nil, merge != nil { throw body.fault("merge", "invalid-row") }
      guard let content = data ?? merge else { throw body.fault("data", "invalid-row") }
      if let data, data.written > table.rowBytes { throw body.fault("data", "invalid-row") }
      updates.append((id, cell, merge == nil ? .data(content) : .merge(content)))
    }
    return .update(updates)
  }
}

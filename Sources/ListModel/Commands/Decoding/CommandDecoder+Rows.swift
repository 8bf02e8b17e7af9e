import JSONText

// Rows in the bodies of commands. Refusals point from the row.
extension CommandDecoder {
  /// The rows of a body as items that share one storage; nil where it has no `rows`.
  ///
  /// - Parameter makeID: what gives the id where a row has none; nil: it must have one.
  func items(_ reader: BodyReader, makeID: (() -> Bytes)? = nil) throws(Refusal) -> [Item]? {
    guard let rows = reader.member("rows") else { return nil }
    var storage = ItemStorage(capacity: rows.text.count + 64)
    _ = try reader.forEachObject(of: "rows", "an array of rows was expected", orElse: .invalidRow) {
      (row) throws(Refusal) in
      try add(row, to: &storage, makeID: makeID)
    }
    return storage.items()
  }

  /// Adds a row as a client gives it, with its cell found and its data checked.
  private func add(
    _ reader: BodyReader, to storage: inout ItemStorage, makeID: (() -> Bytes)?
  ) throws(Refusal) {
    try reader.allow(Self.rowMembers)
    let id: Bytes
    if let makeID, !reader.has("id") { id = makeID() } else { id = try self.id(reader) }
    let given = try cell(reader)
    guard let raw = reader.member("data") else {
      throw Refusal(.invalidRow, at: JSONPointer(tokens: ["data"]), "a row has data")
    }
    let data = raw.minified()
    let cell = given ?? rules.look.cell.cell(for: data)
    do throws(Refusal) {
      try context.check(size: data)
      try rules.look.check(data, cell: cell)
    } catch {
      throw error.under(["data"])
    }
    storage.add(id: id, cell: cell, data: data)
  }

  func rowUpdate(_ reader: BodyReader) throws(Refusal) -> RowUpdate {
    try reader.allow(Self.updateMembers)
    let id = try self.id(reader)
    let cell = try self.cell(reader)
    let data = reader.member("data")
    let merge = reader.member("merge")
    switch (data, merge) {
    case (let data?, nil):
      let minified = data.minified()
      do throws(Refusal) {
        try context.check(size: minified)
      } catch {
        throw error.under(["data"])
      }
      return RowUpdate(id: id, content: .data(minified), cell: cell)
    case (nil, let merge?):
      return RowUpdate(id: id, content: .merge(merge.minified()), cell: cell)
    case (nil, nil):
      throw Refusal(.invalidRow, at: JSONPointer(tokens: ["data"]), "data or merge was expected")
    case (_?, _?):
      throw Refusal(.invalidRow, at: JSONPointer(tokens: ["merge"]), "merge goes not together with data")
    }
  }

  private static let rowMembers: [StaticString] = ["id", "cell", "data"]
  private static let updateMembers: [StaticString] = ["id", "cell", "data", "merge"]

  private func id(_ reader: BodyReader) throws(Refusal) -> Bytes {
    func refusal(_ detail: String) -> Refusal {
      Refusal(.invalidRow, at: JSONPointer(tokens: ["id"]), detail)
    }
    guard let value = reader.member("id") else {
      throw refusal("a row has an id here; insert alone makes one")
    }
    guard let id = value.string, Item.isUsableID(id) else {
      throw refusal("an id is a string of 1 to \(Item.maximumIDLength) bytes of UTF-8")
    }
    return id
  }

  private func cell(_ reader: BodyReader) throws(Refusal) -> Bytes? {
    guard let value = reader.member("cell") else { return nil }
    guard let cell = value.string, !cell.isEmpty, cell.count <= Item.maximumCellLength else {
      throw Refusal(
        .invalidRow, at: JSONPointer(tokens: ["cell"]),
        "a cell is a string of 1 to \(Item.maximumCellLength) bytes of UTF-8")
    }
    return cell
  }
}

extension ListContext {
  func check(size data: JSONValue) throws(Refusal) {
    if data.text.count > rowBytes {
      throw Refusal(
        .invalidRow, at: JSONPointer(), "the data has \(data.text.count) bytes; at most \(rowBytes) are taken"
      )
    }
  }
}

extension TableLook {
  func check(_ data: JSONValue, cell: Bytes) throws(Refusal) {
    guard !cells.isEmpty, let violation = cells[cell]?.firstViolation(in: data) else { return }
    throw Refusal(.invalidRow, at: violation.pointer, violation.message)
  }

  /// An item with its new content, or why it may not have it; refusals point from the row in the body.
  func updated(_ item: Item, by update: RowUpdate, _ context: ListContext) throws(Refusal) -> Item {
    let data: JSONValue
    let member: Bytes
    switch update.content {
    case .data(let new): (data, member) = (new, "data")
    case .merge(let patch): (data, member) = (item.data.merging(patch), "merge")
    }
    let cell = update.cell ?? JSONValue(trusted: item.cellText).string ?? "Cell"
    do throws(Refusal) {
      try context.check(size: data)
      try check(data, cell: cell)
    } catch {
      throw error.under([member])
    }
    var storage = ItemStorage(capacity: item.row.count - item.data.text.count + data.text.count)
    storage.add(id: item.id, cell: cell, data: data)
    return storage.items()[0]
  }
}

import JSONText

// Rows in the bodies of commands.
extension CommandDecoder {
  /// A row as a client gives it, with its cell found and its data checked.
  struct GivenRow {
    var id: Bytes
    var cell: Bytes
    var data: JSONValue
  }

  func rows(_ reader: inout BodyReader) throws(Refusal) -> [GivenRow] {
    guard let rows = try reader.takeArray("rows", { (value, pointer) throws(Refusal) in try row(value, pointer) })
    else { throw reader.refusal("rows", "an array of rows was expected") }
    return rows
  }

  /// - Parameter makeID: what gives the id where the row has none; nil: it must have one.
  func row(_ value: JSONValue, _ pointer: JSONPointer, makeID: (() -> Bytes)? = nil) throws(Refusal) -> GivenRow {
    var reader = try BodyReader(value, at: pointer, code: .invalidRow)
    let id: Bytes
    if reader.has("id") || makeID == nil {
      id = try self.id(&reader)
    } else {
      id = makeID?() ?? .empty
    }
    let cell = try self.cell(&reader)
    guard let raw = reader.take("data") else {
      throw Refusal(.invalidRow, at: pointer.appending("data"), "a row has data")
    }
    try reader.finish()
    let data = raw.minified()
    let place = pointer.appending("data")
    try context.check(size: data, at: place)
    let name = cell ?? look.cell.cell(for: data)
    try look.check(data, cell: name, at: place)
    return GivenRow(id: id, cell: name, data: data)
  }

  func rowUpdate(_ value: JSONValue, _ pointer: JSONPointer) throws(Refusal) -> RowUpdate {
    var reader = try BodyReader(value, at: pointer, code: .invalidRow)
    let id = try self.id(&reader)
    let cell = try self.cell(&reader)
    let data = reader.take("data")
    let merge = reader.take("merge")
    try reader.finish()
    switch (data, merge) {
    case (let data?, nil):
      let minified = data.minified()
      try context.check(size: minified, at: pointer.appending("data"))
      return RowUpdate(id: id, content: .data(minified), cell: cell)
    case (nil, let merge?):
      return RowUpdate(id: id, content: .merge(merge.minified()), cell: cell)
    case (nil, nil):
      throw Refusal(.invalidRow, at: pointer.appending("data"), "data or merge was expected")
    case (_?, _?):
      throw Refusal(.invalidRow, at: pointer.appending("merge"), "merge goes not together with data")
    }
  }

  /// The rows as items that share one storage.
  func items(_ rows: [GivenRow]) -> [Item] {
    let size = rows.reduce(0) { $0 + $1.id.count + $1.cell.count + $1.data.text.count + 28 }
    var storage = ItemStorage(capacity: size)
    for row in rows { storage.add(id: row.id, cell: row.cell, data: row.data) }
    return storage.items()
  }

  private func id(_ reader: inout BodyReader) throws(Refusal) -> Bytes {
    guard let id = reader.take("id")?.string, Item.isUsableID(id) else {
      throw Refusal(
        .invalidRow, at: reader.pointer.appending("id"), "an id is a string of 1 to \(Item.maximumIDLength) bytes of UTF-8")
    }
    return id
  }

  private func cell(_ reader: inout BodyReader) throws(Refusal) -> Bytes? {
    guard let value = reader.take("cell") else { return nil }
    guard let cell = value.string, !cell.isEmpty, cell.count <= Item.maximumCellLength else {
      throw Refusal(
        .invalidRow, at: reader.pointer.appending("cell"),
        "a cell is a string of 1 to \(Item.maximumCellLength) bytes of UTF-8")
    }
    return cell
  }
}

extension ListContext {
  func check(size data: JSONValue, at pointer: JSONPointer) throws(Refusal) {
    if data.text.count > rowBytes {
      throw Refusal(.invalidRow, at: pointer, "the data has \(data.text.count) bytes; at most \(rowBytes) are taken")
    }
  }
}

extension TableLook {
  func check(_ data: JSONValue, cell: Bytes, at pointer: JSONPointer) throws(Refusal) {
    guard let violation = cells[cell]?.firstViolation(in: data) else { return }
    throw Refusal(
      .invalidRow, at: JSONPointer(tokens: pointer.tokens + violation.pointer.tokens), violation.message)
  }

  /// An item with its new content, or why it may not have it. `pointer` is that of the row in the body.
  func updated(
    _ item: Item, by update: RowUpdate, _ pointer: JSONPointer, _ context: ListContext
  ) throws(Refusal) -> Item {
    let data: JSONValue
    let place: JSONPointer
    switch update.content {
    case .data(let new):
      data = new
      place = pointer.appending("data")
    case .merge(let patch):
      data = item.data.merging(patch)
      place = pointer.appending("merge")
      try context.check(size: data, at: place)
    }
    let cell = update.cell ?? JSONValue(trusted: item.cellText).string ?? "Cell"
    try check(data, cell: cell, at: place)
    var storage = ItemStorage(capacity: item.row.count - item.data.text.count + data.text.count)
    storage.add(id: item.id, cell: cell, data: data)
    return storage.items()[0]
  }
}

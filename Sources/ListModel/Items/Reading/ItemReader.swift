import JSONText

/// Makes items of the raw items of an upstream: finds the id, chooses the cell, projects the data, checks it.
///
/// One reader serves one page of any source: it knows the table's rules and nothing of where the page came from.
public struct ItemReader: Sendable {
  /// Where an item's id is, within the item.
  public let id: JSONPointer
  /// The cell rule, projections and requirements that apply.
  public let look: TableLook
  /// The most bytes of an item's minified data.
  public let rowBytes: Int

  /// A reader with these rules.
  ///
  /// Cell names in `look` are at most `Item.maximumCellLength` bytes long, which the configuration sees to.
  public init(id: JSONPointer, look: TableLook, rowBytes: Int) {
    self.id = id
    self.look = look
    self.rowBytes = rowBytes
  }

  /// Reads one raw item.
  ///
  /// - Throws: why the item is to be left out. The first reason that applies counts, in the order of `LeftOutReason`.
  public func read(_ raw: JSONValue) throws(LeftOutReason) -> (id: Bytes, cell: Bytes, data: JSONValue) {
    guard let id = raw.value(at: id).flatMap(Item.id(from:)) else { throw .noUsableID }
    let cell = look.cell.cell(for: raw)
    let definition = look.cells[cell] ?? CellDefinition()
    guard let data = definition.data(from: raw, limit: rowBytes) else { throw .tooLarge }
    guard definition.firstViolation(in: data) == nil else { throw .offRequired }
    return (id, cell, data)
  }
}

/// Why an upstream item does not become a row (configuration.md, `cells`).
public enum LeftOutReason: Error, Sendable, CaseIterable {
  /// There is no string of 1–256 bytes and no integer where the id should be.
  case noUsableID
  /// The minified data is over `rowBytes`.
  case tooLarge
  /// The data is off its cell's `required`.
  case offRequired
}

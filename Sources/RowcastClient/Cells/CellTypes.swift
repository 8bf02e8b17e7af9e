import JSONText

/// What each cell's data is to an app, by the cell's name.
///
///     var types = CellTypes<Entry>()
///     types.register("UserCell") { data throws(CellFault) in .user(name: try data.string("name")) }
///     types.register("ImageCell") { data throws(CellFault) in .image(path: try data.string("image")) }
///     let entry = try types.content(of: row) ?? .unknown
///
/// `Content` is mostly an enumeration of the kinds that the app draws.
public struct CellTypes<Content> {
  /// Makes content of a row's data.
  public typealias Reader = (CellData) throws(CellFault) -> Content

  private var readers: [Bytes: Reader] = [:]

  /// No cell is known yet.
  public init() {}

  /// Says how the data of a cell is read; the last word on a name counts.
  public mutating func register(_ cell: Bytes, _ reader: @escaping Reader) {
    readers[cell] = reader
  }

  /// The content of a row; nil where nobody registered its cell.
  ///
  /// O(data), and what the reader does.
  public func content(of row: FollowedRow) throws(CellFault) -> Content? {
    guard let reader = readers[row.cell] else { return nil }
    return try reader(CellData(row.data))
  }
}

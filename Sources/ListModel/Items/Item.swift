import JSONText

/// A row of data, kept as the bytes that clients get: `{"id":"a1","cell":"ArticleCell","data":{…}}`.
///
/// Items that arrived together share one storage (`ItemStorage`); an item itself is 32 bytes.
public struct Item: Sendable {
  /// The whole row as it is sent.
  public let row: Bytes
  /// A hash of the id, seeded once a process: what tables of ids and quick comparisons go by.
  let idHash: UInt32
  private let idStart: UInt32
  private let dataOffset: UInt32
  private let idLength: UInt16
  private let cellOffset: UInt16

  init(row: Bytes, idStart: Int, idLength: Int, cellOffset: Int, dataOffset: Int) {
    self.row = row
    self.idStart = UInt32(idStart)
    self.idLength = UInt16(idLength)
    self.cellOffset = UInt16(cellOffset)
    self.dataOffset = UInt32(dataOffset)
    idHash = Item.hash(Bytes(sharing: row.storage, in: idStart..<(idStart + idLength)))
  }

  /// The item of a row that `ItemStorage` has written, in the storage that it stands in.
  ///
  /// Nil where it has not, or with escapes in the id, which stands beside the row then. O(length of the id and the cell's
  /// name).
  init?(written row: Bytes) {
    let idStart = Self.idKeyLength + 1
    guard row.count > idStart, row[0..<idStart].equals("{\"id\":\""),
      let idEnd = row.endOfPlainString(from: idStart),
      (1...Self.maximumIDLength).contains(idEnd - idStart),
      row[idEnd..<row.count].starts(with: "\",\"cell\":\"")
    else { return nil }
    let cellOffset = idEnd + 1 + Self.cellKeyLength
    guard let cellEnd = row.endOfPlainString(from: cellOffset + 1),
      cellEnd - cellOffset <= Self.maximumCellLength,
      row[(cellEnd + 1)..<row.count].starts(with: ",\"data\":"), row[row.count - 1] == UInt8(ascii: "}")
    else { return nil }
    let start = row.storageRange.lowerBound
    self.init(
      row: row, idStart: start + idStart, idLength: idEnd - idStart, cellOffset: cellOffset,
      dataOffset: cellEnd + 1 + Self.dataKeyLength)
  }

  /// The seeded hash of an id; O(length).
  static func hash(_ id: Bytes) -> UInt32 {
    var hasher = Hasher()
    id.hash(into: &hasher)
    return UInt32(truncatingIfNeeded: hasher.finalize())
  }

  /// Whether the item has this id, of which `hash` is the hash; O(1) where it has not, nearly always.
  func hasID(_ id: Bytes, hash: UInt32) -> Bool { idHash == hash && self.id == id }

  /// The id, 1–256 bytes of UTF-8, compared byte by byte.
  public var id: Bytes { Bytes(sharing: row.storage, in: Int(idStart)..<(Int(idStart) + Int(idLength))) }

  /// The cell as it stands in the row: a JSON string with its quotes.
  public var cellText: Bytes { row[Int(cellOffset)..<(Int(dataOffset) - Self.dataKeyLength)] }

  /// The data, minified.
  public var data: JSONValue { JSONValue(trusted: row[Int(dataOffset)..<(row.count - 1)]) }

  /// Whether the row holds an id, a cell and data, and nothing else; O(size of the row).
  public var isWhole: Bool { JSONValue(trusted: row).members.map(\.name) == ["id", "cell", "data"] }

  /// Whether a client would draw both alike: same cell, equal data (protocol §2); O(size of the rows).
  public func hasSameContent(as other: Item) -> Bool {
    if row == other.row { return true }
    return cellText == other.cellText && data.isEqual(to: other.data)
  }

  /// The same item with the data's text of `held`, where both have equal data: the old text stays (protocol §2).
  ///
  /// O(size of the rows).
  func keepingData(of held: Item) -> Item {
    if data.text == held.data.text || !data.isEqual(to: held.data) { return self }
    guard let cell = JSONValue(trusted: cellText).string else { return self }
    var storage = ItemStorage(capacity: row.count)
    storage.add(id: id, cell: cell, data: held.data)
    return storage.items()[0]
  }

  /// The most bytes of an id.
  public static let maximumIDLength = 256
  /// The most bytes of a cell's name.
  public static let maximumCellLength = 256
  private static let idKeyLength = 6  // {"id":
  private static let cellKeyLength = 8  // ,"cell":
  static let dataKeyLength = 8  // ,"data":
}

extension Bytes {
  /// Where a JSON string ends whose contents begin at `start`, at its quote; nil where it has escapes.
  fileprivate func endOfPlainString(from start: Int) -> Int? {
    withUnsafeBytes { bytes in
      bytes[start...].firstIndex { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }
        .flatMap { bytes[$0] == UInt8(ascii: "\"") ? $0 : nil }
    }
  }

  /// Whether the first of these bytes are those of a literal.
  func starts(with literal: StaticString) -> Bool {
    count >= literal.utf8CodeUnitCount && self[0..<literal.utf8CodeUnitCount].equals(literal)
  }
}

/// Builds items into one shared storage, exactly as large as they are.
public struct ItemStorage: ~Copyable {
  private struct Place {
    var row: Range<Int>
    var id: Range<Int>
    var cellOffset: Int
    var dataOffset: Int
  }

  private var bytes: TextBuffer
  private var places: [Place] = []

  /// An empty storage with room for `capacity` bytes of rows.
  public init(capacity: Int = 0) {
    bytes = TextBuffer(capacity: capacity)
  }

  /// Adds a row.
  ///
  /// `id` and `cell` are unescaped and within their maximum lengths, `data` is minified.
  public mutating func add(id: Bytes, cell: Bytes, data: JSONValue) {
    precondition(!id.isEmpty && id.count <= Item.maximumIDLength && cell.count <= Item.maximumCellLength)
    let start = bytes.count
    bytes.append(literal: "{\"id\":")
    let idStart = bytes.count
    bytes.append(jsonString: id)
    let isPlain = bytes.count - idStart == id.count + 2
    bytes.append(literal: ",\"cell\":")
    let cellOffset = bytes.count - start
    bytes.append(jsonString: cell)
    bytes.append(literal: ",\"data\":")
    let dataOffset = bytes.count - start
    bytes.append(data.text)
    bytes.append(UInt8(ascii: "}"))
    let row = start..<bytes.count
    var idRange = (idStart + 1)..<(idStart + 1 + id.count)
    if !isPlain {
      idRange = bytes.count..<(bytes.count + id.count)
      bytes.append(id)
    }
    places.append(Place(row: row, id: idRange, cellOffset: cellOffset, dataOffset: dataOffset))
  }

  /// The items, in the order in which they were added.
  public consuming func items() -> [Item] {
    let places = places
    let storage = bytes.array()
    return places.map { place in
      Item(
        row: Bytes(sharing: storage, in: place.row), idStart: place.id.lowerBound, idLength: place.id.count,
        cellOffset: place.cellOffset, dataOffset: place.dataOffset)
    }
  }
}

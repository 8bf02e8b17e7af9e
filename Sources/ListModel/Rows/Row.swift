import JSONText
import ListDiff

/// What a client renders in one place: an item or a status row.
public enum Row: Sendable {
  case item(Item)
  case status(StatusRow)

  /// The row as it is sent.
  public var text: Bytes {
    switch self {
    case .item(let item): item.row
    case .status(let row): row.text
    }
  }
}

/// Which row a row is, whatever its content.
public enum RowID: Hashable, Sendable {
  case item(ItemID)
  case status(StatusRow.Identity)
}

/// An item's id with its hash at hand.
public struct ItemID: Hashable, Sendable {
  let id: Bytes
  let precomputed: UInt32

  init(_ item: Item) {
    id = item.id
    precomputed = item.idHash
  }

  /// Byte by byte.
  public static func == (a: ItemID, b: ItemID) -> Bool { a.precomputed == b.precomputed && a.id == b.id }

  /// O(1): the seeded hash that the item carries.
  public func hash(into hasher: inout Hasher) { hasher.combine(precomputed) }
}

/// The items of a list as rows, without an array of them.
struct ItemRows: RandomAccessCollection {
  private let list: ItemList

  init(_ list: ItemList) { self.list = list }

  var startIndex: Int { 0 }
  var endIndex: Int { list.count }

  /// O(√n).
  subscript(index: Int) -> Row { .item(list[index]) }
}

extension Item: ListElement {
  /// The item's id.
  public var listID: ItemID { ItemID(self) }

  /// Whether both have the same id, told without making ids; O(1) where they have not, nearly always.
  public func hasSameID(as other: Item) -> Bool { idHash == other.idHash && id == other.id }
}

extension Row: ListElement {
  /// The item's id, or which status row it is.
  public var listID: RowID {
    switch self {
    case .item(let item): .item(item.listID)
    case .status(let row): .status(row.identity)
    }
  }

  /// Whether both are the same row, told without making ids.
  public func hasSameID(as other: Row) -> Bool {
    switch (self, other) {
    case (.item(let a), .item(let b)): a.hasSameID(as: b)
    case (.status(let a), .status(let b)): a.identity == b.identity
    default: false
    }
  }

  /// Whether a client would draw both alike; O(size of the rows).
  public func hasSameContent(as other: Row) -> Bool {
    switch (self, other) {
    case (.item(let a), .item(let b)): a.hasSameContent(as: b)
    case (.status(let a), .status(let b)): a.text == b.text
    default: false
    }
  }
}

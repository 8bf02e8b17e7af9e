import JSONText

/// A row as the server gave it: an item, or a status row (protocol §2).
public struct FollowedRow: Sendable {
  /// What a row is.
  public enum Kind: Sendable, Hashable {
    /// Data, under an id that is its own in the list.
    case item(id: Bytes)
    /// No data: a placeholder's kind, or the state that brought the row.
    case status(Bytes)
  }

  /// The whole row, byte for byte.
  public let json: JSONValue
  /// What it is.
  public let kind: Kind
  /// The name that tells which view draws it.
  public let cell: Bytes
  /// Its content.
  public let data: JSONValue
  /// Whether there is something to draw; items always are.
  public let isVisible: Bool

  /// Reads a row.
  public init(_ json: JSONValue) throws(FollowingFault) {
    var id: JSONValue?
    var placeholder: JSONValue?
    var cell: JSONValue?
    var data: JSONValue?
    var isVisible = true
    json.forEachMember { name, value in
      switch name.string {
      case "id": id = value
      case "placeholder": placeholder = value
      case "cell": cell = value
      case "data": data = value
      case "visible": isVisible = value.bool ?? true
      default: break
      }
    }
    if let id = id?.string {
      kind = .item(id: id)
    } else if let placeholder = placeholder?.string {
      kind = .status(placeholder)
    } else {
      throw FollowingFault("a row is neither an item nor a status row")
    }
    guard let cell = cell?.string, let data else { throw FollowingFault("a row has no cell or no data") }
    self.json = json
    self.cell = cell
    self.data = data
    self.isVisible = isVisible
  }

  /// The id of an item; nil for a status row.
  public var id: Bytes? {
    if case .item(let id) = kind { id } else { nil }
  }
}

/// What the server sent does not fit what it sent before, or the protocol.
///
/// Whoever follows a list starts over from a snapshot.
public struct FollowingFault: Error, Equatable, Sendable {
  /// What is wrong, in one clause.
  public let message: String

  init(_ message: String) { self.message = message }
}

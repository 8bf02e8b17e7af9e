import JSONText

/// What a snapshot and a change both say of the list as a whole (protocol §6, §7).
public struct ListHeader: Sendable {
  /// The revision.
  public var revision: Int
  /// The state's name.
  public var state: Bytes
  /// `load`, `refresh` or `load-more` while that fetch is in flight, else nil.
  public var loading: Bytes?
  /// Whether the source has more.
  public var hasNext: Bool
  /// The problem that the last fetch ended in, else nil.
  public var error: JSONValue?
  /// The id of the selected item, else nil.
  public var selected: Bytes?
  /// The number of items held, shown or not.
  public var itemCount: Int
  /// The number of rows.
  public var rowCount: Int
}

/// The members of a snapshot or a change, found in one pass over its text.
struct ListMembers {
  private(set) var session: JSONValue?
  private(set) var table: JSONValue?
  private(set) var params: JSONValue?
  private(set) var rows: JSONValue?
  private(set) var cause: JSONValue?
  private(set) var tag: JSONValue?
  private(set) var ops: JSONValue?
  private var revision, state, loading, hasNext, error, selected, itemCount, rowCount: JSONValue?

  init(_ json: JSONValue) {
    json.forEachMember { name, value in
      switch name.string {
      case "session": session = value
      case "table": table = value
      case "params": params = value
      case "rows": rows = value
      case "cause": cause = value
      case "tag": tag = value
      case "ops": ops = value
      case "revision": revision = value
      case "state": state = value
      case "loading": loading = value
      case "hasNext": hasNext = value
      case "error": error = value
      case "selected": selected = value
      case "itemCount": itemCount = value
      case "rowCount": rowCount = value
      default: break  // a newer server may say more
      }
    }
  }

  func header() throws(FollowingFault) -> ListHeader {
    guard let revision = revision?.integer, let state = state?.string, let hasNext = hasNext?.bool,
      let itemCount = itemCount?.integer, let rowCount = rowCount?.integer
    else {
      throw FollowingFault("a snapshot or change lacks a member that says how the list stands")
    }
    return ListHeader(
      revision: revision, state: state, loading: loading?.string, hasNext: hasNext,
      error: error.flatMap { $0.kind == .null ? nil : $0 }, selected: selected?.string,
      itemCount: itemCount, rowCount: rowCount)
  }
}

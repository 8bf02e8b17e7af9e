import JSONText
import ListDiff

/// A session's list as a client holds it: begun from a snapshot, kept up by changes.
public struct FollowedList: Sendable {
  /// The session's id.
  public let session: Bytes
  /// The table's name.
  public let table: Bytes
  /// The session's parameters, an object.
  public private(set) var params: JSONValue
  /// How the list stands as a whole.
  public private(set) var header: ListHeader
  /// All rows, in the order in which they are drawn.
  public private(set) var rows: [FollowedRow]

  /// Reads a full snapshot (protocol §6); O(text).
  public init(snapshot json: JSONValue) throws(FollowingFault) {
    let members = ListMembers(json)
    header = try members.header()
    guard let session = members.session?.string, let table = members.table?.string,
      let rows = members.rows, rows.kind == .array
    else { throw FollowingFault("a snapshot has no session, table or rows") }
    self.session = session
    self.table = table
    params = members.params ?? .emptyObject
    self.rows = []
    self.rows.reserveCapacity(max(0, min(header.rowCount, rows.text.count)))
    try rows.forEachElement { (_, row) throws(FollowingFault) in self.rows.append(try FollowedRow(row)) }
    guard self.rows.count == header.rowCount else {
      throw FollowingFault("a snapshot has \(self.rows.count) rows and says \(header.rowCount)")
    }
  }

  /// Takes the next change in; O(n) at most, O(k) where its k ops are few or only updates.
  ///
  /// - Returns: false for a change that is in the list already, which then stays as it is.
  /// - Throws: where it is not the next one or its ops do not fit; the list stays as it was.
  public mutating func apply(_ change: FollowedChange) throws(FollowingFault) -> Bool {
    let next = change.header.revision
    guard next > header.revision else { return false }
    guard next - 1 == header.revision else {
      throw FollowingFault("after revision \(header.revision) came \(next)")
    }
    guard rows.count + change.batch.rowCountDifference == change.header.rowCount else {
      throw FollowingFault("change \(next) does not come to the number of rows that it says")
    }
    do throws(BatchError) {
      try change.batch.apply(to: &rows)
    } catch {
      throw FollowingFault("change \(next) does not fit: \(error)")
    }
    header = change.header
    if let params = change.params { self.params = params }
    return true
  }
}

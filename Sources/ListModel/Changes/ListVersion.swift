import JSONText

/// A list at one revision: what a GET reads.
///
/// Cheap to keep: it shares everything with the list it was taken from.
public struct ListVersion: Sendable {
  /// The revision.
  public let revision: Int
  let sight: ListState.Sight
  /// All items, shown or not.
  public let items: ItemList

  private var header: ListHeader { sight.header }
  /// Whether the rows begin with the items.
  public var showsItems: Bool { sight.showsItems }
  /// The status rows, behind the items.
  public var statusRows: [StatusRow] { sight.statusRows }

  /// The number of items held.
  public var itemCount: Int { header.itemCount }
  /// The number of rows shown.
  public var rowCount: Int { header.rowCount }
  /// The state's name.
  public var state: Bytes { header.state }
  /// The session's parameters as a JSON object.
  public var params: Bytes { header.params }
  /// Whether a fetch is in flight.
  public var isLoading: Bool { header.loading != nil }

  /// The text of the row at `index` among `rows`, counted from 0; nil past the end; O(√n).
  public func row(at index: Int) -> Bytes? {
    guard index >= 0, index < rowCount else { return nil }
    if showsItems {
      return index < items.count ? items[index].row : statusRows[index - items.count].text
    }
    return statusRows[index].text
  }

  /// The index of the item with this id among the items held; nil where there is none; O(n).
  public func index(ofItem id: Bytes) -> Int? {
    let hash = Item.hash(id)
    return items.firstIndex { $0.hasID(id, hash: hash) }
  }

  /// Appends the snapshot document (protocol §6) with the rows from `offset`, at most `limit` of them; O(√n +
  /// rows).
  ///
  /// - Parameter identity: the members `"session":…,"table":…`, with a comma behind.
  public func appendSnapshot(
    identity: Bytes, offset: Int = 0, limit: Int? = nil, to text: inout TextBuffer
  ) {
    text.append(UInt8(ascii: "{"))
    text.append(identity)
    text.append(literal: "\"params\":")
    text.append(header.params)
    text.append(literal: ",\"revision\":")
    text.append(decimal: revision)
    text.append(UInt8(ascii: ","))
    header.appendProgress(to: &text)
    text.append(literal: ",\"itemCount\":")
    text.append(decimal: header.itemCount)
    text.append(literal: ",\"rowCount\":")
    text.append(decimal: header.rowCount)
    text.append(literal: ",\"selected\":")
    header.appendSelected(to: &text)
    text.append(literal: ",\"offset\":")
    text.append(decimal: offset)
    text.append(literal: ",\"rows\":[")
    let start = min(offset, rowCount)
    appendRows(start..<(start + min(limit ?? rowCount, rowCount - start)), to: &text)
    text.append(literal: "]}")
  }

  private func appendRows(_ range: Range<Int>, to text: inout TextBuffer) {
    let shown = showsItems ? items.count : 0
    var isFirst = true
    if range.lowerBound < shown {
      items.forEach(in: range.lowerBound..<min(range.upperBound, shown)) { item in
        if isFirst { isFirst = false } else { text.append(UInt8(ascii: ",")) }
        text.append(item.row)
      }
    }
    for index in max(range.lowerBound, shown)..<max(range.upperBound, shown) {
      if isFirst { isFirst = false } else { text.append(UInt8(ascii: ",")) }
      text.append(statusRows[index - shown].text)
    }
  }
}

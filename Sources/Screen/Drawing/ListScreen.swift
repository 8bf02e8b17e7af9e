import JSONText
import RowcastClient

/// The picture of a list: a line about the list as a whole, then a line for each row.
///
/// A pure function of the list, the connection and the window's size; whoever has a terminal puts it there.
public struct ListScreen: Sendable {
  /// The list; nil before there is one.
  public var list: FollowedList?
  /// How its follower stands; nil where nobody follows it.
  public var connection: ConnectionState?

  /// The widest that a row's label or cell may make its column in a window.
  private static let widestColumn = 20

  /// A picture of a list.
  public init(_ list: FollowedList?, connection: ConnectionState? = nil) {
    self.list = list
    self.connection = connection
  }

  /// The lines, none wider than `columns` and not more than `height` of them.
  ///
  /// Where there are more rows than that, the first and the last are drawn, two to one, and a line between them says
  /// how many are not. O(n) to count the visible rows, and O(height) to draw them.
  public func lines(columns: Int = .max, height: Int = .max) -> [StyledLine] {
    var lines = [header(columns)]
    if let error = errorLine(columns) { lines.append(error) }
    if let list {
      lines += rows(list.rows, columns, height: max(0, height - lines.count))
    }
    return Array(lines.prefix(max(0, height)))
  }

  // MARK: The list as a whole

  private func header(_ columns: Int) -> StyledLine {
    var right = StyledLine(limit: columns)
    appendConnection(to: &right)
    // What is left for the list beside the connection, which matters more and so is never cut for it.
    let room = connection == nil ? columns : columns - right.columns - 2
    var line = StyledLine(limit: max(0, room))
    appendList(to: &line)
    guard connection != nil else { return line }
    var whole = StyledLine(limit: columns)
    whole.append(line)
    if line.columns > 0 { columns == .max ? whole.append("  ") : whole.pad(to: columns - right.columns) }
    whole.append(right)
    return whole
  }

  private func appendList(to line: inout StyledLine) {
    guard let list else {
      line.append("no list yet", .dim)
      return
    }
    let header = list.header
    line.append(list.table.string, .strong)
    line.append("  ")
    line.append(
      header.state.string, header.state == "error" ? .bad : header.state == "populated" ? .plain : .caution)
    if let loading = header.loading {
      line.append("  ")
      line.append(Self.name(ofFetch: loading), .accent)
    }
    line.append("  \(header.items)\(header.hasNext ? ", more to come" : "")")
    line.append("  revision \(header.revision)", .dim)
    line.append("  session \(list.session.string)", .dim)
  }

  private func appendConnection(to line: inout StyledLine) {
    switch connection {
    case nil: break
    case .connecting: line.append("connecting", .caution)
    case .live: line.append("live", .good)
    case .waiting(let reason, let seconds):
      line.append("\(reason); again in \(Int(seconds.rounded(.up))) s", .bad)
    }
  }

  private static func name(ofFetch fetch: Bytes) -> String {
    switch fetch.string {
    case "load": "loading"
    case "load-more": "loading more"
    case "refresh": "refreshing"
    default: fetch.string
    }
  }

  private func errorLine(_ columns: Int) -> StyledLine? {
    guard let error = list?.header.error else { return nil }
    let words = ["title", "detail"].compactMap { error.member($0)?.string?.string }
    var line = StyledLine(limit: columns)
    line.append("! \(words.isEmpty ? error.text.string : words.joined(separator: ": "))", .bad)
    return line
  }

  // MARK: Rows

  private func rows(_ rows: [FollowedRow], _ columns: Int, height: Int) -> [StyledLine] {
    // By index, as a loop over the rows would retain and release each.
    let count = rows.indices.reduce(0) { rows[$1].isVisible ? $0 + 1 : $0 }
    guard count > height else { return draw(visible(rows, rows.indices, atMost: count), columns) }
    guard height > 0 else { return [] }
    let shown = height - 1
    let bottom = shown >= 2 ? max(1, shown / 3) : 0
    let top = shown - bottom
    let first = visible(rows, rows.indices, atMost: top)
    let last = visible(rows, rows.indices.reversed(), atMost: bottom).reversed()
    let drawn = draw(first + last, columns)
    var gap = StyledLine(limit: columns)
    gap.append("  … \(count - shown) more rows, \(top + 1) to \(count - bottom) of \(count)", .dim)
    return drawn.prefix(top) + [gap] + drawn.suffix(bottom)
  }

  /// The first visible rows in the order of `indices`.
  private func visible(
    _ rows: [FollowedRow], _ indices: some Sequence<Int>, atMost count: Int
  ) -> [FollowedRow] {
    Array(indices.lazy.filter { rows[$0].isVisible }.prefix(count).map { rows[$0] })
  }

  /// A line for each row; labels and cells stand in columns as wide as the items among them need.
  private func draw(_ rows: [FollowedRow], _ columns: Int) -> [StyledLine] {
    let texts = rows.map(RowText.init)
    let widest = columns == .max ? .max : Self.widestColumn
    let widths = texts.filter(\.isItem).map { $0.columns(atMost: widest) }
    let labelColumns = widths.map(\.label).max() ?? 0
    let cellColumns = widths.map(\.cell).max() ?? 0
    return zip(rows, texts).map { row, text in
      let isSelected = row.id != nil && row.id == list?.header.selected
      var line = StyledLine(limit: columns)
      line.append(isSelected ? "> " : "  ", .accent)
      text.append(to: &line, labelColumns: labelColumns, cellColumns: cellColumns)
      return line
    }
  }
}

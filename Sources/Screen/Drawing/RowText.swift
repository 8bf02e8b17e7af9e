import JSONText
import RowcastClient

/// What a row says on one line, whatever its cell: id, cell, a member that can serve as its title, the other members.
struct RowText {
  /// What stands in the first column.
  let label: String
  /// The cell's name.
  let cell: String
  /// Whether it is data.
  let isItem: Bool
  private let style: Style
  private let data: JSONValue

  /// Members that can serve as a title, the best first.
  private static let titles: [Bytes] = [
    "title", "name", "text", "message", "label", "subject", "headline", "summary", "body", "description",
  ]

  init(_ row: FollowedRow) {
    cell = row.cell.string
    data = row.data
    switch row.kind {
    case .item(let id):
      label = id.string
      isItem = true
      style = .plain
    case .status(let kind):
      label = "[\(kind.string)]"
      isItem = false
      style =
        switch kind.string {
        case "error", "retry": .bad
        case "loading", "loading-more": .accent
        default: .caution
        }
    }
  }

  /// The columns of the label and of the cell's name, neither more than `most`.
  func columns(atMost most: Int) -> (label: Int, cell: Int) {
    var lines = (StyledLine(limit: most), StyledLine(limit: most))
    lines.0.append(label)
    lines.1.append(cell)
    return (lines.0.columns, lines.1.columns)
  }

  /// Appends the row to a line, its label and cell in columns of these widths.
  ///
  /// Those of a status row share both columns, for its kind comes and goes and no item shall be shifted by that.
  func append(to line: inout StyledLine, labelColumns: Int, cellColumns: Int) {
    if isItem {
      append(label, in: labelColumns, .strong, to: &line)
      append(cell, in: cellColumns, .dim, to: &line)
    } else {
      let start = line.columns
      line.append(label, style)
      line.append("  ")
      line.append(cell, .dim)
      line.append("  ")
      let title = start + labelColumns + cellColumns + 4
      if line.columns < title { line.pad(to: title) }
    }
    appendData(to: &line)
  }

  private func append(_ text: String, in columns: Int, _ style: Style, to line: inout StyledLine) {
    var cell = StyledLine(limit: columns)
    cell.append(text)
    let start = line.columns
    line.append(cell.plain, style)
    line.pad(to: start + columns + 2)
  }

  private func appendData(to line: inout StyledLine) {
    let members = data.members
    let title = Self.titles.lazy
      .compactMap { name in members.firstIndex { $0.name == name && Self.isTitle($0.value) } }.first
    if let title { line.append(Self.text(of: members[title].value), style) }
    if members.isEmpty, data.kind != .object { line.append(Self.text(of: data), style) }
    var isFirst = title == nil
    for (index, member) in members.enumerated() where index != title && member.value.kind != .null {
      guard !line.isFull else { return }
      line.append(isFirst ? "" : "  ")
      line.append("\(member.name.string): \(Self.text(of: member.value))", .dim)
      isFirst = false
    }
  }

  private static func isTitle(_ value: JSONValue) -> Bool {
    value.kind == .number || value.string?.isEmpty == false
  }

  private static func text(of value: JSONValue) -> String {
    value.string?.string ?? value.text.string
  }
}

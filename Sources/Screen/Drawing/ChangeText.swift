import JSONText
import RowcastClient

extension FollowedChange {
  /// The change as lines for people: one for the whole, then one for each op.
  ///
  /// `-` a delete, `>` a move, `+` an insert, `~` an update, with the indexes of protocol §4: those before a `→` count
  /// in the rows before the change, those after it in the rows after.
  public var lines: [StyledLine] {
    var head = StyledLine()
    head.append("revision \(header.revision)  \(cause.string)", .strong)
    head.append("  \(header.state.string)")
    if let loading = header.loading { head.append(" (\(loading.string))") }
    head.append("  \(header.items)  \(header.rowCount == 1 ? "1 row" : "\(header.rowCount) rows")")
    if let selected = header.selected { head.append("  selected \(selected.string)") }
    var lines = [head]
    lines += batch.deletes.map { Self.line("- \($0)", nil) }
    lines += batch.moves.map { Self.line("> \($0.from) → \($0.to)", nil) }
    lines += batch.inserts.map { Self.line("+ \($0.to)", $0.element) }
    lines += batch.updates.map { Self.line("~ \($0.from) → \($0.to)", $0.element) }
    return lines
  }

  private static func line(_ op: String, _ row: FollowedRow?) -> StyledLine {
    var line = StyledLine()
    line.append("  \(op)")
    if let row {
      line.append("  ")
      let text = RowText(row)
      let widths = text.columns(atMost: .max)
      text.append(to: &line, labelColumns: widths.label, cellColumns: widths.cell)
    }
    return line
  }
}

extension ListHeader {
  /// `1 item`, `40 items`.
  var items: String { itemCount == 1 ? "1 item" : "\(itemCount) items" }
}

/// What a terminal shows, so that a new picture is drawn by writing only the lines that differ.
///
/// Lines are placed one by one and never wrap: where a terminal measures a character otherwise than we do, the line
/// alone is off, not the picture.
public struct Frame: Sendable {
  /// Goes to the alternate screen, hides the cursor, turns wrapping off, clears.
  public static let enter = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"
  /// Undoes `enter`; harmless where that never happened.
  public static let leave = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  private var shown: [String] = []
  private var isClear = true

  /// A terminal that was just cleared.
  public init() {}

  /// Nothing is known of the screen any more, after a resize for one: the next picture is drawn whole.
  public mutating func forget() {
    shown = []
    isClear = false
  }

  /// What to write to bring the screen from the last picture to this one; empty where they are the same.
  public mutating func update(to lines: [StyledLine], isColored: Bool) -> String {
    let new = lines.map { isColored ? $0.styled : $0.plain }
    var output = isClear ? "" : "\u{1B}[2J"
    isClear = true
    for row in 0..<max(new.count, shown.count) {
      let line = row < new.count ? new[row] : ""
      guard row >= shown.count || line != shown[row] else { continue }
      // Erased first: after a line of the full width the cursor stands on its last character.
      output += "\u{1B}[\(row + 1);1H\u{1B}[K\(line)"
    }
    shown = new
    return output
  }
}

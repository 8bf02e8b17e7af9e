/// How a piece of a line looks.
public enum Style: Sendable, Hashable {
  case plain, strong, dim, good, caution, bad, accent

  /// The parameter of SGR (ECMA-48 §8.3.117) that turns it on; nil where there is nothing to turn on.
  var parameter: String? {
    switch self {
    case .plain: nil
    case .strong: "1"
    case .dim: "2"
    case .good: "32"
    case .caution: "33"
    case .bad: "31"
    case .accent: "36"
    }
  }
}

/// One line of a terminal: text that has been made harmless, never wider than its window.
///
/// Everything that is ever drawn goes through `append`, and that is where it is cleaned; see `VisibleCharacter`.
public struct StyledLine: Sendable {
  private struct Piece {
    var text: String
    var style: Style
    /// The columns of each character of the text.
    var columns: [Int]
  }

  /// The columns taken.
  public private(set) var columns = 0

  private let limit: Int
  private var pieces: [Piece] = []
  private var isCut = false

  /// An empty line of at most `limit` columns.
  public init(limit: Int = .max) {
    self.limit = limit
  }

  /// Whether there is no room for more, so that further text need not be made.
  public var isFull: Bool { isCut || limit <= 0 }

  /// Appends text; what does not fit is cut off, and `…` stands at the end; O(what fits).
  public mutating func append(_ text: some StringProtocol, _ style: Style = .plain) {
    guard !isFull else { return }
    var piece = Piece(text: "", style: style, columns: [])
    for character in text {
      guard let visible = VisibleCharacter(character) else { continue }
      guard columns + visible.columns <= limit else {
        pieces.append(piece)
        cut(style)
        return
      }
      piece.text += visible.text
      piece.columns.append(visible.columns)
      columns += visible.columns
    }
    if !piece.columns.isEmpty { pieces.append(piece) }
  }

  /// Appends another line, its styles and all.
  public mutating func append(_ line: StyledLine) {
    for piece in line.pieces { append(piece.text, piece.style) }
  }

  /// Appends spaces up to a column, or one where that is passed already.
  public mutating func pad(to column: Int) {
    append(String(repeating: " ", count: max(1, column - columns)))
  }

  /// Makes room for the mark that something is missing.
  private mutating func cut(_ style: Style) {
    isCut = true
    while columns >= limit, var piece = pieces.popLast() {
      guard let width = piece.columns.popLast() else { continue }
      columns -= width
      // Cleaned characters may join once they are side by side; then more than one goes, never less.
      piece.text.removeLast()
      pieces.append(piece)
    }
    pieces.append(Piece(text: "…", style: style, columns: [1]))
    columns += 1
  }

  /// The line without styles, and without spaces at its end.
  public var plain: String {
    let text = pieces.map(\.text).joined()
    guard let last = text.lastIndex(where: { $0 != " " }) else { return "" }
    return String(text[...last])
  }

  /// The line with its styles as escape sequences, which are the only ones in it.
  public var styled: String {
    pieces.map { piece in
      piece.style.parameter.map { "\u{1B}[\($0)m\(piece.text)\u{1B}[0m" } ?? piece.text
    }.joined()
  }
}

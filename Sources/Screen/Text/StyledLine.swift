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
    var style: Style
    /// Printable ASCII, each a column: most text is that, and needs no look at its characters.
    var ascii = ""
    /// What follows the ASCII.
    var characters: [VisibleCharacter] = []

    var isEmpty: Bool { ascii.isEmpty && characters.isEmpty }
    var text: String { characters.isEmpty ? ascii : ascii + characters.map(\.text).joined() }
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
    let bytes = text.utf8
    if bytes.count <= limit - columns, bytes.allSatisfy({ 0x20..<0x7F ~= $0 }) {
      pieces.append(Piece(style: style, ascii: String(text)))
      columns += bytes.count
      return
    }
    var piece = Piece(style: style)
    for character in text {
      guard let visible = VisibleCharacter(character) else { continue }
      guard visible.columns <= limit - columns else {
        pieces.append(piece)
        cut(style)
        return
      }
      piece.characters.append(visible)
      columns += visible.columns
    }
    pieces.append(piece)
  }

  /// Appends another line, its styles and all.
  public mutating func append(_ line: StyledLine) {
    for piece in line.pieces { append(piece.text, piece.style) }
  }

  /// Appends spaces up to a column, or one where that is passed already.
  public mutating func pad(to column: Int) {
    append(String(repeating: " ", count: max(1, column - columns)))
  }

  /// Puts the mark that something is missing where the last characters were.
  private mutating func cut(_ style: Style) {
    isCut = true
    while columns >= limit, var piece = pieces.popLast() {
      guard !piece.isEmpty else { continue }
      if let last = piece.characters.popLast() {
        columns -= last.columns
      } else {
        piece.ascii.removeLast()
        columns -= 1
      }
      pieces.append(piece)
    }
    pieces.append(Piece(style: style))
    if let mark = VisibleCharacter("…") { pieces[pieces.count - 1].characters = [mark] }
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
      guard let parameter = piece.style.parameter, !piece.isEmpty else { return piece.text }
      return "\u{1B}[\(parameter)m\(piece.text)\u{1B}[0m"
    }.joined()
  }
}

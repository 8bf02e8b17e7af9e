import JSONText
import ListModel

/// What a web source needs to go on, beside the counts of a `Place`: the next cursor or address, the size asked last,
/// and which cursors and addresses were used, so that none is used twice.
///
/// As a `Place`'s token it is a text of bytes that a store may keep: a letter for the style, the length of `next` in
/// decimal, a colon, `next`, and eight bytes, lowest first, for each that was used.
struct WebPlace: Sendable, Equatable {
  /// The next cursor (style `cursor`) or address (`link`, `next`); nil: the first page.
  var next: Bytes?
  /// The size that was asked last, with style `grow`.
  var asked = 0
  /// Hashes of the cursors and addresses used from the top on; the newest last.
  private(set) var used: [UInt64] = []

  /// The most that are remembered; a loop longer than this many pages is not noticed as one.
  static let maximumUsed = 1 << 14

  /// Before the first page.
  init() {}

  /// Whether a cursor or address was used.
  func hasUsed(_ text: Bytes) -> Bool { used.contains(Self.hash(text)) }

  /// Notes that a cursor or address was used.
  ///
  /// O(used).
  mutating func use(_ text: Bytes) {
    let hash = Self.hash(text)
    guard !used.contains(hash) else { return }
    if used.count >= Self.maximumUsed { used.removeFirst() }
    used.append(hash)
  }

  /// FNV-1a over 64 bits: the same in every process, as a stored place has to be.
  private static func hash(_ text: Bytes) -> UInt64 {
    text.withUnsafeBytes { bytes in
      bytes.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    }
  }

  // MARK: As a token

  /// Reads a place's token; without one it is the first page.
  ///
  /// - Throws: `upstream-error` where the token is another style's, because the configuration has changed.
  init(_ place: Place, style: PagingDefinition.Style) throws(UpstreamFailure) {
    guard let token = place.token, style.letter != nil else { return }
    guard let read = Self(token, style: style) else {
      throw UpstreamFailure(
        .error,
        detail: "the table's paging has changed since this list was read; refresh to begin from the top")
    }
    self = read
  }

  private init?(_ token: Bytes, style: PagingDefinition.Style) {
    guard token.count > 1, token[0] == style.letter else { return nil }
    var length = 0
    var index = 1
    while index < token.count, token[index] != UInt8(ascii: ":") {
      guard token[index] >= 0x30, token[index] <= 0x39, length <= token.count else { return nil }
      length = length * 10 + Int(token[index] - 0x30)
      index += 1
    }
    guard length <= token.count - index - 1, (token.count - index - 1 - length) % 8 == 0 else { return nil }
    let text = token[(index + 1)..<(index + 1 + length)].compacted()
    if case .grow = style {
      guard let asked = Int(text.string), asked >= 0 else { return nil }
      self.asked = asked
    } else if length > 0 {
      next = text
    }
    for start in stride(from: index + 1 + length, to: token.count, by: 8) {
      used.append((0..<8).reduce(0) { $0 | UInt64(token[start + $1]) << (8 * UInt64($1)) })
    }
  }

  /// The token; nil for a style whose places are found by counting.
  func token(style: PagingDefinition.Style) -> Bytes? {
    guard let letter = style.letter else { return nil }
    let text: Bytes
    if case .grow = style { text = Bytes(String(asked)) } else { text = next ?? .empty }
    var token: [UInt8] = [letter]
    token.append(decimal: text.count)
    token.append(UInt8(ascii: ":"))
    token.append(text)
    for hash in used {
      for shift in 0..<8 { token.append(UInt8(truncatingIfNeeded: hash >> (8 * UInt64(shift)))) }
    }
    return Bytes(token)
  }
}

extension PagingDefinition.Style {
  /// What a token of this style begins with; nil where there is none.
  fileprivate var letter: UInt8? {
    switch self {
    case .cursor: UInt8(ascii: "c")
    case .link, .next: UInt8(ascii: "a")
    case .grow: UInt8(ascii: "g")
    case .page, .offset, .none: nil
    }
  }
}

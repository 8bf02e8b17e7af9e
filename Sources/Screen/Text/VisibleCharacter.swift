/// A character as a terminal may have it, and the columns that it takes.
///
/// Text comes from whoever writes to a list. What would command a terminal (ESC and every other control of C0 and C1),
/// reorder a line (bidirectional controls), break it, or hide in it (other invisible scalars) never gets through: line
/// breaks and tabs become spaces, other controls their pictures or U+FFFD, and the rest is left out.
struct VisibleCharacter {
  /// The character, made harmless.
  let text: String
  /// The columns that it takes: 1 or more.
  let columns: Int

  /// Marks beyond this many scalars are left out: stacks of them would be drawn over the lines around.
  private static let mostScalars = 16

  /// nil where nothing of a character is left to see.
  init?(_ character: Character) {
    if let ascii = character.asciiValue, 0x20..<0x7F ~= ascii || ascii == 0x0A {
      text = ascii == 0x0A ? " " : String(character)  // CR LF is one character, with the value of LF
      columns = 1
      return
    }
    var kept = String.UnicodeScalarView()
    var sum = 0
    var isEmoji = false
    for scalar in character.unicodeScalars.prefix(Self.mostScalars) {
      guard let visible = Self.visible(scalar) else { continue }
      if visible.properties.isEmojiPresentation { isEmoji = true }
      if visible == "\u{FE0F}", kept.first?.properties.isEmoji == true { isEmoji = true }
      sum += CharacterWidth.columns(of: visible)
      kept.append(visible)
    }
    guard sum > 0 else { return nil }
    text = String(kept)
    columns = isEmoji ? 2 : sum
  }

  /// What stands for a scalar; nil where nothing does.
  private static func visible(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x09, 0x0A, 0x0D, 0x85, 0x2028, 0x2029: " "
    case 0..<0x20: Unicode.Scalar(0x2400 + scalar.value)
    case 0x7F: "\u{2421}"
    case 0x80..<0xA0: "\u{FFFD}"
    // Joiners and selectors of a form: emoji and several scripts are not themselves without them.
    case 0x200C, 0x200D, 0xFE0E, 0xFE0F: scalar
    case 0xFFF9...0xFFFB: nil
    default: scalar.properties.isDefaultIgnorableCodePoint ? nil : scalar
    }
  }
}

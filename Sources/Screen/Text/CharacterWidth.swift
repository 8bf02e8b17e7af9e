/// How many columns of a terminal scalars take.
enum CharacterWidth {
  /// The columns of one scalar by itself: 0, 1 or 2, as `wcwidth` has it; controls are not asked for.
  static func columns(of scalar: Unicode.Scalar) -> Int {
    if scalar.value < 0x300 { return 1 }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: break
    }
    // Vowels and finals of a Hangul syllable are drawn into the square of its first letter.
    if 0x1160...0x11FF ~= scalar.value { return 0 }
    return isWide(scalar) ? 2 : 1
  }

  /// Whether a scalar is Wide or Fullwidth (UAX #11), those that are drawn as emoji among them.
  static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0..<0x1100: false
    case 0x1100...0x115F,  // Hangul's first letters
      0x2329...0x232A,  // angle brackets
      0x2E80...0x303E, 0x3041...0x3247, 0x3250...0x33FF,  // radicals, kana, signs of East Asia
      0x3400...0x4DBF, 0x4E00...0xA4CF,  // Han, Yi
      0xA960...0xA97C, 0xAC00...0xD7A3,  // Hangul
      0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B,  // compatibility forms
      0xFF01...0xFF60, 0xFFE0...0xFFE6,  // full-width forms
      0x16FE0...0x18DFF, 0x1AFF0...0x1B2FF,  // Tangut, Khitan, older kana
      0x1F200...0x1F2FF,  // squared Han
      0x20000...0x3FFFD:  // further Han
      true
    default: scalar.properties.isEmojiPresentation
    }
  }
}

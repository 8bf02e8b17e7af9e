import JSONText

/// A stored text is not one that a list has saved.
public struct DamagedText: Error, Sendable {
  /// What was looked for.
  public let what: String

  /// A text in which this was not found.
  public init(what: String) { self.what = what }
}

/// Whole numbers that a store or an archive may hold.
///
/// 0 to 2^53 − 1, those that every reader of JSON tells apart (RFC 7493 §2.2). Sums of several and whatever a list
/// adds to them are far from overflowing.
public enum KeptNumber {
  /// All that are taken from a store.
  public static let range = 0...(1 << 53 - 1)
  /// Those that are taken from elsewhere: whatever is counted on from them stays within `range`.
  public static let start = 0...(1 << 52)
}

extension JSONValue {
  /// A text that was kept, validated; O(n).
  ///
  /// Rows lie deeper in it than in the text that brought them, by less than 16 levels.
  public init(kept text: Bytes, _ what: String) throws(DamagedText) {
    do {
      try self.init(parsing: text, levels: Self.keptLevels)
    } catch {
      throw DamagedText(what: "\(what) that is JSON (byte \(error.offset + 1): \(error.message))")
    }
  }

  /// Levels of arrays and objects that a text may have which is kept, or a line of an archive.
  public static let keptLevels = 128 + 16

  /// The value of a whole number that may be kept; else nil.
  public var keptNumber: Int? { integer.flatMap { KeptNumber.range.contains($0) ? $0 : nil } }
}

/// Why a text is no JSON, and where.
public struct JSONError: Error, Equatable, Sendable {
  /// Offset from 0 of the first byte at fault; the text's length where it ended too early.
  ///
  /// For ill-formed UTF-8 it is the first byte of the sequence, for a lone surrogate the backslash of its
  /// escape, for a repeated name its opening quote, for too deep a nesting the bracket that is one too many.
  public let offset: Int

  /// What is wrong there, in one clause, as `a comma or ] was expected`.
  public let message: String

  /// An error at a place.
  public init(offset: Int, message: String) {
    self.offset = offset
    self.message = message
  }
}

import JSONText
import ListModel

/// How what a store keeps beside lists is told as text: looks and failures, of which sessions know little.
public struct StoreCoding: Sendable {
  /// A look as JSON.
  public var look: @Sendable (TableLook) -> Bytes
  /// Reads a look back; nil where the text is none.
  public var readLook: @Sendable (Bytes) -> TableLook?
  /// What is wrong with a body (`SessionFailure.body`) as JSON.
  public var failure: @Sendable (any Error & Sendable) -> Bytes
  /// Reads that back; nil where the text is none.
  public var readFailure: @Sendable (Bytes) -> (any Error & Sendable)?

  /// A coding of these four.
  public init(
    look: @escaping @Sendable (TableLook) -> Bytes, readLook: @escaping @Sendable (Bytes) -> TableLook?,
    failure: @escaping @Sendable (any Error & Sendable) -> Bytes,
    readFailure: @escaping @Sendable (Bytes) -> (any Error & Sendable)?
  ) {
    self.look = look
    self.readLook = readLook
    self.failure = failure
    self.readFailure = readFailure
  }
}

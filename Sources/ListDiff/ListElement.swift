/// How the diff sees an element of a list: an id that stays with it, and content that may change.
public protocol ListElement: Sendable {
  /// What tells one element from another.
  associatedtype ID: Hashable

  /// The id, unique in its list. Where an id comes twice all the same, the first stands for matching and the
  /// others are rows of their own.
  var listID: ID { get }

  /// Whether both have the same id. The diff asks this far more often than for the id itself, so a type that
  /// can answer it without building two ids should.
  func hasSameID(as other: Self) -> Bool

  /// Whether both would be drawn alike. Asked only of elements with the same id.
  func hasSameContent(as other: Self) -> Bool
}

extension ListElement {
  /// Compares the two ids.
  @inlinable
  public func hasSameID(as other: Self) -> Bool {
    listID == other.listID
  }
}

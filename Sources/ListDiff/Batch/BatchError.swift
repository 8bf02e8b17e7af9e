/// Why a batch does not fit a list.
///
/// Nothing was changed; the same batch on the same rows fails again.
///
/// A client that meets this has lost track of its list and should start over from a snapshot.
public struct BatchError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Fault: String, Hashable, Sendable {
    /// An index lies outside the rows before (`from`) or the rows after (`to`).
    case outOfRange = "index out of range"
    /// An op stands out of its array's order, or twice.
    case outOfOrder = "op out of order"
    /// A row is deleted and moved, or moved twice.
    case rowTakenTwice = "row taken twice"
    /// Two rows are put at one place.
    case placeTakenTwice = "place taken twice"
    /// An update's `from` and `to` are not the same row.
    case otherRow = "not the same row before and after"
  }

  /// The array of the batch in which the op stands.
  public enum Kind: String, Hashable, Sendable {
    case delete, move, insert, update
  }

  /// What is wrong.
  public var fault: Fault
  /// The kind of the op at fault.
  public var kind: Kind
  /// Where the op stands in the batch's array of its kind, from 0.
  public var position: Int

  /// A fault of the op at `position` among those of `kind`.
  @usableFromInline
  init(_ fault: Fault, _ kind: Kind, at position: Int) {
    self.fault = fault
    self.kind = kind
    self.position = position
  }
}

extension BatchError: CustomStringConvertible {
  /// For people and logs, `move 3: index out of range`.
  public var description: String { "\(kind.rawValue) \(position): \(fault.rawValue)" }
}

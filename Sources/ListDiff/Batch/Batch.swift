/// One change of a list as a batch of ops (protocol §4): a set of simultaneous edits, not a script.
///
/// Every `from` is an index into the rows before the change, every `to` an index into the rows after it, both
/// counted from 0. To apply a batch, take out every row that a delete or a move names, highest `from` first; put
/// moved and inserted rows in by rising `to`, both kinds together; then set the updated rows at `to`. Always:
/// rows before − deletes + inserts = rows after.
///
/// The arrays stand in the order in which a client gets them, each sorted as its comment says. A batch that this
/// module makes keeps to that; `validate(rowCountBefore:)` tells whether one from elsewhere does.
public struct Batch<Element: Sendable>: Sendable {
  /// A row of the old list that goes to another place in the new one.
  ///
  /// See `RowMove`.
  public typealias Move = RowMove

  /// A row that is new.
  public struct Insert: Sendable {
    /// Its index in the rows after.
    public var to: Int
    /// The row.
    public var element: Element

    /// An insert of `element` at `to`.
    @inlinable
    public init(to: Int, element: Element) {
      self.to = to
      self.element = element
    }
  }

  /// A row that stays, or moves, and has new content.
  public struct Update: Sendable {
    /// Its index in the rows before.
    public var from: Int
    /// Its index in the rows after.
    public var to: Int
    /// The row with its new content.
    public var element: Element

    /// An update of the row that was at `from` and is at `to`.
    @inlinable
    public init(from: Int, to: Int, element: Element) {
      self.from = from
      self.to = to
      self.element = element
    }
  }

  /// Rows before that go, by falling index.
  public var deletes: [Int]
  /// Rows that change their order among those that stay, by rising `to`.
  public var moves: [Move]
  /// New rows, by rising `to`.
  public var inserts: [Insert]
  /// Rows with new content, moved ones among them, by rising `to`.
  public var updates: [Update]

  /// A batch of these ops, each array in its order.
  @inlinable
  public init(
    deletes: [Int] = [], moves: [Move] = [], inserts: [Insert] = [], updates: [Update] = []
  ) {
    self.deletes = deletes
    self.moves = moves
    self.inserts = inserts
    self.updates = updates
  }

  /// The batch that changes nothing.
  @inlinable public static var empty: Batch { Batch() }

  /// Whether it changes nothing.
  @inlinable public var isEmpty: Bool { count == 0 }

  /// The number of ops.
  @inlinable public var count: Int { deletes.count + moves.count + inserts.count + updates.count }

  /// Rows after − rows before.
  @inlinable public var rowCountDifference: Int { inserts.count - deletes.count }
}

/// A row of the old list that goes to another place in the new one.
///
/// `from` and `to` may be equal: `[a, b, c]` to `[d, b, a]` can move `b` from 1 to 1.
public struct RowMove: Hashable, Sendable {
  /// Its index in the rows before.
  public var from: Int
  /// Its index in the rows after.
  public var to: Int

  /// A move of the row at `from` to `to`.
  @inlinable
  public init(from: Int, to: Int) {
    self.from = from
    self.to = to
  }
}

extension Batch.Insert: Equatable where Element: Equatable {}
extension Batch.Update: Equatable where Element: Equatable {}
extension Batch: Equatable where Element: Equatable {}

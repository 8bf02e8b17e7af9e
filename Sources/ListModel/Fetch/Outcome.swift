import JSONText
import ListDiff

/// What a command or the end of a fetch has led to.
public struct Outcome: Sendable {
  /// The change; nil where nothing altered.
  public var change: Change?
  /// What is to be done now.
  public var effect: Effect?
  /// For a command that fetches: the fetch that it started or joined, and which is in flight.
  public var fetch: FetchReference?
  /// The ids of inserted items, in their order.
  public var ids: [Bytes]?
  /// What a change did to the items where its ops do not tell: they are hidden before or after it.
  var hidden: HiddenOps?

  /// Nothing altered.
  static let unchanged = Outcome()
}

/// Ops on items that are hidden, behind a reference: an outcome, which is handed on for every command, stays small.
final class HiddenOps: Sendable {
  let batch: Batch<Row>

  init(_ batch: Batch<Row>) { self.batch = batch }
}

/// What the shell around a list does for it.
public enum Effect: Sendable {
  /// Read the page at `place` and hand it to `finish` with this generation.
  case read(generation: Int, place: Place)
  /// A client is to deliver; where the source has a time limit, fail this generation when it has passed.
  case awaitClient(generation: Int)
}

/// A fetch as a waiting caller knows it.
public struct FetchReference: Sendable {
  /// Which fetch.
  public let generation: Int
  /// The revision of the change that started it; nil where nothing showed.
  public let startRevision: Int?
}

import JSONText
import ListModel

/// Reads pages of a table's rows from where they live.
public protocol PageSource: Sendable {
  /// Reads the page at `request.place`.
  ///
  /// `completion` is called exactly once, from any thread, possibly before this returns. Every failure is an
  /// `UpstreamFailure`; nothing is thrown or lost.
  func read(_ request: PageRequest, completion: @escaping @Sendable (Result<Page, UpstreamFailure>) -> Void)
}

/// What a source is asked for.
public struct PageRequest: Sendable {
  /// For which list, and for which of its fetches; nil: for none in particular.
  public var line: FetchLine?
  /// The table as the configuration has it now: source, page size, cap.
  public var table: TableDefinition
  /// The look that the session keeps: cell rule, projections, required members.
  public var look: TableLook
  /// The session's parameters.
  public var params: [(name: Bytes, value: Bytes)]
  /// Where to go on.
  public var place: Place
  /// The most bytes of an item's minified data.
  public var rowBytes: Int

  /// A request.
  public init(
    line: FetchLine? = nil, table: TableDefinition, look: TableLook, params: [(name: Bytes, value: Bytes)],
    place: Place, rowBytes: Int
  ) {
    self.line = line
    self.table = table
    self.look = look
    self.params = params
    self.place = place
    self.rowBytes = rowBytes
  }
}

/// Which list a page is for, and which of its fetches: a source may give up pages that a later fetch has made void.
public struct FetchLine: Sendable, Hashable {
  /// The list, by a number that no other one in this process has or had.
  public var list: Int
  /// The fetch's generation: a page of a lower one than the newest is not wanted any more.
  public var generation: Int

  /// A fetch of a list.
  public init(list: Int, generation: Int) {
    self.list = list
    self.generation = generation
  }
}

import JSONText
import ListDiff

extension ListState {
  /// Ends a fetch that was in flight when the process ended: it becomes the `interrupted` error (protocol §10).
  ///
  /// What a client was to give is still awaited. O(1).
  public mutating func recover(in context: ListContext) -> Outcome {
    guard let fetch, !context.isClient else { return .unchanged }
    let before = shown
    end(
      fetch,
      with: UpstreamFailure(
        .interrupted, detail: "The server ended while this \(fetch.kind.rawValue) was in flight."))
    return conclude(Step(cause: .recover), since: before)
  }

  /// What is to be done for the fetch in flight, where nobody does it: after a restart, or when what was decided on it
  /// has come to nothing.
  public func pursuit(in context: ListContext) -> Effect? {
    fetch.map { fetch in
      context.isClient
        ? .awaitClient(generation: fetch.generation)
        : .read(generation: fetch.generation, place: fetch.reading.place)
    }
  }

  /// Takes over how far the same fetch has read in another list: what was read is not asked for again.
  public mutating func follow(_ list: ListState) {
    guard let fetch = list.fetch, fetch.generation == self.fetch?.generation else { return }
    self.fetch?.reading = fetch.reading
  }
}

/// A list as it was, from which it can go on; O(1), and it makes no later edit dearer than a leaf.
public struct ListCheckpoint: Sendable {
  private var state: ListState
  /// What clients see of it.
  public let version: ListVersion

  /// The list as it is now.
  public init(_ list: ListState) {
    version = list.version
    state = list
    state.items.forgetIndex()
  }

  /// The revision.
  public var revision: Int { version.revision }

  /// The generation of the fetch in flight.
  public var generation: Int? { state.fetch?.generation }

  /// The list as it was; O(n).
  public func list() -> ListState {
    var list = state
    list.items = IndexedItems(list.items.list)
    return list
  }

  /// Takes over how far the same fetch has read in the list that goes on.
  public mutating func follow(_ list: ListState) {
    state.follow(list)
  }
}

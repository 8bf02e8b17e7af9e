import JSONText
import ListDiff

/// A list and everything that decides how it goes on: the state machine of protocol §2, §3 and §7.
///
/// A value without clock, thread or I/O: (state, command) → (state, change, effect). Each capability has a file of
/// its own beside this one. A command that is refused throws before anything is altered.
public struct ListState: Sendable {
  /// Which of the states rules.
  enum Mode: Sendable {
    /// One of the four built-in states, as the table of protocol §2 says.
    case natural
    /// `loading` or `error` by `transition`: the items are hidden until a load or refresh starts.
    case forced(PlaceholderKind)
    /// A custom state, with the data of the transition.
    case custom(name: Bytes, data: JSONValue)
  }

  /// How the list looks.
  public let rules: ListRules
  /// The revision: that of the last change.
  public internal(set) var revision: Int
  /// The session's parameters as a JSON object.
  public internal(set) var params: Bytes
  var items = IndexedItems()
  var mode = Mode.natural
  /// Whether a load has completed, items have been given, or the list was entered: `initialState` is over.
  var hasBegun = false
  /// Whether a load, refresh or `replace` has completed, and no immediate refresh has blanked the list since.
  var isLoaded = false
  var hasNext = false
  var fetch: Fetch?
  /// The problem object of the last fetch, where it failed.
  var error: JSONValue?
  var failed: FailedFetch?
  var selected: Bytes?
  /// How far the upstream has been read.
  var place = Place.top
  /// How many pages were read from the top before any blanking: what `pages:"loaded"` reads again.
  var loadedPages = 0
  var generation = 0
  /// How many transitions were made: it tells two that nobody sees apart.
  var transitions = 0
  /// What clients saw after the last command: what the next one's change is told against.
  var shown: Sight

  /// A new, empty list at `revision`.
  public init(rules: ListRules, revision: Int, params: Bytes) {
    self.rules = rules
    self.revision = revision
    self.params = params
    shown = .nothing
    if rules.look.states[rules.look.initialState] != nil {
      mode = .custom(name: rules.look.initialState, data: .null)
    }
    shown = sight
  }

  /// The fetch in flight.
  public var fetchInFlight: FetchReference? {
    // By its members: as a whole, a fetch is a lot to copy.
    guard let generation = fetch?.generation else { return nil }
    return FetchReference(generation: generation, startRevision: fetch?.startRevision)
  }

  /// Whether the upstream has more behind what was read.
  public var hasMore: Bool { hasNext }

  /// About how many bytes the rows of all items take, by some of them; O(1).
  public var sampledBytes: Int { Self.sampledBytes(of: items.count) { items.list[$0] } }

  /// The same of the pages that a fetch has read and that are not shown yet.
  public var heldBytes: Int {
    [fetch?.reading.items, failed?.reading.items].reduce(0) { bytes, held in
      bytes + (held.map { held in Self.sampledBytes(of: held.count) { held[$0] } } ?? 0)
    }
  }

  private static func sampledBytes(of count: Int, _ item: (Int) -> Item) -> Int {
    let places = stride(from: 0, to: count, by: count / 8 + 1)
    let sampled = places.reduce((bytes: 0, rows: 0)) { ($0.bytes + item($1).row.count, $0.rows + 1) }
    return sampled.rows == 0 ? 0 : sampled.bytes * count / sampled.rows
  }

  /// The list as it is now, to be read while this one goes on; O(1).
  public var version: ListVersion {
    ListVersion(revision: revision, sight: shown, items: items.list)
  }

  /// Does a command, or refuses it and leaves everything as it was.
  public mutating func perform(_ command: Command, in context: ListContext) throws(Refusal) -> Outcome {
    let before = shown
    var step = Step(cause: command.cause)
    switch command {
    case .load(let delivery): try load(delivery, context, &step)
    case .refresh(let options, let delivery): try refresh(options, delivery, context, &step)
    case .loadMore(let delivery): try loadMore(delivery, context, &step)
    case .retry(let delivery): try retry(delivery, context, &step)
    case .fail(let failure, let name): try fail(failure, fetch: name, context, &step)
    case .edit(let edit): try apply(edit, context, &step)
    case .batch(let edits): try apply(edits, context, &step)
    case .select(let selection): try select(selection, context, &step)
    case .transition(let target, let data): try transition(to: target, data: data, &step)
    }
    return conclude(step, since: before)
  }
}

/// What a command does to a list, gathered while it runs.
struct Step {
  /// The cause that its change will name.
  var cause: Cause
  /// What it did to the items, as if all were shown.
  var items = Batch<Row>()
  var effect: Effect?
  /// Whether it started the fetch that is now in flight.
  var hasStarted = false
  /// Whether it waits for the fetch in flight.
  var hasJoined = false
  /// The name of a fetch that it made void.
  var voidedName: Int?
  var ids: [Bytes]?
}

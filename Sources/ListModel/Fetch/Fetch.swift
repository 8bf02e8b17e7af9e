import JSONText

/// A fetch in flight.
struct Fetch: Sendable {
  let kind: FetchKind
  /// What both of its changes name as their cause.
  let cause: Cause
  /// Raised by every fetch of the list: a page of an older one is stale (design: "a generation for every fetch").
  let generation: Int
  /// The revision by which clients name it: of the change that started it, or that started the one it made void.
  var name = 0
  /// The revision of the change that started it; nil where nothing showed.
  var startRevision: Int?
  /// What it reads.
  var reading: Reading
  /// What clients have done to the items since it started.
  var edits = ConcurrentEdits()
}

/// How far a fetch has come: what `retry` goes on from.
struct Reading: Sendable {
  let kind: FetchKind
  /// The next page.
  var place: Place
  /// How far a refresh reads.
  var extent: RefreshOptions.Extent = .firstPage
  /// The most pages of `through`: one more than were loaded.
  var pagesAtMost = 1
  /// What a refresh has read so far, in the upstream's order.
  var items: [Item] = []
  /// The index of each of them.
  var places: [Bytes: Int] = [:]
  /// Empty pages passed over in this command.
  var emptyPages = 0

  static let emptyPagesAtMost = 10
}

/// A fetch that failed: what `retry` does again.
struct FailedFetch: Sendable {
  var reading: Reading
}

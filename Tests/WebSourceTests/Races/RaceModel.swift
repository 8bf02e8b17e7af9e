import ListModel

/// What protocol §7 says of one list, in plain arrays.
struct RaceModel {
  /// How far a refresh reads.
  enum Extent: Equatable { case first, loaded, through(String) }

  /// What a fetch reads and how far it has come.
  struct Reading {
    var kind: String
    var place = Place.top
    var extent = Extent.first
    /// The most pages from the top.
    var pages = 1
    var collected: [Entry] = []
    var emptyPages = 0
  }

  struct Fetch {
    var reading: Reading
    var generation: Int
    var isRetry: Bool
    var inserted: Set<String> = []
    var deleted: Set<String> = []
  }

  var upstream = RaceUpstream()
  private(set) var items: [Entry] = []
  private(set) var hasNext = false
  /// The type of `error`.
  private(set) var error: String?
  private(set) var fetch: Fetch?
  private var failed: Reading?
  private var isLoaded = false
  private var place = Place.top
  private var loadedPages = 0
  private var generation = 0

  // MARK: Commands; each says whether it is taken.

  mutating func load() -> Bool {
    if let fetch, fetch.reading.kind != "load-more" { return true }
    if isLoaded { return true }
    if fetch != nil { return false }
    start(Reading(kind: "load"))
    return true
  }

  mutating func refresh(immediately: Bool, _ extent: Extent) -> Bool {
    var reading = Reading(kind: "refresh", extent: extent)
    switch extent {
    case .first: break
    case .loaded: reading.pages = loadedPages
    case .through: reading.pages = loadedPages + 1
    }
    if immediately {
      items = []
      hasNext = false
      isLoaded = false
      place = .top
    }
    start(reading)
    return true
  }

  mutating func loadMore() -> Bool {
    if let fetch { return fetch.reading.kind == "load-more" }
    if hasNext { start(Reading(kind: "load-more", place: place)) }
    return true
  }

  mutating func retry() -> Bool {
    if let fetch { return fetch.isRetry }
    guard var reading = failed else { return false }
    reading.emptyPages = 0
    start(reading, isRetry: true)
    return true
  }

  mutating func insert(_ entry: Entry, at index: Int) -> Bool {
    guard !items.contains(where: { $0.id == entry.id }) else { return false }
    items.insert(entry, at: index)
    fetch?.inserted.insert(entry.id)
    fetch?.deleted.remove(entry.id)
    return true
  }

  mutating func delete(_ id: String) -> Bool {
    items.removeAll { $0.id == id }
    fetch?.inserted.remove(id)
    fetch?.deleted.insert(id)
    return true
  }

  private mutating func start(_ reading: Reading, isRetry: Bool = false) {
    generation += 1
    error = nil
    failed = nil
    fetch = Fetch(reading: reading, generation: generation, isRetry: isRetry)
  }

  // MARK: Ends

  mutating func fail(_ generation: Int) {
    guard let fetch, fetch.generation == generation else { return }
    end(fetch.reading, "upstream-timeout")
  }

  private mutating func end(_ reading: Reading, _ type: String) {
    fetch = nil
    failed = reading
    error = "/problems/\(type)"
  }

  mutating func arrive(_ generation: Int, _ page: RacePage) {
    guard var fetch, fetch.generation == generation else { return }
    let before = fetch.reading
    fetch.reading.place = page.next
    let isRefresh = before.kind == "refresh"
    let known = Set((isRefresh ? before.collected : items).map(\.id))
    for entry in page.again.filter({ known.contains($0.id) }) + page.entries {
      if let index = fetch.reading.collected.firstIndex(where: { $0.id == entry.id }) {
        fetch.reading.collected[index] = entry
      } else {
        fetch.reading.collected.append(entry)
      }
    }
    let isEmpty = page.entries.isEmpty && page.again.isEmpty
    if isEmpty { fetch.reading.emptyPages += 1 }
    if page.hasNext, wantsMore(fetch.reading, isEmpty: isEmpty) {
      self.fetch = fetch
      return
    }
    self.fetch = nil
    hasNext = page.hasNext
    place = page.next
    loadedPages = page.next.pages
    if before.kind != "load-more" { isLoaded = true }
    if isRefresh { replace(fetch) } else { append(fetch) }
    if page.repeats { end(before, "upstream-repeats") }
  }

  private func wantsMore(_ reading: Reading, isEmpty: Bool) -> Bool {
    if isEmpty { return reading.emptyPages < 10 }
    switch reading.extent {
    case .first: return false
    case .loaded: return reading.place.pages < reading.pages
    case .through(let id):
      return reading.place.pages < reading.pages && !reading.collected.contains { $0.id == id }
    }
  }

  private mutating func replace(_ fetch: Fetch) {
    var new = fetch.reading.collected.filter {
      !fetch.deleted.contains($0.id) && !fetch.inserted.contains($0.id)
    }
    for (index, entry) in items.enumerated() where fetch.inserted.contains(entry.id) {
      new.insert(entry, at: min(index, new.count))
    }
    items = new
  }

  private mutating func append(_ fetch: Fetch) {
    for entry in fetch.reading.collected where !fetch.deleted.contains(entry.id) {
      if let index = items.firstIndex(where: { $0.id == entry.id }) {
        if !fetch.inserted.contains(entry.id) { items[index] = entry }
      } else {
        items.append(entry)
      }
    }
  }
}

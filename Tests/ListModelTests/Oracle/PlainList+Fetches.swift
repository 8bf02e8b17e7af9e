// Fetches: what starts, joins, overtakes and ends them (protocol §7, "Fetches").
extension PlainList {
  /// A page of an upstream.
  struct Page {
    var items: [Item]
    var hasNext: Bool
    var next = Place()
    /// Items that the source left out.
    var leftOut = 0
    /// Items that were read before: they "only update what is held".
    var again: [Item] = []
    /// Whether the upstream names a place behind it that was used before.
    var repeats = false
  }

  private func isInFlight(_ kinds: Text...) -> Bool { fetch.map { kinds.contains($0.reading.kind) } ?? false }

  // MARK: Commands

  mutating func load(_ delivery: PlainCommand.Delivery?, _ answer: inout Answer) throws(PlainRefusal) {
    if let delivery {
      let completes = isInFlight("load", "refresh")
      try check(delivery, completes: completes)
      if completes, let fetch { return try end(fetch, with: delivery) }
      return try take(delivery, as: "load")
    }
    if isInFlight("load", "refresh") {
      answer.hasJoined = true
      return
    }
    var isForced = false
    if case .forced = entered { isForced = true }
    if isLoaded, !isForced { return }
    if isInFlight("load-more") { throw PlainRefusal("busy") }
    start(Reading(kind: "load", place: Place()), &answer)
  }

  mutating func refresh(
    immediately: Bool, _ extent: Extent, _ new: PlainJSON?, _ delivery: PlainCommand.Delivery?,
    _ answer: inout Answer
  ) throws(PlainRefusal) {
    if let delivery { try check(delivery, completes: isInFlight("refresh")) }
    if let new { params = new }
    if let delivery {
      if isInFlight("refresh"), let fetch { return try end(fetch, with: delivery) }
      fetch = nil
      return try take(delivery, as: "refresh")
    }
    answer.voided = fetch?.name
    if immediately {
      items = []
      hasNext = false
      isLoaded = false
      place = Place()
    }
    var reading = Reading(kind: "refresh", place: Place(), extent: extent)
    switch extent {
    case .first: break
    case .loaded: reading.pages = loadedPages
    case .through: reading.pages = loadedPages + 1
    }
    start(reading, &answer)
  }

  mutating func loadMore(_ delivery: PlainCommand.Delivery?, _ answer: inout Answer) throws(PlainRefusal) {
    if isInFlight("load", "refresh") { throw PlainRefusal("busy") }
    if let delivery {
      try check(delivery, completes: isInFlight("load-more"))
      if let fetch { return try end(fetch, with: delivery) }
      return try take(delivery, as: "load-more")
    }
    if isInFlight("load-more") {
      answer.hasJoined = true
      return
    }
    guard hasNext else { return }
    start(Reading(kind: "load-more", place: place), &answer)
  }

  mutating func retry(_ delivery: PlainCommand.Delivery?, _ answer: inout Answer) throws(PlainRefusal) {
    let isRetrying = fetch?.cause == "retry"
    guard isRetrying || failed != nil else { throw PlainRefusal("nothing-to-retry") }
    if let delivery {
      try check(delivery, completes: isRetrying)
      if let fetch { return try end(fetch, with: delivery) }
      return try take(delivery, as: failed?.kind ?? "")
    }
    if isRetrying {
      answer.hasJoined = true
      return
    }
    guard var reading = failed else { return }
    reading.emptyPages = 0
    start(reading, &answer)
  }

  mutating func fail(_ title: Text?, _ detail: Text?, _ name: Int?) throws(PlainRefusal) {
    guard table.isClient else { throw PlainRefusal("nothing-awaited") }
    guard let fetch, name == nil || name == fetch.name else {
      throw PlainRefusal("nothing-awaited", name == nil ? nil : "/fetch")
    }
    end(
      fetch, failing: "upstream-error", title: title ?? "The upstream reported an error",
      detail: detail ?? "The client that was to give the rows could not.")
  }

  private func check(_ delivery: PlainCommand.Delivery, completes: Bool) throws(PlainRefusal) {
    if let name = delivery.fetch, !completes || name != fetch?.name {
      throw PlainRefusal("nothing-awaited", "/fetch")
    }
  }

  private mutating func start(_ reading: Reading, _ answer: inout Answer) {
    error = nil
    failed = nil
    if reading.kind != "load-more" { leaveForced() }
    fetch = Fetch(reading: reading, cause: answer.cause)
    answer.hasStarted = true
    answer.effect = table.isClient ? .awaitClient : .read(reading.place)
  }

  /// "`loading` and `error` hide the items until a load or refresh starts".
  private mutating func leaveForced() {
    if case .forced = entered { entered = .byItself }
  }

  // MARK: What a client gives

  /// What is awaited has come.
  private mutating func end(_ fetch: Fetch, with delivery: PlainCommand.Delivery) throws(PlainRefusal) {
    try merge(delivery.rows, as: fetch, cutting: false)
    self.fetch = nil
    completed(fetch.reading.kind, hasNext: delivery.hasNext)
  }

  /// "With rows and nothing started it makes one change".
  private mutating func take(_ delivery: PlainCommand.Delivery, as kind: Text) throws(PlainRefusal) {
    let before = self
    try merge(
      delivery.rows, as: Fetch(reading: Reading(kind: kind, place: Place()), cause: kind), cutting: false)
    error = nil
    failed = nil
    if kind != "load-more" { leaveForced() }
    completed(kind, hasNext: delivery.hasNext)
    // To a load-more that is still awaited they are edits.
    for item in items {
      guard let index = before.index(of: item.id) else {
        fetch?.noteInserted(item.id)
        continue
      }
      if !before.items[index].isSame(as: item) { fetch?.noteUpdated(item.id) }
    }
  }

  private mutating func completed(_ kind: Text, hasNext more: Bool) {
    hasNext = more
    hasBegun = true
    if kind != "load-more" { isLoaded = true }
  }

  // MARK: Pages

  /// A page has come for the fetch in flight; gives the effect where another is to be read.
  mutating func finish(_ page: Page) -> Answer {
    let before = self
    guard var fetch else { return Answer("") }
    var answer = Answer(fetch.cause)
    fetch.reading.place = page.next
    // "Twice in one page: the first stands"; from one page to the next it "is updated in place".
    var seen: Set<Text> = []
    let known = fetch.reading.kind == "refresh" ? fetch.reading.collected : self.items
    let again = page.again.filter { item in known.contains { $0.id == item.id } }
    for item in (again + page.items).filter({ seen.insert($0.id).inserted }) {
      if let index = fetch.reading.collected.firstIndex(where: { $0.id == item.id }) {
        fetch.reading.collected[index] = item
      } else {
        fetch.reading.collected.append(item)
      }
    }
    let isEmpty = page.items.isEmpty && page.again.isEmpty
    if isEmpty { fetch.reading.emptyPages += 1 }
    if page.hasNext, !page.repeats, wantsMore(fetch.reading, isEmpty: isEmpty) {
      self.fetch = fetch
      answer.effect = .read(page.next)
      return answer
    }
    self.fetch = nil
    // A page cannot be refused: where the list is full it is cut.
    let isCut = (try? merge(fetch.reading.collected, as: fetch, cutting: true)) ?? false
    place = page.next
    loadedPages = page.next.pages
    completed(fetch.reading.kind, hasNext: page.hasNext && !page.repeats && !isCut)
    if page.repeats, let fetch = before.fetch {
      // "That page is merged, `hasNext` is false and `error` is `upstream-repeats`."
      end(
        fetch, failing: "upstream-repeats", title: "The upstream repeats itself", detail: "Round and round.")
    }
    conclude(since: before, &answer)
    return answer
  }

  private func wantsMore(_ reading: Reading, isEmpty: Bool) -> Bool {
    // "After the tenth in one command it ends without an error."
    if isEmpty { return reading.emptyPages < 10 }
    switch reading.extent {
    case .first: return false
    case .loaded: return reading.place.pages < reading.pages
    case .through(let id):
      return reading.place.pages < reading.pages && !reading.collected.contains { $0.id == id }
    }
  }

  /// The upstream, or the time limit of a client, has failed.
  mutating func finish(failing code: Text, title: Text, detail: Text, status: Int) -> Answer {
    let before = self
    guard let fetch else { return Answer("") }
    var answer = Answer(fetch.cause)
    end(fetch, failing: code, title: title, detail: detail, status: status)
    conclude(since: before, &answer)
    return answer
  }

  private mutating func end(_ fetch: Fetch, failing code: Text, title: Text, detail: Text, status: Int = 502)
  {
    error = .object([
      "type": .string(Text("/problems/\(code)")), "title": .string(title), "status": .integer(status),
      "detail": .string(detail), "during": .string(fetch.reading.kind),
    ])
    failed = fetch.reading
    self.fetch = nil
  }

  // MARK: Merging

  /// Merges rows "into the list as it is when they arrive"; whether it was cut at `itemsPerSession`.
  @discardableResult
  private mutating func merge(_ rows: [Item], as fetch: Fetch, cutting: Bool) throws(PlainRefusal) -> Bool {
    var seen: Set<Text> = []
    let rows = rows.filter { seen.insert($0.id).inserted && !fetch.deleted.contains($0.id) }
    var result: [Item] = []
    var isOver = false
    if fetch.reading.kind == "refresh" {
      // "What was inserted meanwhile stays at its index, … what does not come again goes."
      result = rows.filter { !fetch.inserted.contains($0.id) }.map { merged($0, fetch) }
      let room = max(0, table.itemsPerSession - fetch.inserted.count)
      isOver = result.count > room
      result = Array(result.prefix(room))
      for (index, item) in items.enumerated() where fetch.inserted.contains(item.id) {
        result.insert(item, at: min(index, result.count))
      }
    } else {
      result = items
      for row in rows {
        if let index = result.firstIndex(where: { $0.id == row.id }) {
          result[index] = merged(row, fetch)
        } else {
          result.append(row)
        }
      }
      isOver = result.count > table.itemsPerSession
      result = Array(result.prefix(table.itemsPerSession))
    }
    if isOver, !cutting { throw PlainRefusal("limit-exceeded", "/rows") }
    items = result
    return isOver
  }

  /// "What was updated and comes again keeps its new content"; equal data keeps its text.
  private func merged(_ row: Item, _ fetch: Fetch) -> Item {
    guard let index = index(of: row.id) else { return row }
    if fetch.inserted.contains(row.id) || fetch.updated.contains(row.id) { return items[index] }
    return keeping(row)
  }
}

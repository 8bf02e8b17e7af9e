import JSONText
import ListDiff

// The commands that fetch. Each starts a fetch, joins the one in flight, or takes the rows that a client gives.
extension ListState {
  mutating func load(_ delivery: Delivery?, _ context: ListContext, _ step: inout Step) throws(Refusal) {
    let joins = fetch.map { $0.kind != .loadMore } ?? false
    if let delivery {
      if joins { return try complete(with: delivery, context, &step) }
      try refuseName(delivery.fetch)
      try take(delivery, for: Reading(kind: .load, place: place), context, &step)
    } else if joins {
      step.hasJoined = true
    } else if !isLoaded || isForced {
      if fetch != nil { throw Refusal(.busy, "a load-more is in flight; load when it has ended") }
      start(Reading(kind: .load, place: .top), context, &step)
    }
  }

  mutating func refresh(
    _ options: RefreshOptions, _ delivery: Delivery?, _ context: ListContext, _ step: inout Step
  ) throws(Refusal) {
    if let delivery {
      if fetch?.kind == .refresh {
        try complete(with: delivery, context, &step)
      } else {
        try refuseName(delivery.fetch)
        try take(delivery, for: Reading(kind: .refresh, place: .top), context, &step)
      }
      if let new = options.params { params = new }
      return
    }
    void(&step)
    if let new = options.params { params = new }
    let pages = options.extent == .loadedPages ? max(1, loadedPages) : loadedPages + 1
    if options.immediately {
      step.items.deletes = Array((0..<items.count).reversed())
      items.removeAll()
      hasNext = false
      isLoaded = false
      place = .top
    }
    start(
      Reading(kind: .refresh, place: .top, extent: options.extent, pagesAtMost: pages), context, &step)
  }

  mutating func loadMore(_ delivery: Delivery?, _ context: ListContext, _ step: inout Step) throws(Refusal) {
    if let fetch, fetch.kind != .loadMore {
      throw Refusal(.busy, "a \(fetch.kind.rawValue) is in flight; load more when it has ended")
    }
    if let delivery {
      if fetch != nil { return try complete(with: delivery, context, &step) }
      try refuseName(delivery.fetch)
      try take(delivery, for: Reading(kind: .loadMore, place: place), context, &step)
    } else if fetch != nil {
      step.hasJoined = true
    } else if hasNext {
      start(Reading(kind: .loadMore, place: place), context, &step)
    }
  }

  mutating func retry(_ delivery: Delivery?, _ context: ListContext, _ step: inout Step) throws(Refusal) {
    step.cause = .retry
    if let fetch {
      guard fetch.cause == .retry else {
        throw Refusal(.nothingToRetry, "a \(fetch.kind.rawValue) is in flight and has not failed")
      }
      if let delivery { return try complete(with: delivery, context, &step) }
      step.hasJoined = true
      return
    }
    guard var reading = failed?.reading else { throw Refusal(.nothingToRetry, "the last fetch did not fail") }
    reading.emptyPages = 0
    if let delivery {
      try refuseName(delivery.fetch)
      try take(delivery, for: reading, context, &step)
    } else {
      start(reading, context, &step)
    }
  }

  mutating func fail(
    _ failure: UpstreamFailure, fetch name: Int?, _ context: ListContext, _ step: inout Step
  ) throws(Refusal) {
    guard context.isClient else {
      throw Refusal(.nothingAwaited, "this table's rows come from its source, not from clients")
    }
    guard let fetch, name == nil || name == fetch.name else {
      throw Refusal(
        .nothingAwaited, at: name == nil ? nil : JSONPointer(tokens: ["fetch"]), "no such fetch is awaited")
    }
    end(fetch, with: failure)
  }

  /// Ends the generation in flight with what its source gave, or asks for the next page.
  ///
  /// A stale one does nothing.
  public mutating func finish(
    generation: Int, with result: Result<Page, UpstreamFailure>, in context: ListContext
  ) -> Outcome {
    guard var fetch, fetch.generation == generation else { return .unchanged }
    let before = shown
    var step = Step(cause: fetch.cause)
    switch result {
    case .failure(let failure):
      end(fetch, with: failure)
    case .success(let page):
      let reading = fetch.reading
      if fetch.reading.take(page) {
        self.fetch = fetch
        return Outcome(effect: .read(generation: generation, place: fetch.reading.place))
      }
      let items = fetch.kind == .refresh ? fetch.reading.items : known(page.again) + page.items
      end(fetch, with: items, hasNext: page.hasNext && page.failure == nil, context, &step)
      if let failure = page.failure {
        error = failure.report(during: fetch.kind)
        failed = FailedFetch(reading: reading)
      }
    }
    return conclude(step, since: before)
  }

  /// Those of a page's items that are held.
  private func known(_ again: [Item]) -> [Item] { again.filter { items.contains($0.id) } }

  // MARK: Starting

  private var isForced: Bool {
    if case .forced = mode { return true }
    return false
  }

  /// Makes the fetch in flight void.
  mutating func void(_ step: inout Step) {
    step.voidedName = fetch?.name
    fetch = nil
  }

  private mutating func start(_ reading: Reading, _ context: ListContext, _ step: inout Step) {
    settle(for: reading.kind)
    generation += 1
    fetch = Fetch(kind: reading.kind, cause: step.cause, generation: generation, reading: reading)
    step.hasStarted = true
    step.effect =
      context.isClient
      ? .awaitClient(generation: generation) : .read(generation: generation, place: reading.place)
  }

  /// What starting any fetch does to what is shown.
  private mutating func settle(for kind: FetchKind) {
    error = nil
    failed = nil
    if kind != .loadMore, isForced { mode = .natural }
  }

  // MARK: Rows from clients

  private func refuseName(_ name: Int?) throws(Refusal) {
    if name != nil {
      throw Refusal(.nothingAwaited, at: JSONPointer(tokens: ["fetch"]), "that fetch is not awaited any more")
    }
  }

  /// Refuses rows that, merged as those of `fetch`, would make the list longer than it may be: what a client gives
  /// is taken whole or not at all.
  private func refuseExcess(_ rows: [Item], for fetch: Fetch, _ context: ListContext) throws(Refusal) {
    let isRefresh = fetch.kind == .refresh
    var count = isRefresh ? fetch.edits.insertedCount : items.count
    var seen: Set<Bytes> = []
    for item in rows where seen.insert(item.id).inserted && fetch.edits[item.id] != .deleted {
      if !(isRefresh ? fetch.edits[item.id] == .inserted : items.contains(item.id)) { count += 1 }
    }
    guard count <= context.itemsPerSession else {
      throw Refusal(
        .limitExceeded, at: JSONPointer(tokens: ["rows"]),
        "a session holds at most \(context.itemsPerSession) items")
    }
  }

  /// A client's rows end the fetch in flight.
  private mutating func complete(
    with delivery: Delivery, _ context: ListContext, _ step: inout Step
  ) throws(Refusal) {
    guard let fetch else { return }
    if let name = delivery.fetch, name != fetch.name { try refuseName(name) }
    try refuseExcess(delivery.items, for: fetch, context)
    end(fetch, with: delivery.items, hasNext: delivery.hasNext, context, &step)
  }

  /// A client's rows are taken although nothing was started: as if a fetch had started and ended in one change.
  private mutating func take(
    _ delivery: Delivery, for reading: Reading, _ context: ListContext, _ step: inout Step
  ) throws(Refusal) {
    let passing = Fetch(kind: reading.kind, cause: step.cause, generation: generation, reading: reading)
    try refuseExcess(delivery.items, for: passing, context)
    settle(for: reading.kind)
    // A load leaves an awaited load-more awaited; a refresh overtakes whatever is in flight.
    let other = reading.kind == .refresh ? nil : fetch
    end(passing, with: delivery.items, hasNext: delivery.hasNext, context, &step)
    fetch = other
    noteArrivals(step)
  }

  // MARK: Ending

  mutating func end(_ fetch: Fetch, with failure: UpstreamFailure) {
    self.fetch = nil
    error = failure.report(during: fetch.kind)
    failed = FailedFetch(reading: fetch.reading)
  }

  private mutating func end(
    _ fetch: Fetch, with page: [Item], hasNext more: Bool, _ context: ListContext, _ step: inout Step
  ) {
    self.fetch = nil
    hasBegun = true
    hasNext = more
    place = fetch.reading.place
    loadedPages = place.pages
    if fetch.kind != .loadMore { isLoaded = true }
    let fits: Bool
    switch fetch.kind {
    case .load, .loadMore: fits = merge(page, edits: fetch.edits, limit: context.itemsPerSession, &step)
    case .refresh: fits = replace(by: page, edits: fetch.edits, limit: context.itemsPerSession, &step)
    }
    if !fits { hasNext = false }
  }
}

extension Reading {
  /// Takes a page in; says whether the next one is to be read before the fetch ends.
  mutating func take(_ page: Page) -> Bool {
    // A page of which nothing could be used is as empty to a client as one that the upstream left empty.
    let isEmpty = page.items.isEmpty && page.again.isEmpty
    let pages = place.pages + 1
    place = page.next
    place.pages = pages
    if kind == .refresh { collect(page) }
    guard page.hasNext, page.failure == nil else { return false }
    if isEmpty {
      emptyPages += 1
      return emptyPages < Self.emptyPagesAtMost
    }
    switch extent {
    case .firstPage: return false
    case .loadedPages: return pages < pagesAtMost
    case .through(let id): return pages < pagesAtMost && places[id] == nil
    }
  }

  /// Adds a page's items: twice in one page, the first stands; in a later page, it is updated in place.
  private mutating func collect(_ page: Page) {
    var seen: Set<Bytes> = []
    for item in page.again {
      // What is not held adds nothing, and so is not the first of its id either.
      if let index = places[item.id], seen.insert(item.id).inserted { items[index] = item }
    }
    for item in page.items where seen.insert(item.id).inserted {
      if let index = places[item.id] {
        items[index] = item
      } else {
        places[item.id] = items.count
        items.append(item)
      }
    }
  }
}

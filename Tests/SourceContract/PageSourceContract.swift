import JSONText
import ListModel
import Sessions
import Synchronization
import Testing

/// An upstream that a test can fill and break, with the source that reads it.
package protocol UpstreamUnderTest {
  /// The source.
  var source: any PageSource { get }
  /// The table whose source definition leads to the upstream, ids at `/id`.
  var table: TableDefinition { get }
  /// What no failure may tell anyone: an address, a folder.
  var secret: String { get }

  /// Makes the upstream hold these rows and nothing else.
  func hold(_ rows: [UpstreamRow]) throws
  /// Makes the upstream go away until it holds rows again.
  func goAway() throws
}

/// What an upstream holds: flat strings, which every format can carry; an empty id is usable nowhere.
package struct UpstreamRow: Equatable, Sendable {
  package var id: String
  package var name: String

  package init(id: String, name: String) {
    self.id = id
    self.name = name
  }

  package static func rows(_ range: some Sequence<Int>) -> [UpstreamRow] {
    range.map { UpstreamRow(id: "r\($0)", name: "Row \($0)") }
  }
}

/// What every `PageSource` must do, clause by clause; a suite runs all clauses against each kind of upstream.
package enum PageSourceContract: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case pagesCoverEveryItemOnceInOrder
  case pagesEndAtMaxItems
  case leftOutItemsAreCountedAndRead
  case aPageWithoutAnyIDIsMalformed
  case theTopIsReadAgain
  case behindTheEndLiesAnEmptyPage
  case aFailureSaysWhyAndPasses
  case parallelRequestsAreAllAnsweredOnce

  package var testDescription: String { rawValue }

  package func verify(on upstream: some UpstreamUnderTest) async throws {
    switch self {
    case .pagesCoverEveryItemOnceInOrder: try await verifyCover(upstream)
    case .pagesEndAtMaxItems: try await verifyMaxItems(upstream)
    case .leftOutItemsAreCountedAndRead: try await verifyLeftOut(upstream)
    case .aPageWithoutAnyIDIsMalformed: try await verifyNoID(upstream)
    case .theTopIsReadAgain: try await verifyReadAgain(upstream)
    case .behindTheEndLiesAnEmptyPage: try await verifyShrunk(upstream)
    case .aFailureSaysWhyAndPasses: try await verifyFailure(upstream)
    case .parallelRequestsAreAllAnsweredOnce: try await verifyParallel(upstream)
    }
  }
}

extension PageSourceContract {
  private func verifyCover(_ upstream: some UpstreamUnderTest) async throws {
    for count in [0, 1, 2, 3, 19, 20, 21] {
      let rows = UpstreamRow.rows(0..<count)
      try upstream.hold(rows)
      for pageSize in [1, 2, 3, 20, 1000] {
        let pages = try await upstream.allPages(pageSize: pageSize)
        #expect(pages.flatMap(\.rows) == rows, "\(count) rows, \(pageSize) a page")
        #expect(pages.count == max(1, (count + pageSize - 1) / pageSize), "\(count) rows, \(pageSize) a page")
        #expect(pages.dropLast().allSatisfy { $0.items.count == pageSize && $0.hasNext })
        for (number, page) in pages.enumerated() {
          #expect(page.next.read == min((number + 1) * pageSize, count))
          #expect(page.next.pages == number + 1)
          #expect(page.leftOut == 0)
        }
      }
    }
  }

  private func verifyMaxItems(_ upstream: some UpstreamUnderTest) async throws {
    let rows = UpstreamRow.rows(0..<10)
    try upstream.hold(rows)
    for maxItems in 1...12 {
      for pageSize in [1, 3, 10, 20] {
        let pages = try await upstream.allPages(pageSize: pageSize, maxItems: maxItems)
        #expect(
          pages.flatMap(\.rows) == Array(rows.prefix(maxItems)), "at most \(maxItems), \(pageSize) a page")
        let held = min(maxItems, rows.count)
        #expect(pages.count == (held + pageSize - 1) / pageSize, "at most \(maxItems), \(pageSize) a page")
      }
    }
  }

  private func verifyLeftOut(_ upstream: some UpstreamUnderTest) async throws {
    let rows = UpstreamRow.rows(0..<9).map { row in
      ["r1", "r4", "r5", "r8"].contains(row.id) ? UpstreamRow(id: "", name: row.name) : row
    }
    try upstream.hold(rows)
    let pages = try await upstream.allPages(pageSize: 3)
    #expect(pages.map(\.leftOut) == [1, 2, 1])
    #expect(pages.map(\.next.read) == [3, 6, 9])
    #expect(pages.flatMap(\.rows) == rows.filter { !$0.id.isEmpty })

    let capped = try await upstream.allPages(pageSize: 3, maxItems: 5)
    #expect(capped.map(\.leftOut) == [1, 1], "what was left out counts towards maxItems")
    #expect(capped.map(\.hasNext) == [true, false])
  }

  private func verifyNoID(_ upstream: some UpstreamUnderTest) async throws {
    try upstream.hold(
      UpstreamRow.rows(0..<2) + [UpstreamRow(id: "", name: "a"), UpstreamRow(id: "", name: "b")])
    let first = try await upstream.page(pageSize: 2).get()
    let failure = await upstream.page(at: first.next, pageSize: 2).failure
    #expect(failure?.code == .malformed)
    #expect(failure?.detail.contains("/id") == true)
  }

  private func verifyReadAgain(_ upstream: some UpstreamUnderTest) async throws {
    for round in 0..<20 {
      let rows = UpstreamRow.rows((10 + round)..<(13 + round))
      try upstream.hold(rows)
      let page = try await upstream.page(pageSize: 5).get()
      #expect(page.rows == rows, "round \(round)")
    }
  }

  private func verifyShrunk(_ upstream: some UpstreamUnderTest) async throws {
    try upstream.hold(UpstreamRow.rows(0..<10))
    let first = try await upstream.page(pageSize: 6).get()
    for left in [6, 2, 0] {
      try upstream.hold(UpstreamRow.rows(0..<left))
      let page = try await upstream.page(at: first.next, pageSize: 6).get()
      #expect(page.items.isEmpty && !page.hasNext, "\(left) rows left")
      #expect(page.next.read == first.next.read)
    }
  }

  private func verifyFailure(_ upstream: some UpstreamUnderTest) async throws {
    try upstream.hold(UpstreamRow.rows(0..<3))
    _ = try await upstream.page(pageSize: 2).get()
    try upstream.goAway()
    for _ in 0..<2 {
      let failure = await upstream.page(pageSize: 2).failure
      #expect(failure?.code == .unreachable)
      #expect(failure?.detail.isEmpty == false)
      #expect(failure?.detail.contains(upstream.secret) == false)
    }
    try upstream.hold(UpstreamRow.rows(5..<6))
    #expect(try await upstream.page(pageSize: 2).get().rows == UpstreamRow.rows(5..<6))
  }

  private func verifyParallel(_ upstream: some UpstreamUnderTest) async throws {
    let rows = UpstreamRow.rows(0..<40)
    try upstream.hold(rows)
    let answers = AnswerCounts()
    let (source, request) = (upstream.source, upstream.request(pageSize: 7))
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<64 {
        group.addTask {
          var request = request
          request.place.read = number % 40
          let expected = Array(rows[(number % 40)...].prefix(7))
          let result = await source.page(request) { answers.count(number) }
          #expect(result.page?.rows == expected)
        }
      }
    }
    #expect(answers.counts == Dictionary(uniqueKeysWithValues: (0..<64).map { ($0, 1) }))
  }
}

/// How often each request was answered.
private final class AnswerCounts: Sendable {
  private let answers = Mutex<[Int: Int]>([:])

  var counts: [Int: Int] { answers.withLock { $0 } }

  func count(_ request: Int) { answers.withLock { $0[request, default: 0] += 1 } }
}

// MARK: - Reading

extension UpstreamUnderTest {
  package func request(at place: Place = .top, pageSize: Int, maxItems: Int? = nil) -> PageRequest {
    var table = table
    table.pageSize = pageSize
    table.maxItems = maxItems
    return PageRequest(table: table, look: table.look, params: [], place: place, rowBytes: 65536)
  }

  package func page(
    at place: Place = .top, pageSize: Int, maxItems: Int? = nil
  ) async -> Result<Page, UpstreamFailure> {
    await source.page(request(at: place, pageSize: pageSize, maxItems: maxItems))
  }

  /// All pages from the top, following `hasNext`; no more than 100.
  package func allPages(pageSize: Int, maxItems: Int? = nil) async throws -> [Page] {
    var pages: [Page] = []
    var place = Place.top
    repeat {
      let page = try await page(at: place, pageSize: pageSize, maxItems: maxItems).get()
      pages.append(page)
      place = page.next
      try #require(pages.count <= 100, "the pages have no end")
    } while pages.last?.hasNext == true
    return pages
  }
}

extension PageSource {
  /// One page; `called` runs each time that the source answers.
  package func page(
    _ request: PageRequest, called: @escaping @Sendable () -> Void = {}
  ) async -> Result<Page, UpstreamFailure> {
    await withCheckedContinuation { continuation in
      read(request) { result in
        called()
        continuation.resume(returning: result)
      }
    }
  }
}

extension Result where Success == Page, Failure == UpstreamFailure {
  package var page: Page? { try? get() }

  package var failure: UpstreamFailure? {
    if case .failure(let failure) = self { failure } else { nil }
  }
}

extension Page {
  /// The rows that the items show: id, and the member `name` of their data.
  package var rows: [UpstreamRow] {
    items.map { UpstreamRow(id: $0.id.string, name: $0.data.member(named: "name")?.string?.string ?? "–") }
  }
}

import Foundation
import JSONText
import ListModel
import Service
import Sessions
import SourceContract
import Synchronization
import Testing
import WebSource

/// A table of kind `http`, read from configuration as people write it, with a source that reads it.
struct WebTable: Sendable {
  var table: TableDefinition
  let source: WebSource
  let retries: Counter

  /// - Parameters:
  ///   - source: the members of `source` behind `kind`.
  ///   - rest: further members of the table, with a comma before each.
  init(
    _ source: String, _ rest: String = "", environment: [String: String] = [:], fetches: Int = 64,
    certificates: Certificates = Certificates()
  ) throws {
    // Where nothing is said of time, a page that a test holds is not asked for again on a busy machine.
    let patience = source.contains("timeoutSeconds") ? "" : #", "timeoutSeconds": 200"#
    let text = #"{"tables": {"t": {"source": {"kind": "http", \#(source)\#(patience)}\#(rest)}}}"#
    let file = FileManager.default.temporaryDirectory.appending(path: "rowcast-web-\(UUID().uuidString).json")
    try Data(text.utf8).write(to: file)
    defer { unlink(file.path) }
    let configuration = try Configuration.load(file: file.path, environment: environment)
    table = try #require(configuration.tables.first)
    let retries = Counter()
    self.retries = retries
    var settings = WebSource.Settings(userAgent: "rowcast/test")
    settings.fetches = fetches
    settings.pauseSeconds = 0.002
    settings.certificates = certificates
    settings.retried = { _ in retries.add() }
    self.source = WebSource(settings)
  }

  func request(at place: Place = .top, params: [(String, String)] = [], line: FetchLine? = nil) -> PageRequest
  {
    var given = params.map { (name: Bytes($0.0), value: Bytes($0.1)) }
    for param in table.params where !given.contains(where: { $0.name == param.name }) {
      given.append((param.name, param.defaultValue ?? ""))
    }
    return PageRequest(
      line: line, table: table, look: table.look, params: given, place: place, rowBytes: 65536)
  }

  func page(at place: Place = .top, params: [(String, String)] = []) async -> Result<Page, UpstreamFailure> {
    await source.page(request(at: place, params: params))
  }

  /// All pages from the top; no more than 50.
  func pages() async throws -> [Page] {
    var pages: [Page] = []
    var place = Place.top
    repeat {
      let page = try await page(at: place).get()
      pages.append(page)
      place = page.next
      try #require(pages.count <= 50, "the pages have no end")
    } while pages.last?.hasNext == true
    return pages
  }
}

/// A number that any thread may raise.
final class Counter: Sendable {
  private let value = Mutex(0)

  var count: Int { value.withLock { $0 } }

  func add() { value.withLock { $0 += 1 } }
}

extension Page {
  var ids: [String] { items.map(\.id.string) }
}

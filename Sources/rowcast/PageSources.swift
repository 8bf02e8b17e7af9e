import FileSource
import JSONText
import ListModel
import Service
import Sessions
import WebSource

/// The sources that pages are read from, one of each kind; each starts when the first page is asked of it.
struct PageSources: Sendable {
  private let files = FileSource()
  private let web: WebSource

  /// - Parameters:
  ///   - fetches: the most upstream requests at a time.
  ///   - trace: is told of each request to a web API and its answer.
  ///   - retried: is told the table's name before each further attempt at a page.
  init(
    fetches: Int, trace: (@Sendable (WebExchange) -> Void)? = nil,
    retried: @escaping @Sendable (Bytes) -> Void
  ) {
    var settings = WebSource.Settings(userAgent: "\(Product.name)/\(Product.version)")
    let environment = Process.environment
    settings.fetches = fetches
    settings.certificates = Certificates(
      file: environment.nonempty("SSL_CERT_FILE"), folder: environment.nonempty("SSL_CERT_DIR"))
    settings.trace = trace
    settings.retried = retried
    web = WebSource(settings)
  }

  /// The source of a table; nil where its rows come from clients.
  @Sendable func source(of table: TableDefinition) -> (any PageSource)? {
    switch table.source {
    case .client: nil
    case .file: files
    case .http: web
    }
  }
}

extension [String: String] {
  /// A variable that is set to something.
  fileprivate func nonempty(_ name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }
}

import EventLoop
import JSONText
import ListModel
import Sessions
import Synchronization

/// The source of tables of kind `http`: pages of a web API.
///
/// One thread with an event loop of its own does all requests, however many at a time, so that neither an answer that
/// is large nor one that never comes keeps the server's loops waiting. The thread starts with the first page asked
/// for; when the source is let go, what is still awaited fails as `interrupted`.
public final class WebSource: PageSource {
  /// How a source behaves.
  public struct Settings: Sendable {
    /// The most upstream requests at a time.
    public var fetches = 64
    /// What the source calls itself.
    public var userAgent: String
    /// Which certificates are trusted.
    public var certificates = Certificates()
    /// The pause before the second attempt, at most, in seconds; it doubles with each further one.
    public var pauseSeconds = 0.2
    /// Bytes of answers that are held to ask upstreams whether they are still the same.
    public var heldBytes = 64 << 20
    /// Is told the table's name before each attempt but the first of a page.
    public var retried: @Sendable (Bytes) -> Void = { _ in }
    /// Is told of each request and its answer.
    public var trace: (@Sendable (WebExchange) -> Void)?

    /// Settings with everything else as usual.
    public init(userAgent: String) { self.userAgent = userAgent }
  }

  private let settings: Settings
  private let started = Mutex<Started?>(nil)

  private struct Started {
    let thread: LoopThread
    let desk: DeskBox
  }

  /// A source without a thread yet.
  public init(_ settings: Settings) { self.settings = settings }

  deinit {
    if let started = started.withLock({ $0 }) { started.thread.loop.execute { started.desk.close() } }
  }

  /// Reads a page.
  ///
  /// `completion` is called on the source's thread, or on this one where no thread can be started.
  public func read(
    _ request: PageRequest, completion: @escaping @Sendable (Result<Page, UpstreamFailure>) -> Void
  ) {
    guard let (loop, desk) = start() else {
      return completion(.failure(DeskBox.unavailable))
    }
    loop.execute { desk.take(request, completion) }
  }

  private func start() -> (Loop, DeskBox)? {
    started.withLock { started in
      if let started { return (started.thread.loop, started.desk) }
      do throws(ServerError) {
        let thread = try LoopThread("rowcast-web")
        let desk = DeskBox(thread.loop, settings)
        started = Started(thread: thread, desk: desk)
        return (thread.loop, desk)
      } catch {
        return nil  // the page fails, and the next one tries again
      }
    }
  }
}

/// The desk, made and used by jobs of its loop.
///
/// Unchecked: `desk` is touched on the loop's thread only.
private final class DeskBox: @unchecked Sendable {
  private let loop: Loop
  private let settings: WebSource.Settings
  private var desk: FetchDesk?
  private var isClosed = false

  init(_ loop: Loop, _ settings: WebSource.Settings) {
    self.loop = loop
    self.settings = settings
  }

  static let unavailable = UpstreamFailure(
    .unreachable, detail: "no requests can be made: the system has no thread or memory for them; try again")

  func take(_ request: PageRequest, _ completion: @escaping @Sendable (Result<Page, UpstreamFailure>) -> Void)
  {
    if desk == nil, !isClosed, let pool = TransferPool(on: loop) {
      desk = FetchDesk(FetchTools(loop: loop, pool: pool, settings: settings), limit: settings.fetches)
    }
    guard let desk else { return completion(.failure(Self.unavailable)) }
    desk.take(request, completion)
  }

  func close() {
    isClosed = true
    desk?.close()
    desk = nil
  }
}

/// One request to an upstream and what came of it, for the author of a table.
public struct WebExchange: Sendable {
  /// The attempt, from 1.
  public var attempt: Int
  /// The method.
  public var method: String
  /// Where it was asked; its query may hold secrets.
  public var address: WebAddress
  /// The status of the answer, where one came.
  public var status: Int?
  /// How long it took.
  public var milliseconds: Int
  /// Bytes of the answer's body, decompressed.
  public var bytes: Int
  /// The part of the answer that made it fail.
  public var evidence: Bytes?
}

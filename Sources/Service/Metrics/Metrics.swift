import HTTP1
import JSONText
import ListModel
import Synchronization

/// What the server counts about itself, for `/metrics`.
///
/// Any thread may count at any time.
public final class Metrics: Sendable {
  /// How a command ended.
  public enum CommandOutcome: UInt8, Sendable, CaseIterable {
    /// The list was changed.
    case changed
    /// There was nothing to do.
    case unchanged
    /// Answered before its fetch had ended (202).
    case pending
    /// An earlier answer was given again.
    case replayed
    /// Refused for what it asked (4xx).
    case refused
    /// Failed here (5xx).
    case failed
  }

  struct Upstream: Sendable {
    var requests = 0
    var retries = 0
    var leftOut = 0
    var failures = [Int](repeating: 0, count: UpstreamFailure.Code.allCases.count)
    let seconds = Histogram()
  }

  /// Methods × paths × statuses; untouched pages of it cost no memory.
  let requests = AtomicCells(count: RequestSeries.count)
  let requestSeconds = (0..<RequestSeries.routes).map { _ in Histogram() }
  let commands = AtomicCells(count: CommandName.allCases.count * CommandOutcome.allCases.count)
  /// By the table's name; one entry for each table that was ever asked, which the configuration bounds.
  let upstreams = Mutex<[Bytes: Upstream]>([:])

  /// Nothing counted yet.
  public init() {}

  /// Counts an answered request.
  ///
  /// `route` is nil where the path is unknown.
  public func countRequest(_ method: Method, _ route: RouteKind?, status: Int, nanoseconds: Int) {
    requests.add(1, at: RequestSeries.index(method, route, status: status))
    requestSeconds[RequestSeries.route(route)].observe(nanoseconds: nanoseconds)
  }

  /// Counts a command, also those that came in a batch.
  public func countCommand(_ command: CommandName, _ outcome: CommandOutcome) {
    commands.add(1, at: command.ordinal * CommandOutcome.allCases.count + Int(outcome.rawValue))
  }

  /// Counts a request to the source of `table`.
  public func countUpstreamRequest(_ table: Bytes, failure: UpstreamFailure.Code?, nanoseconds: Int) {
    upstreams.withLock { upstreams in
      upstreams[table, default: Upstream()].requests += 1
      upstreams[table]?.seconds.observe(nanoseconds: nanoseconds)
      if let place = failure.flatMap({ UpstreamFailure.Code.allCases.firstIndex(of: $0) }) {
        upstreams[table]?.failures[place] += 1
      }
    }
  }

  /// Counts another attempt at a page of `table`'s source.
  public func countUpstreamRetry(_ table: Bytes) {
    upstreams.withLock { $0[table, default: Upstream()].retries += 1 }
  }

  /// Counts items of `table`'s source that could not be used.
  public func countItemsLeftOut(_ table: Bytes, _ count: Int) {
    upstreams.withLock { $0[table, default: Upstream()].leftOut += count }
  }
}

extension CommandName {
  /// Its place among all commands, from 0.
  var ordinal: Int {
    switch self {
    case .load: 0
    case .refresh: 1
    case .loadMore: 2
    case .retry: 3
    case .fail: 4
    case .insert: 5
    case .delete: 6
    case .move: 7
    case .update: 8
    case .replace: 9
    case .batch: 10
    case .select: 11
    case .transition: 12
    }
  }
}

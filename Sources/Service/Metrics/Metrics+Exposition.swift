import HTTP1
import JSONText
import ListModel

/// What only the process itself can tell.
public struct ProcessFacts: Sendable {
  /// When it started, in milliseconds since 1970.
  public var started: Int
  /// Bytes of memory that it holds; nil where the system does not say.
  public var residentBytes: Int?
  /// The number of sessions.
  public var sessions: Int
  /// The number of those in memory.
  public var residentSessions: Int
  /// The number of those in memory that are packed.
  public var packedSessions: Int
  /// The number of open connections.
  public var connections: Int

  /// Facts of these values.
  public init(
    started: Int, residentBytes: Int?, sessions: Int, residentSessions: Int, packedSessions: Int,
    connections: Int
  ) {
    self.started = started
    self.sessions = sessions
    self.residentSessions = residentSessions
    self.packedSessions = packedSessions
    self.connections = connections
    self.residentBytes = residentBytes
  }
}

extension Metrics {
  /// The answer to `GET /metrics`: every series that has counted something, in an order that never changes.
  public func response(_ process: ProcessFacts) -> Response {
    var response = Response(status: 200, body: .bytes(exposition(process)))
    response.add("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
    response.add("Cache-Control", "no-store")
    return response
  }

  /// The text of the answer, in Prometheus's text format 0.0.4.
  ///
  /// O(series).
  public func exposition(_ process: ProcessFacts) -> [UInt8] {
    var page = Exposition()
    addRequests(to: &page)
    addCommands(to: &page)
    addUpstreams(to: &page)

    page.begin("rowcast_sessions", .gauge, "Sessions that are there.")
    page.sample("rowcast_sessions", process.sessions)
    page.begin(
      "rowcast_sessions_resident", .gauge, "Sessions that are in memory; the others rest in the store.")
    page.sample("rowcast_sessions_resident", process.residentSessions)
    page.begin(
      "rowcast_sessions_packed", .gauge, "Sessions in memory that nobody uses at the moment, made small.")
    page.sample("rowcast_sessions_packed", process.packedSessions)
    page.begin("rowcast_connections", .gauge, "Open connections.")
    page.sample("rowcast_connections", process.connections)
    page.begin("rowcast_build_info", .gauge, "Always 1; the labels say which build this is.")
    page.sample("rowcast_build_info", 1, labels: [("version", Bytes("\(Product.version)"))])
    page.begin("process_start_time_seconds", .gauge, "When the process started, in seconds since 1970.")
    page.sample("process_start_time_seconds", thousandths: process.started)
    if let bytes = process.residentBytes {
      page.begin("process_resident_memory_bytes", .gauge, "Memory that the process holds.")
      page.sample("process_resident_memory_bytes", bytes)
    }
    return page.text
  }

  private func addRequests(to page: inout Exposition) {
    page.begin("rowcast_http_requests_total", .counter, "Requests answered.")
    for route in 0..<RequestSeries.routes {
      for (row, method) in RequestSeries.methods.enumerated() {
        for (column, status) in RequestSeries.statuses.enumerated() {
          let place = (route * RequestSeries.methods.count + row) * RequestSeries.statuses.count + column
          guard requests[place] != 0 else { continue }
          let labels: Exposition.Labels = [
            ("method", method.name), ("route", RequestSeries.label(route)), ("status", Bytes(String(status))),
          ]
          page.sample("rowcast_http_requests_total", requests[place], labels: labels)
        }
      }
    }
    page.begin("rowcast_http_request_seconds", .histogram, "Time from a request's last byte to its answer.")
    for (route, histogram) in requestSeconds.enumerated() where histogram.buckets.contains(where: { $0 != 0 })
    {
      page.histogram("rowcast_http_request_seconds", [("route", RequestSeries.label(route))], histogram)
    }
  }

  private func addCommands(to page: inout Exposition) {
    page.begin("rowcast_commands_total", .counter, "Commands, by how they ended.")
    for command in CommandName.allCases {
      for outcome in CommandOutcome.allCases {
        let count = commands[command.ordinal * CommandOutcome.allCases.count + Int(outcome.rawValue)]
        guard count != 0 else { continue }
        let labels: Exposition.Labels = [
          ("command", Bytes(command.rawValue)), ("outcome", Bytes("\(outcome)")),
        ]
        page.sample("rowcast_commands_total", count, labels: labels)
      }
    }
  }

  private func addUpstreams(to page: inout Exposition) {
    let tables = upstreams.withLock { $0 }.sorted { $0.key.array.lexicographicallyPrecedes($1.key.array) }
    page.begin("rowcast_upstream_requests_total", .counter, "Pages asked of a table's source.")
    for (table, upstream) in tables {
      page.sample("rowcast_upstream_requests_total", upstream.requests, labels: [("table", table)])
    }
    page.begin("rowcast_upstream_retries_total", .counter, "Further attempts at pages of a table's source.")
    for (table, upstream) in tables {
      page.sample("rowcast_upstream_retries_total", upstream.retries, labels: [("table", table)])
    }
    page.begin(
      "rowcast_upstream_failures_total", .counter, "Pages that could not be had, by the type of the failure.")
    for (table, upstream) in tables {
      for (code, count) in zip(UpstreamFailure.Code.allCases, upstream.failures) where count != 0 {
        page.sample(
          "rowcast_upstream_failures_total", count,
          labels: [("table", table), ("type", Bytes(code.rawValue))])
      }
    }
    page.begin(
      "rowcast_upstream_items_left_out_total", .counter,
      "Items of a source without a usable id, off their cell's required members, or too large.")
    for (table, upstream) in tables {
      page.sample("rowcast_upstream_items_left_out_total", upstream.leftOut, labels: [("table", table)])
    }
    page.begin("rowcast_upstream_seconds", .histogram, "Time that a table's source took for a page.")
    for (table, upstream) in tables {
      page.histogram("rowcast_upstream_seconds", [("table", table)], upstream.seconds)
    }
  }
}

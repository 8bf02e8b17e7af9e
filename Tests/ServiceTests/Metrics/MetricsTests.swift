import Foundation
import HTTP1
import JSONText
import ListModel
import Service
import Testing

@Suite struct MetricsTests {
  let facts = ProcessFacts(
    started: 1_767_323_045_678, residentBytes: 12_345_678, sessions: 4, residentSessions: 3,
    packedSessions: 2, connections: 7)

  private func lines(_ metrics: Metrics) -> [String] {
    String(decoding: metrics.exposition(facts), as: UTF8.self).split(separator: "\n").map(String.init)
  }

  @Test func requestsAreCountedByMethodRouteAndStatus() {
    let metrics = Metrics()
    metrics.countRequest(.get, .session, status: 200, nanoseconds: 99_000)
    metrics.countRequest(.get, .session, status: 200, nanoseconds: 2_000_000_000)
    metrics.countRequest(.post, .command, status: 409, nanoseconds: 1)
    metrics.countRequest(.connect, nil, status: 404, nanoseconds: 1)
    let lines = lines(metrics)
    #expect(
      lines.contains(
        "rowcast_http_requests_total{method=\"GET\",route=\"/v1/sessions/{id}\",status=\"200\"} 2"))
    #expect(
      lines.contains(
        "rowcast_http_requests_total{method=\"POST\",route=\"/v1/sessions/{id}/{command}\",status=\"409\"} 1")
    )
    #expect(
      lines.contains("rowcast_http_requests_total{method=\"CONNECT\",route=\"unknown\",status=\"404\"} 1"))
    #expect(
      lines.contains("rowcast_http_request_seconds_bucket{route=\"/v1/sessions/{id}\",le=\"0.0001\"} 1"))
    #expect(lines.contains("rowcast_http_request_seconds_bucket{route=\"/v1/sessions/{id}\",le=\"1\"} 1"))
    #expect(lines.contains("rowcast_http_request_seconds_bucket{route=\"/v1/sessions/{id}\",le=\"2.5\"} 2"))
    #expect(lines.contains("rowcast_http_request_seconds_bucket{route=\"/v1/sessions/{id}\",le=\"+Inf\"} 2"))
    #expect(lines.contains("rowcast_http_request_seconds_sum{route=\"/v1/sessions/{id}\"} 2.000099000"))
    #expect(lines.contains("rowcast_http_request_seconds_count{route=\"/v1/sessions/{id}\"} 2"))
  }

  @Test(arguments: [-5, 0, 99, 200, 207, 451, 505, 599, 70_000]) func everyStatusHasACell(_ status: Int) {
    let metrics = Metrics()
    for kind in RouteKind.allCases + [nil] {
      metrics.countRequest(.connect, kind, status: status, nanoseconds: -1)
    }
    #expect(
      lines(metrics).count { $0.hasPrefix("rowcast_http_requests_total{") } == RouteKind.allCases.count + 1)
  }

  @Test func commandsGaugesAndTheProcessAreTold() {
    let metrics = Metrics()
    metrics.countCommand(.loadMore, .pending)
    metrics.countCommand(.transition, .refused)
    let lines = lines(metrics)
    for line in [
      "rowcast_commands_total{command=\"load-more\",outcome=\"pending\"} 1",
      "rowcast_commands_total{command=\"transition\",outcome=\"refused\"} 1", "rowcast_sessions 4",
      "rowcast_sessions_resident 3", "rowcast_sessions_packed 2",
      "rowcast_connections 7",
      "rowcast_build_info{version=\"0.1.0\"} 1", "process_start_time_seconds 1767323045.678",
      "process_resident_memory_bytes 12345678",
    ] {
      #expect(lines.contains(line), "\(line)")
    }
  }

  @Test func upstreamsAreCountedByTableAndTheirNamesEscaped() {
    let metrics = Metrics()
    metrics.countUpstreamRequest("b", failure: .timeout, nanoseconds: 5_000_000)
    metrics.countUpstreamRequest("b", failure: nil, nanoseconds: 5_000_000)
    metrics.countItemsLeftOut("b", 4)
    metrics.countUpstreamRequest("a\"\\\n", failure: nil, nanoseconds: 1)
    let lines = lines(metrics)
    #expect(lines.contains("rowcast_upstream_requests_total{table=\"b\"} 2"))
    #expect(lines.contains("rowcast_upstream_failures_total{table=\"b\",type=\"upstream-timeout\"} 1"))
    #expect(lines.contains("rowcast_upstream_items_left_out_total{table=\"b\"} 4"))
    #expect(lines.contains("rowcast_upstream_seconds_count{table=\"b\"} 2"))
    #expect(lines.contains("rowcast_upstream_requests_total{table=\"a\\\"\\\\\\n\"} 1"))
  }

  @Test func everySampleStandsBehindItsHelpAndTypeAndTheOrderStays() {
    let metrics = Metrics()
    for kind in RouteKind.allCases { metrics.countRequest(.get, kind, status: 200, nanoseconds: 1) }
    metrics.countUpstreamRequest("t", failure: .repeats, nanoseconds: 1)
    var name = ""
    var seen: Set<String> = []
    for line in lines(metrics) {
      let words = line.split(separator: " ")
      if line.hasPrefix("# HELP") {
        name = String(words[2])
        #expect(seen.insert(name).inserted, "\(name) twice")
      } else if line.hasPrefix("# TYPE") {
        #expect(words[2] == name)
      } else {
        let series = words[0].prefix { $0 != "{" }
        let suffixes = ["", "_bucket", "_sum", "_count"].map { name + $0 }
        #expect(suffixes.contains(String(series)), "\(line)")
      }
    }
    #expect(metrics.exposition(facts) == metrics.exposition(facts))
    #expect(metrics.response(facts).field("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
  }

  @Test func countsOfManyThreadsAreAllThere() {
    let metrics = Metrics()
    let done = DispatchSemaphore(value: 0)
    let threads = (0..<4).map { _ in
      Thread {
        for _ in 0..<10_000 { metrics.countRequest(.post, .command, status: 200, nanoseconds: 1000) }
        done.signal()
      }
    }
    threads.forEach { $0.start() }
    for _ in threads { #expect(done.wait(timeout: .now() + 60) == .success) }
    #expect(lines(metrics).contains { $0.hasSuffix("status=\"200\"} 40000") })
  }
}

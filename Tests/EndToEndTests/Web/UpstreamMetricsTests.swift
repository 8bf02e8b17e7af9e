import Foundation
import ScriptedUpstream
import Synchronization
import Testing
import TestSupport

/// What `/metrics` says of upstreams.
@Suite(.fewAtOnce, .timeLimit(.minutes(5))) struct UpstreamMetricsTests {
  @Test("requests, retries, failures by type, seconds and items left out are counted by table")
  func counts() async throws {
    let step = Switch()
    let attempts = Mutex(0)
    let upstream = try ScriptedUpstream { request in
      switch request.path {
      case "/flaky":
        // Two attempts fail, the third does; then nothing does any more.
        let attempt = attempts.withLock {
          $0 += 1; return $0
        }
        if step.isOn || attempt < 3 { return .json("{}", status: 502) }
        return .json(#"{"items": [{"id": 1}, {"id": null}, {"no": 2}, {"id": 3}]}"#)
      case "/broken": return .json("<html>")
      default: return .json(#"{"items": [{"id": 1}], "next": "again"}"#)
      }
    }
    func table(_ path: String, _ rest: String = "") -> String {
      #""source": {"kind": "http", "url": "\#(upstream.origin)/\#(path)", "items": "/items"\#(rest)}"#
    }
    let tables = """
      "flaky": {\(table("flaky"))}, "broken": {\(table("broken"))},
      "round": {\(table("round", #", "paging": {"style": "cursor", "param": "c", "next": "/next"}"#))}, "never": {\(table("never"))}
      """
    try await onThread {
      let server = try RunningServer(tables: tables)
      defer { server.stop() }
      let flaky = try WebSession(server, "flaky")
      #expect(try flaky.send("load").answer["snapshot"].ids == ["1", "3"])
      step.set(true)
      #expect(try flaky.send("refresh").answer["snapshot"]["error"]["upstreamStatus"].integer == 502)
      let broken = try WebSession(server, "broken")
      for command in ["load", "retry"] { try broken.send(command) }
      let round = try WebSession(server, "round")
      for command in ["load", "load-more"] { try round.send(command) }

      let lines = try server.metrics("rowcast_upstream_")
      let expected = [
        #"rowcast_upstream_requests_total{table="broken"} 2"#,
        #"rowcast_upstream_requests_total{table="flaky"} 2"#,
        #"rowcast_upstream_requests_total{table="round"} 2"#,
        #"rowcast_upstream_retries_total{table="broken"} 0"#,
        #"rowcast_upstream_retries_total{table="flaky"} 4"#,
        #"rowcast_upstream_retries_total{table="round"} 0"#,
        #"rowcast_upstream_failures_total{table="broken",type="upstream-malformed"} 2"#,
        #"rowcast_upstream_failures_total{table="flaky",type="upstream-status"} 1"#,
        #"rowcast_upstream_failures_total{table="round",type="upstream-repeats"} 1"#,
        #"rowcast_upstream_items_left_out_total{table="broken"} 0"#,
        #"rowcast_upstream_items_left_out_total{table="flaky"} 2"#,
        #"rowcast_upstream_items_left_out_total{table="round"} 0"#,
      ]
      #expect(lines.filter { !$0.hasPrefix("rowcast_upstream_seconds") } == expected)
      try checkHistograms(
        server.metrics("rowcast_upstream_seconds"), counts: ["broken": 2, "flaky": 2, "round": 2])
      try checkFormat(server.metrics(""))
    }
  }

  /// Buckets rise, end in `+Inf`, which is the count; what was slow is in none of the quick ones.
  private func checkHistograms(_ lines: [String], counts: [String: Int]) throws {
    for (table, count) in counts {
      let buckets = try lines.filter { $0.hasPrefix("rowcast_upstream_seconds_bucket{table=\"\(table)\"") }
        .map {
          try #require($0.wholeMatch(of: /.*,le="([^"]+)"\} ([0-9]+)/)).output
        }
      let bounds = buckets.map { $0.1 == "+Inf" ? Double.infinity : Double($0.1) ?? .nan }
      let values = buckets.compactMap { Int($0.2) }
      #expect(bounds == bounds.sorted() && bounds.last == .infinity && Set(bounds).count == bounds.count)
      #expect(values == values.sorted() && values.last == count)
      #expect(lines.contains("rowcast_upstream_seconds_count{table=\"\(table)\"} \(count)"))
      let sum = lines.first { $0.hasPrefix("rowcast_upstream_seconds_sum{table=\"\(table)\"} ") }?.split(
        separator: " "
      ).last
      let seconds = try #require(sum.flatMap { Double($0) })
      // Two pauses before the third attempt, of at least 0.1 s and 0.2 s.
      #expect(table == "flaky" ? seconds > 0.6 && values[0] == 0 : seconds < 10)
    }
  }

  /// Prometheus's text format: each metric has its help and type once, before its samples, which stand together.
  private func checkFormat(_ lines: [String]) throws {
    var types: [String: String] = [:]
    var current = ""
    var series: Set<Substring> = []
    for line in lines where !line.isEmpty {
      if let type = line.wholeMatch(of: /# TYPE ([a-z_]+) (counter|gauge|histogram)/) {
        #expect(
          types.updateValue(String(type.2), forKey: String(type.1)) == nil && current == type.1, "\(line)")
      } else if let help = line.wholeMatch(of: /# HELP ([a-z_]+) .+/) {
        current = String(help.1)
      } else {
        let sample = try #require(
          line.wholeMatch(of: /(([a-z_]+)(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})?) (-?[0-9.]+)/), "\(line)")
        #expect(series.insert(sample.1).inserted, "\(line) twice")
        let suffixes = types[current] == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
        #expect(suffixes.contains { current + $0 == sample.2 }, "\(line) under \(current)")
        #expect(types[current] != "counter" || current.hasSuffix("_total"), "\(line)")
      }
    }
    #expect(types.count > 5)
  }
}

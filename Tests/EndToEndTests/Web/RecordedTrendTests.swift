import Foundation
import JSONText
import ScriptedUpstream
import Synchronization
import Testing
import TestSupport

/// A recorded ranking, where it lies beside the checkout: thirty articles in forty states.
@Suite(.fewAtOnce, .timeLimit(.minutes(5)), .enabled(if: Recordings.folder != nil)) struct RecordedTrendTests
{
  @Test("a list that changes with every refresh is kept up with by the ops alone")
  func trend() async throws {
    let states = try JSONValue(parsing: Bytes(Recordings.bytes("qiita-trend-sequence.json"))).elements
    let present = Mutex(0)
    let upstream = try ScriptedUpstream { _ in .text(states[present.withLock { $0 }].text.array) }
    let source = #""source": {"kind": "http", "url": "\#(upstream.origin)/trend"}, "pageSize": 30"#
    try await onThread {
      let server = try RunningServer(tables: #""trend": {\#(source)}"#)
      defer { server.stop() }
      let session = try WebSession(server, "trend")
      var replica = Replica()
      try replica.take(
        ServerEvent(id: 0, name: "snapshot", data: session.socket.call("GET", session.path).body))
      for (index, state) in states.enumerated() {
        present.withLock { $0 = index }
        let body = try session.socket.call("POST", "\(session.path)/\(index == 0 ? "load" : "refresh")").body
        let answer = try JSONValue(parsing: Bytes(body))
        for change in answer.member("changes")?.elements ?? [] {
          try replica.take(
            ServerEvent(
              id: change.member("revision")?.integer, name: "change", data: change.text.array))
        }
        let rows = answer.member("snapshot")?.member("rows")?.elements ?? []
        #expect(replica.rows == rows.map(\.text), "state \(index)")
        #expect(
          rows.dropLast().map { $0.member("data")?.text } == state.elements.map { $0.minified().text },
          "state \(index)")
      }
    }
    #expect(upstream.requests.count == states.count)
  }
}

import Foundation
import Sessions
import Synchronization
import Testing

/// A client that has nothing but the ops of the feed (protocol §4).
final class Follower: FeedSink {
  struct Row {
    var id: String
    var name: String
  }

  private struct State {
    var frames: [String] = []
    var next = 0
    var rows = [Row(id: "placeholder", name: "")]
    var revision = 0
  }

  private let state = Mutex(State())

  var log: [String] { state.withLock { $0.frames } }
  var rows: [Row] { state.withLock { $0.rows } }
  var revision: Int { state.withLock { $0.revision } }

  func send(change frame: [UInt8]) { add(frame) }
  func begin(with frames: [UInt8]) { if !frames.isEmpty { add(frames) } }
  func finish(_ frame: [UInt8]) { add(frame) }

  private func add(_ frame: [UInt8]) {
    state.withLock { $0.frames.append(String(decoding: frame, as: UTF8.self)) }
  }

  func catchUp() throws {
    try state.withLock { state in
      while state.next < state.frames.count {
        let data = Data(state.frames[state.next].utf8)
        state.next += 1
        let change = try #require(JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(change["revision"] as? Int == state.revision + 1)
        state.revision += 1
        Self.apply(change["ops"] as? [[String: Any]] ?? [], to: &state.rows)
      }
    }
  }

  private static func apply(_ ops: [[String: Any]], to rows: inout [Row]) {
    func number(_ op: [String: Any], _ key: String) -> Int { op[key] as? Int ?? -1 }
    func row(_ op: [String: Any]) -> Row {
      let row = op["row"] as? [String: Any] ?? [:]
      return Row(
        id: row["id"] as? String ?? "placeholder",
        name: (row["data"] as? [String: Any])?["name"] as? String ?? "")
    }
    let moves = ops.filter { $0["op"] as? String == "move" }
    let moved = moves.map { (to: number($0, "to"), row: rows[number($0, "from")]) }
    let inserted = ops.filter { $0["op"] as? String == "insert" }.map { (to: number($0, "to"), row: row($0)) }
    let out = ops.filter { ["delete", "move"].contains($0["op"] as? String) }.map { number($0, "from") }
    for index in out.sorted(by: >) { rows.remove(at: index) }
    for place in (moved + inserted).sorted(by: { $0.to < $1.to }) { rows.insert(place.row, at: place.to) }
    for op in ops where op["op"] as? String == "update" { rows[number(op, "to")] = row(op) }
  }
}

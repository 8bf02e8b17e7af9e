import JSONText
import ListDiff
import RowcastClient
import Testing

@Suite("Following a session") struct FollowingTests {
  private func event(_ type: Bytes, _ data: String) -> ServerSentEvent {
    ServerSentEvent(type: type, data: Bytes(data))
  }

  private func item(_ id: String, _ data: String = "{}") -> String {
    "{\"id\":\"\(id)\",\"cell\":\"Cell\",\"data\":\(data)}"
  }

  private func snapshot(_ revision: Int, _ rows: [String]) -> ServerSentEvent {
    event(
      "snapshot",
      """
      {"session":"s","table":"t","params":{},"revision":\(revision),"state":"populated","loading":null,\
      "hasNext":false,"error":null,"itemCount":\(rows.count),"rowCount":\(rows.count),"selected":null,\
      "offset":0,"rows":[\(rows.joined(separator: ","))]}
      """)
  }

  private func change(_ revision: Int, rowCount: Int, _ ops: String, more: String = "") -> ServerSentEvent {
    event(
      "change",
      """
      {"revision":\(revision),"cause":"batch","state":"populated","loading":null,"hasNext":true,"error":null,\
      "selected":"b","itemCount":\(rowCount),"rowCount":\(rowCount)\(more),"ops":[\(ops)]}
      """)
  }

  private func started() -> Following {
    var following = Following()
    _ = following.receive(snapshot(5, ["a", "b", "c"].map { item($0) }))
    return following
  }

  private func ids(_ following: Following) -> [String] {
    following.list?.rows.map { $0.id?.string ?? "-" } ?? []
  }

  @Test("begins with a snapshot and goes on by changes")
  func changes() throws {
    var following = started()
    #expect(ids(following) == ["a", "b", "c"])
    let ops = """
      {"op":"delete","from":0},{"op":"move","from":2,"to":0},{"op":"insert","to":2,"row":\(item("d"))},\
      {"op":"update","from":1,"to":1,"row":\(item("b", "{\"n\":1.0}"))}
      """
    guard
      case .change(let change) = following.receive(
        change(6, rowCount: 3, ops, more: ",\"tag\":\"mine\",\"params\":{\"q\":\"x\"}"))
    else {
      Issue.record("the change was not taken in")
      return
    }
    #expect(ids(following) == ["c", "b", "d"])
    #expect(change.batch.count == 4 && change.cause == "batch" && change.tag == "mine")
    let list = try #require(following.list)
    #expect(list.rows[1].data.text == "{\"n\":1.0}")
    #expect(list.header.revision == 6 && list.header.hasNext && list.header.selected == "b")
    #expect(list.params.text == "{\"q\":\"x\"}" && list.session == "s" && list.table == "t")
    #expect(following.resumption == 6)
  }

  @Test("passes over a change that it has")
  func repeats() {
    var following = started()
    for revision in [5, 4, -1] {
      let repeated = change(revision, rowCount: 2, "{\"op\":\"delete\",\"from\":0}")
      guard case .nothing = following.receive(repeated) else {
        Issue.record("revision \(revision) was taken in")
        return
      }
    }
    #expect(ids(following) == ["a", "b", "c"] && following.resumption == 5)
  }

  @Test(
    "starts over where a change does not fit, and keeps the list until then",
    arguments: [
      (7, 2, "{\"op\":\"delete\",\"from\":0}", "came 7"),
      (6, 3, "{\"op\":\"delete\",\"from\":0}", "number of rows"),
      (6, 2, "{\"op\":\"delete\",\"from\":3}", "out of range"),
      (6, 2, "{\"op\":\"delete\",\"from\":-1}", "out of"),
      (6, 3, "{\"op\":\"move\",\"from\":0}", "op"), (6, 2, "{\"op\":\"delete\",\"from\":1e3}", "op"),
      (6, 3, "{\"op\":\"twist\",\"from\":0,\"to\":0}", "op"), (6, 3, "7", "op"),
      (6, 4, "{\"op\":\"insert\",\"to\":0,\"row\":{\"cell\":\"C\",\"data\":1}}", "neither"),
      (6, 4, "{\"op\":\"insert\",\"to\":0,\"row\":{\"id\":\"x\",\"data\":1}}", "no cell"),
      (
        6, 3, "{\"op\":\"update\",\"from\":0,\"to\":1,\"row\":{\"id\":\"a\",\"cell\":\"C\",\"data\":1}}",
        "same row"
      ),
      (6, 3, "{", "no JSON"),
    ])
  func faults(revision: Int, rowCount: Int, ops: String, message: String) {
    var following = started()
    guard case .cut(let reason, false) = following.receive(change(revision, rowCount: rowCount, ops)) else {
      Issue.record("it was taken in")
      return
    }
    #expect(reason.contains(message), "\(reason)")
    #expect(ids(following) == ["a", "b", "c"] && following.resumption == nil)
    // Whatever else the lost stream may bring is not trusted; a new snapshot is.
    guard case .cut = following.receive(change(6, rowCount: 2, "{\"op\":\"delete\",\"from\":0}")) else {
      Issue.record("a change was taken in before the snapshot")
      return
    }
    guard case .snapshot = following.receive(snapshot(9, [item("z")])) else {
      Issue.record("the snapshot was not taken in")
      return
    }
    #expect(ids(following) == ["z"] && following.resumption == 9)
  }

  @Test("knows an end from a cut")
  func ends() {
    func outcome(_ data: String) -> String {
      var following = started()
      return switch following.receive(event("end", data)) {
      case .over(let end): "over \(end)"
      case .cut(_, let isPrompt): "cut \(isPrompt) \(following.resumption ?? -1)"
      default: "nothing"
      }
    }
    #expect(outcome("{\"reason\":\"deleted\"}") == "over deleted")
    #expect(outcome("{\"reason\":\"expired\"}") == "over expired")
    #expect(outcome("{\"reason\":\"draining\"}") == "cut false 5")
    #expect(outcome("{\"reason\":\"lagging\"}") == "cut true 5")
    #expect(outcome("{\"reason\":\"new\"}") == "cut false 5")
    #expect(outcome("[]") == "cut false 5")
  }

  @Test("refuses a snapshot that is none")
  func snapshots() {
    var following = Following()
    for data in ["", "[]", "{}", "{\"revision\":1}"] {
      guard case .cut = following.receive(event("snapshot", data)) else {
        Issue.record("\(data) was taken in")
        continue
      }
    }
    guard case .nothing = following.receive(event("gossip", "x")) else {
      Issue.record("an unknown event was taken in")
      return
    }
    #expect(following.list == nil)
  }
}

extension FollowingTests {
  @Test("cut at any byte of the stream it resumes without a loss or a repeat")
  func everyCut() throws {
    let begin = snapshot(5, ["a", "b", "c"].map { item($0) })
    let changes = [
      change(6, rowCount: 4, "{\"op\":\"insert\",\"to\":0,\"row\":\(item("d", "\"ü\""))}"),
      change(7, rowCount: 4, "{\"op\":\"move\",\"from\":3,\"to\":1}"),
      change(8, rowCount: 3, "{\"op\":\"delete\",\"from\":2}"),
    ]
    func stream(_ events: [ServerSentEvent]) -> [UInt8] {
      Array(events.map { "event: \($0.type)\ndata: \($0.data)\n\n" }.joined().utf8)
    }
    let whole = stream([begin] + changes)
    for cut in 0...whole.count {
      var following = Following()
      var revisions: [Int] = []
      func read(_ bytes: ArraySlice<UInt8>) throws {
        var parser = EventStreamParser()
        for event in try parser.read(bytes) {
          switch following.receive(event) {
          case .snapshot, .change: revisions.append(following.list?.header.revision ?? 0)
          case .nothing, .cut, .over: Issue.record("cut at \(cut): \(event.data)")
          }
        }
      }
      try read(whole[..<cut])
      try read(stream(following.resumption.map { Array(changes[($0 - 5)...]) } ?? [begin] + changes)[...])
      #expect(revisions == [5, 6, 7, 8], "cut at \(cut)")
      #expect(ids(following) == ["d", "c", "b"], "cut at \(cut)")
    }
  }
}

@Suite("The waits between connections") struct BackoffTests {
  @Test("double up to the longest, begin anew after a success, and heed the server")
  func waits() {
    var backoff = Backoff(first: 1, longest: 6)
    let waits = (0..<4).map { _ in backoff.fail(chance: 0) }
    #expect(waits == [1, 2, 4, 6])
    backoff.succeed()
    #expect(backoff.fail(asked: 3, chance: 1) == 3.75)
    #expect(backoff.fail(asked: 600, chance: 0) == 6)
    for _ in 0..<100 { _ = backoff.fail(chance: 0) }
    #expect(backoff.fail(chance: 0) == 6)
  }
}

import Foundation
import JSONText
import RowcastClient
import Testing
import TestSupport

/// `rowcast watch` and the client library against the built server.
@Suite(.fewAtOnce, .timeLimit(.minutes(5))) struct WatchTests {
  private func withSession<Value: Sendable>(
    _ body: @escaping @Sendable (RunningServer, _ url: String) throws -> Value
  ) async throws -> Value {
    try await onThread {
      let server = try RunningServer()
      defer { server.stop() }
      try server.request("PUT", "/v1/sessions/today", #"{"table":"tasks"}"#)
      try server.request(
        "POST", "/v1/sessions/today/insert",
        #"{"rows":[{"id":"a","data":{"title":"Water the plants"}},{"id":"b","data":{"title":"\u001b[2JCall\u009b Ada"}}]}"#
      )
      return try body(server, "\(server.url)/v1/sessions/today")
    }
  }

  @Test("--once draws the present list and ends")
  func once() async throws {
    try await withSession { server, url in
      let drawn = try Watcher(["--once", url]).end()
      #expect(drawn.status == 0 && drawn.errors.isEmpty)
      let lines = drawn.output.split(separator: "\n")
      #expect(lines.first?.hasPrefix("tasks  populated  2 items  revision ") == true)
      #expect(
        lines.dropFirst() == ["  a  TaskCell  Water the plants", "  b  TaskCell  ␛[2JCall� Ada"])
      let json = try Watcher(["--once", "--json", "\(server.url)/?session=today"]).end()
      #expect(json.status == 0)
      #expect(json.output.contains(#""data":{"title":"\u001b[2JCall\u009b Ada"}"#))
      let snapshot = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? NSDictionary
      let present = try JSONSerialization.jsonObject(with: server.request("GET", "/v1/sessions/today"))
      #expect(snapshot == present as? NSDictionary)
    }
  }

  @Test("--table opens a session, and --once waits for its first page")
  func table() async throws {
    try await withSession { server, _ in
      let watcher = try Watcher([server.url, "--table", "elements", "--once"]).end()
      #expect(watcher.status == 0 && watcher.output.contains("20 items, more to come"))
      #expect(watcher.errors.hasPrefix("rowcast: opened \(server.url)/v1/sessions/"))
      let unknown = try Watcher([server.url, "--table", "nö/ne", "--once"]).end()
      #expect(unknown.status == 4 && unknown.errors.contains("There is no such table"), "\(unknown)")
    }
  }

  @Test("--json prints the snapshot and each change as it was made, and ends with the session")
  func json() async throws {
    try await withSession { server, url in
      let watcher = try Watcher([url, "--json"])
      let snapshot = try #require(watcher.line())
      #expect(snapshot.hasPrefix(#"{"session":"today""#) && snapshot.hasSuffix("]}"))
      try server.request("POST", "/v1/sessions/today/move", #"{"id":"b","to":0}"#)
      try server.request("POST", "/v1/sessions/today/select?tag=mine", #"{"id":"a"}"#)
      let move = try #require(watcher.line())
      let select = try #require(watcher.line())
      #expect(move.contains(#""cause":"move""#) && move.contains(#""ops":[{"op":"move""#))
      #expect(select.contains(#""selected":"a""#) && select.contains(#""tag":"mine""#))
      try server.request("DELETE", "/v1/sessions/today")
      let end = watcher.end()
      #expect(end.output == "{\"reason\":\"deleted\"}\n")
      #expect(end.errors == "rowcast: the session was deleted\n" && end.status == 3)
    }
  }

  @Test("without a terminal it prints the list and then each change, without escapes")
  func lines() async throws {
    try await withSession { server, url in
      let watcher = try Watcher([url])
      for start in ["tasks  populated", "  a  ", "  b  TaskCell  ␛[2JCall"] {
        #expect(watcher.line()?.hasPrefix(start) == true)
      }
      try server.request("POST", "/v1/sessions/today/delete", #"{"ids":["a"]}"#)
      #expect(watcher.line()?.contains("  delete  populated  1 item  2 rows") == true)
      #expect(watcher.line() == "  - 0")
      watcher.signal(SIGINT)
      let end = watcher.end()
      #expect(end.status == 0 && end.output.isEmpty && end.errors.isEmpty)
    }
  }

  @Test(
    "on a terminal it draws, follows the window's size, and gives the screen back",
    arguments: [SIGINT, SIGTERM])
  func terminal(ending: Int32) async throws {
    try await withSession { server, url in
      let (master, slave) = try Terminal.pair()
      var size = winsize(ws_row: 6, ws_col: 60, ws_xpixel: 0, ws_ypixel: 0)
      try #require(ioctl(master, UInt(TIOCSWINSZ), &size) == 0)
      let watcher = try Watcher([url], environment: ["NO_COLOR": "1"], output: slave, reading: master)
      let start = try #require(watcher.output(through: "Ada"))
      #expect(start.hasPrefix("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l\u{1B}[2J"))
      #expect(start.contains("live") && start.contains("Water the plants"))
      try server.request(
        "POST", "/v1/sessions/today/update", #"{"rows":[{"id":"a","data":{"title":"Done"}}]}"#)
      #expect(watcher.output(through: "TaskCell  Done") != nil)
      size.ws_col = 12
      try #require(ioctl(master, UInt(TIOCSWINSZ), &size) == 0)
      watcher.signal(SIGWINCH)
      let narrow = try #require(watcher.output(through: "  a  TaskCe…"))
      #expect(narrow.contains("\u{1B}[2J"))
      watcher.signal(ending)
      let end = watcher.end()
      #expect(end.output.hasSuffix("\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"))
      #expect(end.status == 0 && end.errors.isEmpty)
    }
  }

  @Test("says what is wrong, each with its status")
  func refusals() async throws {
    try await onThread {
      let server = try RunningServer(environment: ["ROWCAST_TOKEN": "open-sesame"])
      defer { server.stop() }
      let url = "\(server.url)/v1/sessions/none"
      for mode in [["--once"], [], ["--json"]] {
        let anonymous = try Watcher([url] + mode).end()
        #expect(anonymous.status == 5 && anonymous.errors.hasPrefix("rowcast: 401 "), "\(anonymous)")
        let wrong = try Watcher([url, "--token", "sesame"] + mode).end()
        #expect(wrong.status == 5 && wrong.output.isEmpty)
        let known = try Watcher([url] + mode, environment: ["ROWCAST_TOKEN": "open-sesame"]).end()
        #expect(known.status == 4 && known.errors.contains("There is no such session"), "\(known)")
        let nobody = try Watcher(["http://127.0.0.1:1/v1/sessions/none"] + mode).end()
        #expect(nobody.status == 1 && nobody.errors.hasPrefix("rowcast: the server cannot be reached: "))
      }
      for arguments in [[server.url], [url, "--table", "tasks"], ["https://a/v1/sessions/x"]] {
        let usage = try Watcher(arguments).end()
        #expect(usage.status == 64 && usage.errors.hasSuffix("[--token T]\n"), "\(usage)")
      }
    }
  }

  @Test("ends when nobody reads its output any more")
  func closedPipe() async throws {
    let status = try await withSession { _, url in
      let script = "{ '\(Repository.server.path)' watch --json '\(url)'; echo $? >&2; } 2>&1 >&3 3>&- | cat"
      return try Finished(shell: "exec 3> >(head -n 1 >/dev/null); \(script)", within: 20)
    }
    #expect(status.status == 0, "\(status)")
  }

  @Test("outlives a connection that is lost, and catches up", arguments: [UInt64.random(in: 0...UInt64.max)])
  func cutConnections(seed: UInt64) async throws {
    try await withSession { server, _ in
      let proxy = try CuttingProxy(to: server.port, seed: seed)
      let address = try #require(
        SessionAddress(server: ServerAddress(host: "127.0.0.1", port: proxy.port), id: "today"))
      var limits = FollowingLimits()
      limits.backoff = Backoff(first: 0, longest: 0)
      let follower = SessionFollower(address, limits: limits)
      var random = Seeded(seed)
      var lastRevision = 0
      var last = try server.request("GET", "/v1/sessions/today")
      for round in 0..<60 {
        if round == 55 { proxy.behave() }
        let rows = (0..<Int.random(in: 0..<20, using: &random)).map { _ in
          #"{"id":"r\#(Int.random(in: 0..<30, using: &random))","data":{"n":\#(Int.random(in: 0..<5, using: &random))}}"#
        }
        let unique = Dictionary(rows.map { ($0.prefix { $0 != "," }, $0) }, uniquingKeysWith: { $1 })
        try server.request(
          "POST", "/v1/sessions/today/replace", "{\"rows\":[\(unique.values.joined(separator: ","))]}")
        last = try server.request("GET", "/v1/sessions/today")
        let present = try FollowedList(snapshot: JSONValue(parsing: Bytes(Array(last))))
        var patience = 400
        while follower.list?.header.revision != present.header.revision, patience > 0 {
          patience -= 1
          switch follower.next(within: 10) {
          case .change(let change):
            #expect(change.header.revision == lastRevision + 1, "seed \(seed)")
            lastRevision = change.header.revision
          case .snapshot:
            lastRevision = follower.list?.header.revision ?? 0
          case .connection: break
          case .over, .refused, .descriptor, .time:
            patience = 0
          }
        }
        #expect(
          follower.list?.rows.map(\.json.text) == present.rows.map(\.json.text),
          "seed \(seed), round \(round)")
      }
      #expect(proxy.cuts > 0, "seed \(seed): nothing was cut")
    }
  }

  @Test("outlives a server that drains, and goes on with the next one on its port")
  func drain() async throws {
    try await withSession { server, url in
      let watcher = try Watcher([url, "--json"])
      _ = try #require(watcher.line())
      let port = server.port
      server.stop()
      let next = try RunningServer(["--config", "Config/rowcast.json", "--port", "\(port)"])
      defer { next.stop() }
      // Sessions are gone with the server that kept them in memory: that is said, and the end.
      let end = watcher.end()
      #expect(end.errors.contains("the server is shutting down; again in "), "\(end)")
      #expect(end.status == 4, "\(end)")
    }
  }
}

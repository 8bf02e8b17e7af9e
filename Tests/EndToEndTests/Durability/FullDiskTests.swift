import Foundation
import JSONText
import Testing
import ScriptedUpstream
import TestSupport

/// A server whose disk takes no more, and then does again.
@Suite(.serialized, .fewAtOnce, .timeLimit(.minutes(5)))
struct FullDiskTests {
  @Test(
    "On a full disk what cannot be kept is refused and never seen, and with room again all goes on",
    .enabled(if: Mount.isPossible, "mounting needs root"))
  func fullDisk() async throws {
    try await onThread {
      let mount = try Mount(megabytes: 8)
      try Self.run(store: mount.path("s.db"), stop: { _ in mount.fill() }, goOn: { _ in mount.makeRoom() })
    }
  }

  @Test("Where writing fails outright, the file is opened anew, and all goes on")
  func failingWrites() async throws {
    try await onThread {
      let folder = try TemporaryFolder()
      func limit(_ server: RunningServer, _ bytes: String) {
        let arguments = ["prlimit", "--pid", "\(server.processIdentifier)", "--fsize=\(bytes):unlimited"]
        #expect((try? Finished(arguments))?.status == 0)
      }
      try Self.run(
        store: folder.path("s.db"), stop: { limit($0, "1000000") }, goOn: { limit($0, "unlimited") })
    }
  }

  /// - Parameters:
  ///   - stop: has the disk take no more, soon.
  ///   - goOn: has it take all.
  private static func run(
    store: String, stop: (RunningServer) -> Void, goOn: (RunningServer) -> Void
  ) throws {
    let page = Gate()
    let upstream = try ScriptedUpstream { _ in
      .json("[\(largeRows("page"))]").held(by: page)
    }
    let folder = try TemporaryFolder()
    try folder.write(
      """
      {"tables": {
        "list": {"source": {"kind": "client"}},
        "web": {"source": {"kind": "http", "url": "\(upstream.origin)/", "id": "/id", "retries": 0,
          "timeoutSeconds": 200, "paging": {"style": "none"}}}}}
      """, to: "rowcast.json")
    let arguments = ["--config", folder.path("rowcast.json"), "--store", "sqlite:" + store]
    var server = try RunningServer(arguments)
    let play = try Playground(server)
    let socket = try ClientSocket(port: server.port)
    #expect(try socket.call("PUT", "/v1/sessions/web", #"{"table":"web"}"#).status == 201)
    let load = try socket.call("POST", "/v1/sessions/web/load", "{}", fields: "Prefer: respond-async\r\n")
    #expect(load.status == 202)
    let first = try play.snapshot()
    let witness = try Witness(
      path: play.path, table: "list", snapshot: try JSONValue(parsing: Bytes(try play.call("GET").body)))
    let stream = try play.stream(after: first.revision)

    stop(server)
    var refused: Answer?
    var number = 0
    while refused == nil, number < 200 {
      number += 1
      let answer = try play.call(
        "POST", "/insert", "{\"rows\":[\(largeRows("\(number)"))],\"at\":0}",
        fields: "Idempotency-Key: k\(number)\r\n")
      if answer.status == 200 {
        witness.saw(answer: try JSONValue(parsing: Bytes(answer.body)))
      } else {
        refused = answer
      }
    }
    let ready = try socket.call("GET", "/readyz")
    let answer = try #require(refused, "the disk took everything")
    #expect(answer.status == 503 && answer.text.contains("/problems/store-unavailable"), "\(answer.text)")
    #expect(answer.field("Retry-After") != nil)
    #expect(ready.status == 503, "\(ready.text)")
    #expect(try socket.call("GET", "/healthz").status == 200)
    // Several at once, each decided on what the one before would have left.
    for count in 1...4 {
      let body = "{\"rows\":[\(largeRows("more\(count)"))],\"at\":0}"
      try socket.send(
        "POST \(play.path)/insert HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
      )
    }
    for _ in 1...4 {
      let answer = try socket.answer()
      #expect(answer.status == 503, "\(answer.text)")
    }

    // Reading goes on with what was answered, and only that.
    #expect(try play.snapshot().revision == witness.highest)
    page.open()
    let web = try JSONValue(parsing: Bytes(try socket.call("GET", "/v1/sessions/web").body))
    #expect(web.member("itemCount")?.integer == 0 && web.member("loading")?.string == "load")
    var last = first.revision
    while last < witness.highest {
      let event = try stream.event()
      witness.saw(change: try JSONValue(parsing: Bytes(event.data)))
      last = event.id ?? -1
    }

    goOn(server)
    #expect(try eventually { try socket.call("GET", "/readyz").status == 200 }, "it does not recover")
    #expect(
      try eventually {
        let web = try JSONValue(parsing: Bytes(try socket.call("GET", "/v1/sessions/web").body))
        return web.member("itemCount")?.integer == 4 && web.member("loading")?.kind == .null
      }, "the page that came meanwhile is lost")
    let again = try play.call(
      "POST", "/insert", "{\"rows\":[\(largeRows("\(number)"))],\"at\":0}",
      fields: "Idempotency-Key: k\(number)\r\n")
    #expect(again.status == 200)
    witness.saw(answer: try JSONValue(parsing: Bytes(again.body)))
    let highest = witness.highest
    #expect(try stream.event().id == last + 1, "the stream goes on where it was")

    server.crash()
    server = try RunningServer(arguments)
    let log = try witness.confirm(on: try ClientSocket(port: server.port)).changes
    #expect(log.last?.member("revision")?.integer == highest)
    #expect(witness.takeComplaints() == [])
  }

  /// Four rows of 60 KB each.
  private static func largeRows(_ name: String) -> String {
    let filler = String(repeating: "x", count: 60_000)
    return (1...4).map { #"{"id":"\#(name)-\#($0)","data":"\#(filler)"}"# }.joined(separator: ",")
  }
}

/// Asks until the answer is yes, for ten seconds at most.
func eventually(_ isSo: () throws -> Bool) throws -> Bool {
  let end = Date() + 60
  while Date() < end {
    if try isSo() { return true }
    usleep(10_000)
  }
  return false
}

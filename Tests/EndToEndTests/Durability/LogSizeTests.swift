import CSQLite
import Foundation
import JSONText
import Synchronization
import Testing
import TestSupport

/// What twenty thousand commands leave on the disk.
@Suite(.serialized, .fewAtOnce, .timeLimit(.minutes(5)))
struct LogSizeTests {
  @Test("20,000 commands leave a small log and the changes that are to be kept, whoever reads meanwhile")
  func twentyThousand() async throws {
    try await onThread {
      let folder = try TemporaryFolder()
      try folder.write(
        """
        {"server": {"limits": {"keptChanges": 50}},
         "tables": {"list": {"source": {"kind": "client"}}}}
        """, to: "rowcast.json")
      let server = try RunningServer([
        "--config", folder.path("rowcast.json"), "--store",
        "sqlite:\(folder.path("s.db"))?synchronous=normal",
      ])
      let done = Progress()
      let count = Atomic(0)
      for number in 0..<8 {
        _ = try Playground(server, "s\(number)")
        Thread.detachNewThread {
          do {
            let socket = try ClientSocket(port: server.port)
            for round in 0..<100 {
              try socket.send((0..<25).map { Self.request(number, round * 25 + $0) }.joined())
              for _ in 0..<25 where try socket.answer().status == 200 {
                done.reach(count.add(1, ordering: .relaxed).newValue)
              }
            }
          } catch {
            Issue.record("session \(number): \(error)")
          }
        }
      }
      // Someone reads from one moment for half of the time: so long the log has to keep what came behind it.
      #expect(done.wait(for: 2_000))
      let reader = try Reading(folder.path("s.db"))
      #expect(done.wait(for: 12_000, within: 60))
      let grown = folder.size("s.db-wal")
      reader.end()
      #expect(done.wait(for: 20_000, within: 60))
      #expect(
        folder.size("s.db-wal") < 12 << 20,
        "the log has \(folder.size("s.db-wal")) bytes, \(grown) while read")
      #expect(folder.size("s.db") < 24 << 20, "the file has \(folder.size("s.db")) bytes")
      for sequence in 1...8 {
        let kept = try number(
          "SELECT count(*) FROM changes WHERE session = \(sequence)", on: folder.path("s.db"))
        // Behind the snapshot all are kept, and they are taken out some at a time.
        #expect(kept >= 50 && kept < 800, "\(kept) changes")
      }
      // Going on as before the file does not grow by what is trimmed.
      let before = folder.size("s.db")
      let socket = try ClientSocket(port: server.port)
      for round in 0..<80 {
        try socket.send((0..<25).map { Self.request(0, round * 25 + $0) }.joined())
        for _ in 0..<25 { #expect(try socket.answer().status == 200) }
      }
      #expect(folder.size("s.db") < before + (4 << 20), "it grew from \(before) to \(folder.size("s.db"))")
    }
  }

  @Test("keptBytes trims the log on the disk too")
  func keptBytes() async throws {
    try await onThread {
      let folder = try TemporaryFolder()
      try folder.write(
        """
        {"server": {"limits": {"keptBytes": 20000}},
         "tables": {"list": {"source": {"kind": "client"}}}}
        """, to: "rowcast.json")
      let server = try RunningServer([
        "--config", folder.path("rowcast.json"), "--store",
        "sqlite:\(folder.path("s.db"))?synchronous=normal",
      ])
      let play = try Playground(server, "s0")
      let data = String(repeating: "x", count: 5_000)
      for _ in 0..<60 {
        try play.command("insert", "{\"rows\":[{\"id\":\"a\",\"data\":\"\(data)\"}]}")
        try play.command("delete", "{\"ids\":[\"a\"]}")
      }
      let bytes = try number("SELECT sum(length(text)) FROM changes", on: folder.path("s.db"))
      // What is kept, what lies behind the snapshot, and as much again before it is worth a write.
      #expect(bytes >= 15_000 && bytes < 250_000, "\(bytes) bytes of changes")
    }
  }

  /// Inserts and deletes in turn.
  private static func request(_ session: Int, _ number: Int) -> String {
    let isInsert = number.isMultiple(of: 2)
    let body =
      isInsert
      ? #"{"rows":[{"data":{"title":"Something that is written down \#(number)","done":false}}],"at":0}"#
      : #"{"indexes":[0]}"#
    return
      "POST /v1/sessions/s\(session)/\(isInsert ? "insert" : "delete") HTTP/1.1\r\nHost: localhost\r\nPrefer: return=minimal\r\n"
      + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
  }
}

/// Another program that reads from a store and stays at what it has found.
private final class Reading {
  private var database: OpaquePointer?

  init(_ path: String) throws {
    guard sqlite3_open(path, &database) == SQLITE_OK,
      sqlite3_exec(database, "BEGIN; SELECT count(*) FROM changes", nil, nil, nil) == SQLITE_OK
    else { throw Replica.Mismatch(description: "\(path) cannot be read") }
  }

  func end() {
    sqlite3_close(database)
    database = nil
  }

  deinit { end() }
}

import CSQLite
import Foundation
import JSONText
import Testing
import TestSupport

/// `serve` and `backup` on files: what is refused is refused in one line, and stays as it was.
@Suite(.serialized, .fewAtOnce, .timeLimit(.minutes(5)))
struct StoreToolTests: StoreSuite {
  let folder: TemporaryFolder

  init() throws { folder = try Self.makeFolder() }

  // MARK: Serving

  @Test("One server at a time has a file, by whatever name, and nobody imports into it")
  func locked() async throws {
    try await onThread { [self] in
      let server = try serve("s.db")
      try Playground(server).command("insert", #"{"rows":[{"id":"a","data":1}]}"#)
      try FileManager.default.createSymbolicLink(
        atPath: folder.path("link.db"), withDestinationPath: folder.path("s.db"))
      try folder.write("{\"rowcast\":\"sessions\",\"version\":1}\n{\"sessions\":0}\n", to: "none.jsonl")
      for name in ["s.db", "link.db"] {
        for call in [
          ["serve", "--port", "0"] + config + store(name),
          ["import"] + store(name) + [folder.path("none.jsonl")],
        ] {
          let outcome = try Finished(running: call)
          #expect(outcome.status == 78 && outcome.output.isEmpty, "\(outcome)")
          #expect(
            outcome.errors
              == "rowcast: \(folder.path(name)) is in use by another server (process \(server.processIdentifier))\n"
          )
        }
      }
      #expect(try Playground(resuming: "/v1/sessions/play", on: server).snapshot().rows.count == 2)
      server.crash()
      // The lock of a process that died is none, whatever its file says.
      #expect(
        try Playground(resuming: "/v1/sessions/play", on: try serve("link.db")).snapshot().rows.count == 2)
    }
  }

  struct Refused: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let make: @Sendable (_ path: String) throws -> Void

    init(_ name: String, _ make: @escaping @Sendable (String) throws -> Void) {
      testDescription = name
      self.make = make
    }

    static func edit(_ path: String, _ change: (inout Data) -> Void) throws {
      var content = try Data(contentsOf: URL(fileURLWithPath: path))
      change(&content)
      try content.write(to: URL(fileURLWithPath: path))
    }
  }

  static let refused = [
    Refused("cut in the middle") { try Refused.edit($0) { $0.removeLast($0.count / 2) } },
    Refused("cut within a page") { try Refused.edit($0) { $0.removeLast(77) } },
    Refused("pages of noise") { path in
      try Refused.edit(path) { content in
        for index in 4096..<12_288 { content[index] = UInt8(truncatingIfNeeded: index &* 31) }
      }
    },
    Refused("no header") {
      try Refused.edit($0) { $0.replaceSubrange(0..<16, with: Data(repeating: 65, count: 16)) }
    },
    Refused("a newer version's") { try sql("PRAGMA user_version = 4711", on: $0) },
    Refused("another program's by its mark") { try sql("PRAGMA application_id = 4711", on: $0) },
    Refused("another program's") { path in
      unlink(path)
      try sql("CREATE TABLE sessions (a); INSERT INTO sessions VALUES (1)", on: path)
    },
    Refused("another name of one that is there") {
      try FileManager.default.linkItem(atPath: $0, toPath: $0 + "2")
    },
    Refused("one byte") { try Data("x".utf8).write(to: URL(fileURLWithPath: $0)) },
    Refused("without a table") { try sql("DROP TABLE snapshots", on: $0) },
    Refused("with another table in place of its own") {
      try sql("DROP TABLE changes; CREATE TABLE changes (session, number)", on: $0)
    },
    Refused("text") { try Data("hello, world\n".utf8).write(to: URL(fileURLWithPath: $0)) },
    Refused("a folder") { path in
      unlink(path)
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    },
  ]

  @Test(
    "A file that is no store in order is refused in one line by all, byte for byte as it was",
    arguments: refused)
  func refuses(_ file: Refused) async throws {
    try await onThread { [self] in
      try fill("s.db")
      try file.make(folder.path("s.db"))
      let before = try? folder.content("s.db")
      try folder.write("{\"rowcast\":\"sessions\",\"version\":1}\n{\"sessions\":0}\n", to: "none.jsonl")
      for call in [
        ["serve", "--port", "0"] + config + store("s.db"),
        ["import"] + store("s.db") + [folder.path("none.jsonl")],
      ] {
        let outcome = try Finished(running: call)
        #expect(outcome.status == 78 && outcome.output.isEmpty, "\(outcome)")
        #expect(outcome.errors.hasPrefix("rowcast: \(folder.path("s.db")) "), "\(outcome)")
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome)")
        #expect(try before == nil || folder.content("s.db") == before)
      }
      for suffix in ["-wal", "-shm", "-journal"] { #expect(folder.size("s.db" + suffix) == 0) }
    }
  }

  @Test(
    "Places where nothing can be written are refused in one line",
    arguments: ["/proc/s.db", "/proc/x/s.db", "/dev/null"])
  func refusesPlace(_ path: String) async throws {
    try await onThread { [self] in
      let outcome = try Finished(running: ["serve", "--port", "0", "--store", "sqlite:" + path] + config)
      #expect(outcome.status == 78 && outcome.errors.split(separator: "\n").count == 1, "\(outcome)")
    }
  }

  @Test("An empty file, a log that a crash has left and a lock file of the dead are served")
  func serves() async throws {
    try await onThread { [self] in
      try folder.write("", to: "empty.db")
      try fill("empty.db")
      try fill("s.db", crashing: true)
      #expect(folder.size("s.db-wal") > 0)
      try folder.write("4194304\n", to: "s.db.lock")
      for name in ["empty.db", "s.db"] {
        let server = try serve(name)
        for number in 0..<6 {
          #expect(
            try Playground(resuming: "/v1/sessions/s\(number)", on: server).snapshot().rows.count == number
              + 2)
        }
      }
    }
  }

  @Test(
    "What lies in the place of the lock and is none is left alone",
    arguments: ["[package]\nname = \"x\"\n", "12 monkeys\n", "7", "\n"])
  func foreignLock(content: String) async throws {
    try await onThread { [self] in
      try folder.write(content, to: "s.db.lock")
      let outcome = try Finished(running: ["serve", "--port", "0"] + config + store("s.db"))
      #expect(outcome.status == 78 && outcome.errors.split(separator: "\n").count == 1, "\(outcome)")
      #expect(try folder.content("s.db.lock") == Data(content.utf8))
      #expect(try folder.names().sorted() == ["rowcast.json", "s.db.lock"])
    }
  }

  @Test(
    "A session of whose row a byte is damaged is a problem, can be ended and made anew, and hinders no other")
  func damagedRow() async throws {
    try await onThread { [self] in
      for byte in ["22", "00", "FF", "0A"] {
        let name = "s\(byte).db"
        try fill(name)
        try sql(
          "UPDATE changes SET text = CAST(replace(text, CAST(x'2264617461223A312E30' AS TEXT), "
            + "CAST(x'2264617461223A\(byte)2E30' AS TEXT)) AS BLOB) WHERE session = 3", on: folder.path(name))
        let server = try serve(name)
        let damaged = try Playground(resuming: "/v1/sessions/s2", on: server)
        for (method, rest, body) in [
          ("GET", "", nil), ("GET", "/changes?since=1", nil), ("GET", "/items/r1", nil),
          ("POST", "/update", #"{"rows":[{"id":"r1","merge":{"x":1}}]}"#), ("POST", "/load", "{}"),
        ] {
          let answer = try damaged.call(method, rest, body)
          #expect(answer.status == 503, "\(method) \(rest): \(answer.text)")
          #expect(
            try JSONValue(parsing: Bytes(answer.body)).member("type")?.string == "/problems/store-unavailable"
          )
        }
        #expect(try Playground(resuming: "/v1/sessions/s3", on: server).snapshot().rows.count == 5)
        #expect(try damaged.call("DELETE").status == 204)
        #expect(try damaged.call("GET").status == 410)
        #expect(try Playground(server, "s2").command("insert", #"{"rows":[{"id":"a","data":1}]}"#) > 1)
        server.stop()
        #expect(try Finished(running: ["export"] + store(name) + [folder.path(name + ".jsonl")]).status == 0)
      }
    }
  }

  // MARK: Backup

  @Test(
    "A backup that cannot be written ends with 1, and leaves nothing",
    arguments: ["/dev/null", "/proc/b.db", "."])
  func unwritable(path: String) async throws {
    try await onThread { [self] in
      try fill("s.db")
      let outcome = try Finished(running: ["backup"] + store("s.db") + [path])
      #expect(outcome.status == 1 && outcome.errors.hasPrefix("rowcast: \(path) "), "\(outcome)")
      #expect(try folder.names().sorted() == ["rowcast.json", "s.db", "s.db.lock"])
    }
  }

  @Test("A backup of a busy server is a store that serves; a file that is there is left alone")
  func backup() async throws {
    try await onThread { [self] in
      let server = try serve("s.db")
      let play = try Playground(server)
      let witness = try Witness(
        path: play.path, table: "list", snapshot: try JSONValue(parsing: Bytes(try play.call("GET").body)))
      let stop = Progress()
      let stopped = Progress()
      Thread.detachNewThread {
        defer { stopped.reach(1) }
        guard let writer = try? Playground(resuming: "/v1/sessions/play", on: server) else { return }
        for number in 0..<250 where stop.reached == 0 {
          let answer = try? writer.call(
            "POST", "/insert", "{\"rows\":[{\"id\":\"n\(number)\",\"data\":1}],\"at\":0}")
          if let answer, let document = try? JSONValue(parsing: Bytes(answer.body)) {
            witness.saw(answer: document)
          }
        }
      }
      for round in 1...3 {
        let outcome = try Finished(running: ["backup"] + store("s.db") + [folder.path("b\(round).db")])
        #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome)")
      }
      stop.reach(1)
      #expect(stopped.wait(for: 1))
      let copy = try serve("b3.db")
      let copied = try Playground(resuming: "/v1/sessions/play", on: copy).snapshot()
      witness.saw(
        snapshot: try JSONValue(
          parsing: Bytes(try Playground(resuming: play.path, on: copy).call("GET").body)))
      #expect(copied.rows.count >= 1)
      _ = try witness.confirm(on: try ClientSocket(port: server.port))
      #expect(witness.takeComplaints() == [], "the copy has a list that never was")
      let before = try folder.content("b1.db")
      let again = try Finished(running: ["backup"] + store("s.db") + [folder.path("b1.db")])
      #expect(
        again.status == 1 && again.errors == "rowcast: \(folder.path("b1.db")) is there already\n", "\(again)"
      )
      #expect(try folder.content("b1.db") == before)
    }
  }
}

/// Runs statements on a database, as another program would.
func sql(_ statements: String, on path: String) throws {
  var database: OpaquePointer?
  defer { sqlite3_close(database) }
  guard sqlite3_open(path, &database) == SQLITE_OK,
    sqlite3_exec(database, statements, nil, nil, nil) == SQLITE_OK
  else {
    throw Replica.Mismatch(description: String(cString: sqlite3_errmsg(database)))
  }
}

/// A number that a statement gives.
func number(_ statement: String, on path: String) throws -> Int {
  var database: OpaquePointer?
  var prepared: OpaquePointer?
  defer {
    sqlite3_finalize(prepared)
    sqlite3_close(database)
  }
  guard sqlite3_open(path, &database) == SQLITE_OK,
    sqlite3_prepare_v2(database, statement, -1, &prepared, nil) == SQLITE_OK,
    sqlite3_step(prepared) == SQLITE_ROW
  else { throw Replica.Mismatch(description: String(cString: sqlite3_errmsg(database))) }
  return Int(sqlite3_column_int64(prepared, 0))
}

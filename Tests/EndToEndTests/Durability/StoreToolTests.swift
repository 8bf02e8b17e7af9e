import CSQLite
import Foundation
import JSONText
import Testing
import TestSupport

/// `serve`, `backup`, `export` and `import` on files: what is refused is refused in one line, and stays as it was.
@Suite(.serialized, .fewAtOnce, .timeLimit(.minutes(5)))
struct StoreToolTests {
  private let folder: TemporaryFolder
  private var config: [String] { ["--config", folder.path("rowcast.json")] }

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(#"{"tables": {"list": {"source": {"kind": "client"}}}}"#, to: "rowcast.json")
  }

  private func store(_ name: String) -> [String] { ["--store", "sqlite:" + folder.path(name)] }

  private func serve(_ name: String) throws -> RunningServer { try RunningServer(config + store(name)) }

  /// A store of some sessions, each with some changes; left in order, or with its log as a crash leaves it.
  private func fill(_ name: String, sessions: Int = 6, crashing: Bool = false) throws {
    let server = try serve(name)
    for number in 0..<sessions {
      let play = try Playground(server, "s\(number)")
      for row in 0...number {
        try play.command("insert", "{\"rows\":[{\"id\":\"r\(row)\",\"data\":\(row).0}]}")
      }
    }
    if crashing { server.crash() } else { server.stop() }
  }

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

  // MARK: Backup

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

  // MARK: Archives

  @Test("An export that was cut off goes on, and an import twice changes nothing")
  func archives() async throws {
    try await onThread { [self] in
      try fill("s.db", crashing: true)
      func export(_ store: String, to file: String) throws -> Finished {
        try Finished(running: ["export"] + self.store(store) + [folder.path(file)])
      }
      #expect(try export("s.db", to: "all.jsonl").status == 0)
      let all = try folder.content("all.jsonl")
      #expect(
        try Finished(running: ["export"] + store("s.db")).output == String(decoding: all, as: UTF8.self))
      #expect(try export("s.db", to: "all.jsonl").status == 1, "a file that is there is left alone")
      for cut in stride(from: 0, to: all.count, by: all.count / 9) {
        try folder.write(all.prefix(cut), to: "part.jsonl.unfinished")
        let outcome = try export("s.db", to: "part.jsonl")
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try folder.content("part.jsonl") == all, "cut at \(cut)")
        unlink(folder.path("part.jsonl"))
      }

      // An import that ended half-way has left the first sessions.
      let lines = all.split(separator: 10)
      let part = lines.prefix(4).joined(separator: [10]) + Data("\n{\"sessions\":3}\n".utf8)
      try folder.write(Data(part), to: "part.jsonl")
      func take(_ file: String) throws -> Finished {
        try Finished(running: ["import"] + store("t.db") + [folder.path(file)])
      }
      #expect(try take("part.jsonl").output == "imported 3 sessions, 0 were there already\n")
      #expect(try take("all.jsonl").output == "imported 3 sessions, 3 were there already\n")
      #expect(try take("all.jsonl").output == "imported 0 sessions, 6 were there already\n")
      #expect(try export("t.db", to: "t.jsonl").status == 0)
      #expect(try folder.content("t.jsonl") == all)
      let server = try serve("t.db")
      #expect(try Playground(resuming: "/v1/sessions/s5", on: server).snapshot().rows.count == 7)
    }
  }

  /// What makes a session's line contradict itself, or be what no server has written.
  private static let contradictions = [
    ("\"itemCount\":6,\"touched\"", "\"itemCount\":7,\"touched\""), ("\"itemCount\":3,", "\"itemCount\":77,"),
    ("\"rowCount\":4,", "\"rowCount\":5,"),
    ("\"state\":\"populated\",\"loading\"", "\"state\":\"zzz\",\"loading\""),
    ("\"loading\":null", "\"loading\":\"banana\""),
    ("\"error\":null,\"selected\":null,\"itemCount\":2", "\"error\":5,\"selected\":null,\"itemCount\":2"),
    ("\"loading\":null,\"hasNext\":false", "\"loading\":null"),
    ("\"selected\":null", "\"selected\":\"nope\""),
    ("\"cause\":\"insert\"", "\"cause\":\"insert\",\"more\":1"),
    ("\"cause\":\"insert\"", "\"cause\":\"insert\",\"tag\":\"a b\""),
    ("\"table\":\"list\"", "\"table\":\"\""), ("\"sequence\":6", "\"sequence\":5"),
    ("\"sequence\":6", "\"sequence\":6,\"more\":1"), ("\"sequence\":6", "\"sequence\":9007199254740992"),
    ("\"created\":", "\"created\":9223372036854775807,\"was\":"), ("\"touched\":", "\"touched\":-"),
    ("\"generation\":0", "\"generation\":9223372036854775807"),
    ("\"generation\":0", "\"generation\":0,\"loadedPages\":9007199254740992"),
    ("\"generation\":0", "\"generation\":0,\"more\":1"), ("\"params\":{}", "\"params\":{\"a\":1}"),
    ("\"data\":0.0", "\"data\":0.0,\"more\":1"), ("\"data\":0.0", "\"data\":\"\\ud800\""),
    ("\"op\":\"insert\",\"to\":1", "\"op\":\"insert\",\"to\":2"),
    ("\"id\":\"r1\"", "\"id\":\"r0\""), ("\"ops\":[{", "\"ops\":[],\"were\":[{"),
  ]

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

  @Test("Rows that lie as deep as they may are served again, exported and imported")
  func deepRows() async throws {
    try await onThread { [self] in
      let server = try serve("s.db")
      let play = try Playground(server)
      let deep = String(repeating: "[", count: 125) + String(repeating: "]", count: 125)
      try play.command("insert", "{\"rows\":[{\"id\":\"a\",\"data\":\(deep)}]}")
      let before = try play.call("GET").body
      server.stop()
      #expect(try Finished(running: ["export"] + store("s.db") + [folder.path("a.jsonl")]).status == 0)
      let taken = try Finished(running: ["import"] + store("t.db") + [folder.path("a.jsonl")])
      #expect(taken.status == 0, "\(taken)")
      for name in ["s.db", "t.db"] {
        let again = try Playground(resuming: play.path, on: try serve(name))
        #expect(try again.call("GET").body == before)
      }
    }
  }

  @Test("A faulty archive is refused with its line, and nothing of it is taken")
  func faultyArchives() async throws {
    try await onThread { [self] in
      try fill("s.db")
      #expect(try Finished(running: ["export"] + store("s.db") + [folder.path("all.jsonl")]).status == 0)
      let lines = String(decoding: try folder.content("all.jsonl"), as: UTF8.self).split(separator: "\n").map(
        String.init)
      func refusal(_ store: String, _ lines: [String]) throws -> String {
        try folder.write(lines.map { $0 + "\n" }.joined(), to: "bad.jsonl")
        let outcome = try Finished(running: ["import"] + self.store(store) + [folder.path("bad.jsonl")])
        #expect(outcome.status == 65 && outcome.errors.split(separator: "\n").count == 1, "\(outcome)")
        return outcome.errors.replacingOccurrences(of: "rowcast: \(folder.path("bad.jsonl")):", with: "")
      }
      func changed(_ index: Int, _ change: (String) -> String) -> [String] {
        var copy = lines
        copy[index] = change(copy[index])
        return copy
      }
      // The fault lies in the last session, behind five that are in order.
      var faults: [([String], line: Int)] =
        [
          (changed(6) { String($0.dropLast()) }, 7), (changed(6) { _ in "[]" }, 7),
          (changed(6) { _ in "" }, 7),
          (changed(6) { $0.replacingOccurrences(of: "\"changes\":[{", with: "\"changes\":[4,{") }, 7),
          (changed(6) { $0.replacingOccurrences(of: "\"itemCount\":6", with: "\"itemCount\":-6") }, 7),
          (changed(6) { _ in lines[1] }, 7), (changed(0) { _ in lines[1] }, 1), (Array(lines.dropLast()), 8),
          (changed(7) { _ in "{\"sessions\":5}" }, 8), (lines + [lines[1]], 9),
          (changed(0) { String($0.dropLast()) + ",\"more\":1}" }, 1),
          (changed(7) { _ in "{\"sessions\":6,\"more\":1}" }, 8),
        ]
      for (old, new) in Self.contradictions { faults.append((changed(6) { $0.replacingFirst(old, new) }, 7)) }
      for (content, line) in faults {
        #expect(content != lines)
        let words = try refusal("t.db", content)
        #expect(words.hasPrefix("\(line): "), "\(words)")
        #expect(folder.size("t.db") == 0)
      }
      // Another session under the id of the last one.
      let server = try serve("t.db")
      try Playground(server, "s5").command("insert", #"{"rows":[{"id":"own","data":1}]}"#)
      server.stop()
      let words = try refusal("t.db", lines)
      #expect(words.hasPrefix("7: the store has another session \"s5\", at revision "), "\(words)")
      let after = try serve("t.db")
      let list = try JSONValue(parsing: Bytes(Array(try after.request("GET", "/v1/sessions"))))
      #expect(list.member("sessions")?.elements.count == 1, "half an import: \(list.text)")
    }
  }
}

extension String {
  /// The same with the first `old` being `new`.
  fileprivate func replacingFirst(_ old: String, _ new: String) -> String {
    range(of: old).map { replacingCharacters(in: $0, with: new) } ?? self
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

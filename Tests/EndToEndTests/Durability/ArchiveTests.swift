import Foundation
import JSONText
import Testing
import TestSupport

/// What `export` writes and `import` takes.
@Suite(.serialized, .fewAtOnce, .timeLimit(.minutes(5)))
struct ArchiveTests: StoreSuite {
  let folder: TemporaryFolder

  init() throws { folder = try Self.makeFolder() }

  private func export(_ store: String, to file: String) throws -> Finished {
    try Finished(running: ["export"] + self.store(store) + [folder.path(file)])
  }

  private func take(_ file: String, into store: String) throws -> Finished {
    try Finished(running: ["import"] + self.store(store) + [folder.path(file)])
  }

  @Test("An export that was cut off goes on, and an import twice changes nothing")
  func archives() async throws {
    try await onThread { [self] in
      try fill("s.db", crashing: true)
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
      #expect(try take("part.jsonl", into: "t.db").output == "imported 3 sessions, 0 were there already\n")
      #expect(try take("all.jsonl", into: "t.db").output == "imported 3 sessions, 3 were there already\n")
      #expect(try take("all.jsonl", into: "t.db").output == "imported 0 sessions, 6 were there already\n")
      #expect(try export("t.db", to: "t.jsonl").status == 0)
      #expect(try folder.content("t.jsonl") == all)
      let server = try serve("t.db")
      #expect(try Playground(resuming: "/v1/sessions/s5", on: server).snapshot().rows.count == 7)
    }
  }

  @Test("An export goes on behind what still is so, and behind nothing else")
  func goingOn() async throws {
    try await onThread { [self] in
      try fill("s.db")
      #expect(try export("s.db", to: "first.jsonl").status == 0)
      let first = try folder.content("first.jsonl")
      let lines = first.split(separator: 10, omittingEmptySubsequences: false)
      let five = Data(lines.prefix(5).joined(separator: [10])) + [10]
      // A session that was interrupted at has another state since, one ended, and one was made anew under its name.
      let server = try serve("s.db")
      try Playground(resuming: "/v1/sessions/s1", on: server).command("insert", #"{"rows":[{"data":1}]}"#)
      #expect(try Playground(resuming: "/v1/sessions/s2", on: server).call("DELETE").status == 204)
      #expect(try Playground(resuming: "/v1/sessions/s0", on: server).call("DELETE").status == 204)
      _ = try Playground(server, "s0")
      #expect(try export("s.db", to: "whole.jsonl").status == 0)
      let whole = try folder.content("whole.jsonl")
      #expect(whole != first)
      try folder.write(five, to: "part.jsonl.unfinished")
      #expect(try export("s.db", to: "part.jsonl").output == "exported 5 sessions\n")
      #expect(try folder.content("part.jsonl") == whole)
      server.stop()
      // What an export of another store has left is no part of this one.
      let other = try serve("t.db")
      for name in ["x", "y"] { _ = try Playground(other, name) }
      other.stop()
      try folder.write(five, to: "other.jsonl.unfinished")
      #expect(try export("t.db", to: "other.jsonl").output == "exported 2 sessions\n")
      #expect(try take("other.jsonl", into: "u.db").status == 0)
    }
  }

  @Test("An export beside a server where sessions end and are made anew is of one moment")
  func oneMoment() async throws {
    try await onThread { [self] in
      let server = try serve("s.db")
      for number in 0..<300 { _ = try Playground(server, "s\(number)") }
      let isOver = Progress()
      let ended = Progress()
      Thread.detachNewThread {
        defer { ended.reach(1) }
        guard let socket = try? ClientSocket(port: server.port) else { return }
        for round in 0..<100_000 where isOver.reached == 0 {
          let path = "/v1/sessions/s\(round % 300)"
          guard (try? socket.call("DELETE", path)) != nil,
            (try? socket.call("PUT", path, #"{"table":"list"}"#)) != nil
          else { return }
        }
      }
      for round in 0..<8 {
        let outcome = try export("s.db", to: "\(round).jsonl")
        // Between the end of one and its new life there are 299.
        #expect(
          ["exported 299 sessions\n", "exported 300 sessions\n"].contains(outcome.output), "\(outcome)")
        let taken = try take("\(round).jsonl", into: "\(round).db")
        #expect(taken.status == 0, "\(taken)")
      }
      isOver.reach(1)
      #expect(ended.wait(for: 1))
    }
  }

  @Test("A session that cannot be read is named, and the others are exported")
  func damaged() async throws {
    try await onThread { [self] in
      try fill("s.db")
      try sql("DELETE FROM snapshots WHERE session IN (2, 5)", on: folder.path("s.db"))
      let outcome = try export("s.db", to: "rest.jsonl")
      #expect(outcome.status == 1 && outcome.output == "exported 4 sessions\n", "\(outcome)")
      let complaints = outcome.errors.split(separator: "\n")
      #expect(complaints.count == 3 && complaints[0].hasPrefix(#"rowcast: session "s1" cannot be read: "#))
      #expect(complaints.last == "rowcast: 2 sessions cannot be read and are left out")
      #expect(try take("rest.jsonl", into: "t.db").output == "imported 4 sessions, 0 were there already\n")
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
    ("\"table\":\"list\"", "\"table\":\"\""),
    ("\"sequence\":6", "\"sequence\":6,\"more\":1"), ("\"sequence\":6", "\"sequence\":9007199254740992"),
    ("\"created\":", "\"created\":9223372036854775807,\"was\":"), ("\"touched\":", "\"touched\":-"),
    ("\"generation\":0", "\"generation\":9223372036854775807"),
    ("\"generation\":0", "\"generation\":0,\"loadedPages\":9007199254740992"),
    ("\"generation\":0", "\"generation\":0,\"more\":1"), ("\"params\":{}", "\"params\":{\"a\":1}"),
    ("\"data\":0.0", "\"data\":0.0,\"more\":1"), ("\"data\":0.0", "\"data\":\"\\ud800\""),
    ("\"op\":\"insert\",\"to\":1", "\"op\":\"insert\",\"to\":2"),
    ("\"id\":\"r1\"", "\"id\":\"r0\""), ("\"ops\":[{", "\"ops\":[],\"were\":[{"),
  ]

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
      var faults: [([String], line: Int)] = [
        (changed(6) { String($0.dropLast()) }, 7), (changed(6) { _ in "[]" }, 7), (changed(6) { _ in "" }, 7),
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

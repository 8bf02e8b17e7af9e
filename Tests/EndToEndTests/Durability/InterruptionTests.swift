import Foundation
import Testing
import TestSupport

/// `export` and `import` that are killed, and what they say meanwhile.
@Suite(.serialized, .fewAtOnce, .timeLimit(.minutes(5)))
struct InterruptionTests: StoreSuite {
  private static let sessions = 400
  let folder: TemporaryFolder
  private let archive: Data

  /// An archive of many sessions, made of one that a server has written.
  init() throws {
    folder = try Self.makeFolder()
    let one = ["--store", "sqlite:" + folder.path("one.db")]
    let server = try RunningServer(["--config", folder.path("rowcast.json")] + one)
    try Playground(server, "s-0").command("insert", #"{"rows":[{"id":"r","data":"\#(Self.text)"}]}"#)
    server.stop()
    let lines = try Self.outcome(of: ["export"] + one).output
      .split(separator: "\n").map(String.init)
    let line = try #require(lines.count == 3 ? lines[1] : nil)
    let copies = (1...Self.sessions).map { number in
      line.replacingOccurrences(of: #""s-0""#, with: #""s-\#(number)""#)
        .replacingOccurrences(of: #""sequence":1,"#, with: #""sequence":\#(number),"#)
    }
    let all = [lines[0]] + copies + [#"{"sessions":\#(Self.sessions)}"#]
    archive = Data(all.map { $0 + "\n" }.joined().utf8)
    try folder.write(archive, to: "all.jsonl")
  }

  private static let text = String(repeating: "text ", count: 400)

  private static func outcome(of arguments: [String]) throws -> Finished {
    let outcome = try Finished(running: arguments)
    #expect(outcome.status == 0, "\(outcome)")
    return outcome
  }

  @Test("Killed again and again, an import and an export end with everything, once")
  func killed() async throws {
    try await onThread { [self] in
      let store = self.store("s.db")
      try run(["import", folder.path("all.jsonl")] + store)
      #expect(
        try Self.outcome(of: ["import", folder.path("all.jsonl")] + store).output
          == "imported 0 sessions, \(Self.sessions) were there already\n")
      try run(["export", folder.path("again.jsonl")] + store) { folder.size("again.jsonl") > 0 }
      #expect(try folder.content("again.jsonl") == archive)
      #expect(folder.size("again.jsonl.unfinished") == 0)
    }
  }

  /// Kills a command ever later, until one of its runs comes to its end, or what it makes is there.
  private func run(_ arguments: [String], until isThere: () -> Bool = { false }) throws {
    var (kills, patience) = (0, 4_000.0)
    while patience < 60_000_000 {
      let child = try ChildProcess(Repository.server, arguments)
      usleep(UInt32(patience))
      patience *= 1.2
      let status = child.crash()
      if status == SIGKILL, !isThere() {
        kills += 1
        continue
      }
      #expect(status == 0 || isThere())
      #expect(kills > 3, "\(arguments[0]) was hardly killed")
      return
    }
    Issue.record("\(arguments[0]) comes to no end")
  }

  @Test("On a terminal they say how far they are, and take that away at the end")
  func progress() async throws {
    try await onThread { [self] in
      let store = self.store("s.db")
      let said = try words(of: ["import", folder.path("all.jsonl")] + store)
      #expect(said.contains("\rimport: 1 of \(Self.sessions) sessions\u{1B}[K"))
      #expect(said.hasSuffix("\rimport: \(Self.sessions) of \(Self.sessions) sessions\u{1B}[K\r\u{1B}[K"))
      let told = try words(of: ["export", folder.path("again.jsonl")] + store)
      #expect(told.hasSuffix("\rexport: \(Self.sessions) of \(Self.sessions) sessions\u{1B}[K\r\u{1B}[K"))
      // Into a file they say nothing.
      #expect(try Self.outcome(of: ["import", folder.path("all.jsonl")] + store).errors.isEmpty)
    }
  }

  /// What a command says to a terminal on its standard error.
  private func words(of arguments: [String]) throws -> String {
    let (master, slave) = try Terminal.pair()
    defer { close(master) }
    let child = try ChildProcess(Repository.server, arguments, errors: slave)
    try slave.close()
    var said: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    // A terminal that nobody writes to any more cannot be read (EIO).
    while case let count = read(master, &block, block.count), count > 0 { said += block[..<count] }
    #expect(child.end(within: 60) == 0)
    return String(decoding: said, as: UTF8.self)
  }
}

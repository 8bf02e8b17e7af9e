import Foundation
import JSONText
import Testing
import TestSupport

/// Far more sessions than memory is given for.
@Suite(.fewAtOnce, .timeLimit(.minutes(5)))
struct ResidencyTests {
  /// What is to be seen of 120 sessions in the end.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var store: String
    var residentBytes: Int
    /// Bytes of a row's data.
    var rowSize: Int
    var resident: ClosedRange<Int>
    var packed: ClosedRange<Int>
  }

  static let cases = [
    // Of more than 100 KB each there is room for a few.
    Case(
      testDescription: "put out of memory", store: "sqlite", residentBytes: 1 << 20, rowSize: 12_000,
      resident: 0...40, packed: 0...40),
    Case(
      testDescription: "packed", store: "memory:", residentBytes: 100_000, rowSize: 200, resident: 120...120,
      packed: 60...120),
  ]

  @Test(
    "Sessions come back as they were, under commands, polls and streams, when they were", arguments: cases)
  func comeAndGo(kind: Case) async throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    let complaints = try await onThread {
      let folder = try TemporaryFolder()
      try folder.write(
        """
        {"server": {"threads": 2, "limits": {"residentBytes": \(kind.residentBytes)}},
         "tables": {"list": {"source": {"kind": "client"}}}}
        """, to: "rowcast.json")
      let store = kind.store == "sqlite" ? "sqlite:\(folder.path("s.db"))?synchronous=off" : kind.store
      let server = try RunningServer(["--config", folder.path("rowcast.json"), "--store", store])
      let group = DispatchGroup()
      let complaints = Complaints()
      for number in 0..<4 {
        group.enter()
        Thread.detachNewThread {
          defer { group.leave() }
          do {
            try Self.use(
              server, Seeded(seed &+ UInt64(number)), named: "t\(number)", kind.rowSize, complaints)
          } catch {
            complaints.add("thread \(number): \(error)")
          }
        }
      }
      guard group.wait(timeout: .now() + 60) == .success else { return ["a client hangs"] }
      // They are put away in the background, which may be some way behind.
      var (resident, packed) = (-1, -1)
      let isSmall = try eventually {
        let metrics = String(decoding: try server.request("GET", "/metrics"), as: UTF8.self)
        func gauge(_ name: String) -> Int {
          let line = metrics.split(separator: "\n").first { $0.hasPrefix(name + " ") }
          return line.flatMap { Int($0.split(separator: " ").last ?? "") } ?? -1
        }
        (resident, packed) = (gauge("rowcast_sessions_resident"), gauge("rowcast_sessions_packed"))
        return kind.resident.contains(resident) && kind.packed.contains(packed)
      }
      if !isSmall { complaints.add("\(resident) sessions are in memory, \(packed) of them packed") }
      return complaints.all
    }
    #expect(complaints == [], "seed \(seed)")
  }

  /// Thirty sessions of one client's own, used at random beside a plain list each; one of them with a stream.
  private static func use(
    _ server: RunningServer, _ seeded: Seeded, named name: String, _ rowSize: Int, _ complaints: Complaints
  ) throws {
    var random = seeded
    let plays = try (0..<30).map { try Playground(server, "\(name)-\($0)") }
    var lists = [[String]](repeating: [], count: 30)
    let stream = try plays[0].stream()
    var replica = Replica()
    try replica.take(try stream.event())
    // Of text in which nothing repeats, so that it takes its room packed too.
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    let filler = String((0..<rowSize).map { _ in random.one(of: letters) })
    for step in 0..<900 {
      let place = Int.random(in: 0..<30, using: &random)
      let play = plays[place]
      let count = lists[place].count
      var reached: Int?
      if count > 12 {
        reached = try play.command("delete", #"{"indexes":[0,1]}"#)
        lists[place].removeFirst(2)
      } else if count > 2, step % 5 == 0 {
        let to = Int.random(in: 0..<count - 1, using: &random)
        let item = lists[place].removeLast()
        lists[place].insert(item, at: to)
        reached = try play.command("move", "{\"id\":\"\(item)\",\"to\":\(to)}")
      } else {
        let at = Int.random(in: 0...count, using: &random)
        lists[place].insert("\(step)", at: at)
        reached = try play.command(
          "insert", "{\"rows\":[{\"id\":\"\(step)\",\"data\":\"\(filler)\"}],\"at\":\(at)}")
      }
      let (revision, rows) = try play.snapshot()
      let ids = rows.compactMap { JSONValue(trusted: $0).member("id")?.string?.string }
      if ids != lists[place] || revision != reached {
        complaints.add("step \(step): \(ids) at \(revision) instead of \(lists[place]) at \(reached ?? -1)")
      }
      if step % 7 == 0 {
        let page = try JSONValue(parsing: Bytes(try play.call("GET", "/changes?since=\(revision - 1)").body))
        if page.member("changes")?.elements.map({ $0.member("revision")?.integer }) != [revision] {
          complaints.add("step \(step): \(page.text)")
        }
      }
      if place == 0 {
        try replica.take(try stream.event())
        if replica.rows != rows || replica.revision != revision {
          complaints.add("step \(step): the stream lags")
        }
      }
    }
  }
}

/// What was not as it should be, from all threads.
final class Complaints: @unchecked Sendable {
  // Unchecked: `list` is touched under `lock` alone.
  private let lock = NSLock()
  private var list: [String] = []

  var all: [String] { lock.withLock { list } }

  func add(_ what: String) { lock.withLock { list.append(String(what.prefix(600))) } }
}

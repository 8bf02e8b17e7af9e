import Foundation
import JSONText
import ListModel
import ScriptedUpstream
import Sessions
import SourceContract
import Synchronization
import Testing
import WebSource

/// Whose turn it is, and what becomes of those whom a later fetch overtakes.
@Suite(.timeLimit(.minutes(5)))
struct QueueTests {
  @Test("Tables take turns, and within a table lists do")
  func turns() {
    var queue = FetchQueue<String>(limit: 1)
    for list in 1...4 { _ = queue.add("a\(list)", table: "a", list: list) }
    for list in 5...6 { _ = queue.add("b\(list)", table: "b", list: list) }
    _ = queue.add("c7", table: "c", list: 7)
    var order: [String] = []
    while let job = queue.next() {
      order.append(job)
      queue.end(table: Bytes(String(job.prefix(1))))
    }
    #expect(order == ["a1", "b5", "c7", "a2", "b6", "a3", "a4"])
  }

  @Test("A list waits once, in the place of its first wish")
  func replacing() {
    var queue = FetchQueue<String>(limit: 1)
    #expect(queue.add("1", table: "a", list: 1) == nil)
    #expect(queue.add("2", table: "a", list: 2) == nil)
    #expect(queue.add("1 again", table: "a", list: 1) == "1")
    #expect(queue.next() == "1 again")
    #expect(queue.next() == nil)
    queue.end(table: "a")
    #expect(queue.next() == "2")
    queue.end(table: "a")
    #expect(queue.next() == nil)
    #expect(queue.add("1", table: "a", list: 1) == nil)
    #expect(queue.next() == "1")
  }

  @Test("One table leaves places to the others, where there are many", arguments: [1, 2, 15, 16, 64])
  func share(limit: Int) {
    var queue = FetchQueue<Int>(limit: limit)
    for list in 0..<200 { _ = queue.add(list, table: "slow", list: list) }
    var taken = 0
    while queue.next() != nil { taken += 1 }
    #expect(taken == queue.share)
    #expect(limit < 16 ? taken == limit : taken < limit)
    _ = queue.add(-1, table: "quick", list: -1)
    #expect((queue.next() == -1) == (limit >= 16))
  }

  @Test("No more requests are made at a time than the limit says")
  func limit() async throws {
    let gates = (0..<6).map { _ in Gate() }
    defer { for gate in gates { gate.open() } }
    let turn = Counter()
    let upstream = try ScriptedUpstream { _ in
      turn.add()
      return Reply.json("[]").held(by: gates[0])
    }
    let table = try WebTable(#""url": "\#(upstream.origin)""#, fetches: 2)
    await withTaskGroup(of: Void.self) { group in
      for list in 1...6 {
        group.addTask {
          let request = table.request(line: FetchLine(list: list, generation: 1))
          #expect(await table.source.page(request).page != nil)
        }
      }
      await upstream.arrival(of: 2)
      #expect(upstream.requests.count == 2)
      gates[0].open()
    }
    #expect(upstream.requests.count == 6)
    #expect(upstream.connections <= 2)
  }

  @Test("A later fetch of a list gives the earlier one up, running or waiting, at once")
  func overtaken() async throws {
    let gate = Gate()
    defer { gate.open() }
    let upstream = try ScriptedUpstream {
      $0.path == "/held" ? Reply.json("[]").held(by: gate) : .json("[{\"id\": 1}]")
    }
    var held = try WebTable(#""url": "\#(upstream.origin)/held""#, fetches: 1)
    let source = held.source
    let table = held
    async let first = source.page(table.request(line: FetchLine(list: 1, generation: 1)))
    await upstream.arrival(of: 1)
    async let waiting = source.page(table.request(line: FetchLine(list: 2, generation: 1)))
    guard case .http(var definition) = held.table.source else { return }
    definition.url = Template(Bytes("\(upstream.origin)/free"))
    held.table.source = .http(definition)
    let free = held
    let second = await source.page(free.request(line: FetchLine(list: 1, generation: 2)))
    #expect(second.page?.ids == ["1"])
    #expect(await first.failure?.code == .interrupted)
    gate.open()
    #expect(await waiting.page != nil)
  }

  @Test("A fetch that comes behind a later one of its list is not begun")
  func late() async throws {
    let gate = Gate()
    defer { gate.open() }
    let upstream = try ScriptedUpstream { _ in Reply.json("[]").held(by: gate) }
    let table = try WebTable(#""url": "\#(upstream.origin)""#)
    async let newer = table.source.page(table.request(line: FetchLine(list: 1, generation: 2)))
    await upstream.arrival(of: 1)
    let older = await table.source.page(table.request(line: FetchLine(list: 1, generation: 1)))
    #expect(older.failure?.code == .interrupted)
    gate.open()
    #expect(await newer.page != nil)
    #expect(upstream.requests.count == 1)
  }

  @Test("A source that goes answers everyone who waits")
  func going() async throws {
    let gate = Gate()
    defer { gate.open() }
    let upstream = try ScriptedUpstream { _ in Reply.json("[]").held(by: gate) }
    var settings = WebSource.Settings(userAgent: "x")
    settings.fetches = 1
    let request = try WebTable(#""url": "\#(upstream.origin)""#).request()
    let codes = await withTaskGroup(of: UpstreamFailure.Code?.self) { group in
      var source: WebSource? = WebSource(settings)
      let (stream, continuation) = AsyncStream.makeStream(of: UpstreamFailure.Code?.self)
      for _ in 0..<3 { source?.read(request) { continuation.yield($0.failure?.code) } }
      await upstream.arrival(of: 1)
      source = nil
      var codes: [UpstreamFailure.Code?] = []
      for await code in stream {
        codes.append(code)
        if codes.count == 3 { break }
      }
      return codes
    }
    #expect(codes == [.interrupted, .interrupted, .interrupted])
  }
}

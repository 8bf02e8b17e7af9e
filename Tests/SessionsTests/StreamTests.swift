import JSONText
import ListModel
import Sessions
import Synchronization
import Testing

/// Protocol §8: streams of changes.
@Suite(.timeLimit(.minutes(5)))
struct StreamTests {
  @Test("A stream begins with a snapshot, after since, or with nothing where nothing was missed")
  func beginnings() throws {
    let session = try House().session("notes")
    for id in ["a", "b"] { try session.add(id) }
    #expect(try session.stream().sink.lines == ["begin =2"])
    #expect(try session.stream(after: 0).sink.lines == ["begin #1 #2 "])
    #expect(try session.stream(after: 1, .jsonPatch).sink.lines == ["begin ~ #2 "])
    #expect(try session.stream(after: 2).sink.lines == [])
    #expect(try session.stream(after: 3).sink.lines == ["begin =2"], "above the present")
  }

  @Test("Each stream gets each change once, in its format; one that has ended gets nothing")
  func changes() throws {
    let session = try House().session("notes")
    let ops = try session.stream(after: 0)
    let patches = try session.stream(after: 0, .jsonPatch)
    let gone = try session.stream(after: 0)
    try session.add("a")
    gone.close()
    try session.add("b")
    gone.close()
    try session.add("c")
    #expect(ops.sink.lines == ["change #1 ", "change #2 ", "change #3 "])
    #expect(patches.sink.lines == ["change ~ #1 ", "change ~ #2 ", "change ~ #3 "])
    #expect(gone.sink.lines == ["change #1 "])
  }

  @Test("One frame is made for all who want it")
  func sharedFrames() throws {
    let session = try House().session("notes")
    let sinks = try (0..<4).map { _ in try session.stream().sink }
    try session.add("a")
    for frame in 0..<2 {
      let addresses = Set(
        sinks.map { $0.frames[frame].withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) } })
      #expect(addresses.count == 1)
    }
  }

  @Test("limits.subscribersPerSession bounds open streams; an ended one makes room")
  func limit() throws {
    var limits = SessionLimits()
    limits.subscribersPerSession = 2
    let session = try House(limits: limits).session("notes")
    let first = try session.stream()
    _ = try session.stream()
    do {
      _ = try session.stream()
      Issue.record("a third stream")
    } catch {
      #expect("\(error)" == "tooManySubscribers")
    }
    first.close()
    _ = try session.stream()
  }

  @Test("A refused stream is not opened")
  func refused() throws {
    let house = House()
    let session = try house.session("notes")
    try house.registry.end(session.id)
    #expect(throws: SessionFailure.self) {
      try session.subscribe(after: nil, .ops) { _ in
        Issue.record("opened")
        return FakeSink()
      }
    }
  }

  @Test("Every change reaches every stream once and in order while many threads work and streams come and go")
  func manyThreads() throws {
    let house = House()
    let session = try house.session("notes")
    let steady = try (0..<3).map { try session.stream(after: 0, $0 == 2 ? .jsonPatch : .ops).sink }
    let late = Mutex<[(since: Int, sink: FakeSink)]>([])
    let perThread = 250
    try onThreads(6) { number in
      for step in 0..<perThread {
        if number < 4 {
          session.send(.insert, #"{"rows":[{"id":"\#(number)-\#(step)","data":\#(step)}],"at":0}"#)
        } else if let since = house.registry.revision(of: session.id),
          let stream = try? session.stream(after: since)
        {
          if step % 10 == 0 { late.withLock { $0.append((since, stream.sink)) } } else { stream.close() }
        }
      }
    }
    let last = 4 * perThread
    #expect(try session.read().version.revision == last)
    for sink in steady { #expect(sink.revisions == Array(1...last)) }
    let others = late.withLock { $0 }
    #expect(others.count == 2 * perThread / 10)
    for (since, sink) in others {
      #expect(sink.revisions == Array((since + 1)..<(last + 1)), "since \(since)")
    }
  }
}

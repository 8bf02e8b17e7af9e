import Foundation
import HTTP1
import JSONText
import Service
import Synchronization
import Testing

/// Gathers what a log writes.
private final class Page: Sendable {
  let blocks = Mutex<[[UInt8]]>([])
  var text: String { blocks.withLock { String(decoding: $0.joined(), as: UTF8.self) } }
  func write(_ block: [UInt8]) { blocks.withLock { $0.append(block) } }
}

@Suite struct LogTests {
  private let page = Page()
  private let line = RequestLine(
    time: 1_767_323_045_678, method: .post, path: Array("/v1/sessions/s-1/insert".utf8), route: .command,
    session: "s-1",
    status: 200, bytes: 1234, nanoseconds: 1_234_567)

  private func written(_ format: LogFormat, _ lines: RequestLine...) -> String {
    let page = Page()
    let log = Log(format) { page.write($0) }
    for line in lines { log.request(line) }
    log.drain()
    return page.text
  }

  @Test func aRequestIsOneLineOfText() {
    #expect(
      written(.text, line) == "2026-01-02T03:04:05.678Z POST /v1/sessions/s-1/insert 200 1234B 1.234ms\n")
  }

  @Test func aRequestIsOneLineOfJSON() {
    #expect(
      written(.json, line)
        == #"{"time":"2026-01-02T03:04:05.678Z","level":"info","event":"request","method":"POST","path":"/v1/sessions/s-1/insert","route":"/v1/sessions/{id}/{command}","session":"s-1","status":200,"bytes":1234,"ms":1.234}"#
        + "\n")
  }

  @Test(arguments: LogFormat.allCases) func noPathBreaksALine(_ format: LogFormat) throws {
    var hostile = line
    hostile.path = Array(0...255)
    hostile.session = Bytes(Array(0...255))
    hostile.method = nil
    let text = written(format, hostile)
    #expect(text.utf8.count { $0 == 10 } == 1)
    #expect(text.utf8.allSatisfy { ($0 >= 32 && $0 < 127) || $0 == 10 })
    if format == .json { _ = try JSONValue(parsing: Bytes(text.dropLast())) }
  }

  @Test(arguments: LogFormat.allCases) func eventsAreOneLineEach(_ format: LogFormat) throws {
    let log = Log(format) { page.write($0) }
    log.event(
      LogEvent(
        time: 0, .warning, "upstream-left-out", "items were\nleft out\u{2028}\u{1B}[31m",
        members: [("table", .text("a\"\n")), ("items", .number(3))]))
    let text = page.text
    #expect(text.utf8.count { $0 == 10 } == 1)
    switch format {
    case .text:
      #expect(
        text
          == "1970-01-01T00:00:00.000Z warning upstream-left-out: items were left out  [31m table=a\"  items=3\n"
      )
    case .json:
      let json = try JSONValue(parsing: Bytes(text.dropLast()))
      #expect(json.member(named: "event")?.string == "upstream-left-out")
      #expect(json.member(named: "items")?.integer == 3)
      #expect(json.member(named: "table")?.string == "a\"\n")
    }
  }

  @Test func linesGatherUntilABlockIsFullOrTheLogIsDrained() {
    let log = Log(.text, blockBytes: 200) { page.write($0) }
    log.request(line)
    #expect(page.text.isEmpty)
    log.request(line)
    log.request(line)
    #expect(page.blocks.withLock { $0.count } == 1)
    log.request(line)
    log.drain()
    log.drain()
    #expect(page.blocks.withLock { $0.count } == 2)
    #expect(page.text.split(separator: "\n").count == 4)
  }

  @Test func aStuckSinkHoldsUpOneThreadAndTheLostLinesAreCounted() {
    let entered = DispatchSemaphore(value: 0)
    let released = DispatchSemaphore(value: 0)
    let isStuck = Atomic(true)
    let log = Log(.text, capacity: 400, blockBytes: 1) { [page] block in
      if isStuck.exchange(false, ordering: .relaxed) {
        entered.signal()
        released.wait()
      }
      page.write(block)
    }
    let thread = Thread { [line] in log.request(line) }
    thread.start()
    #expect(entered.wait(timeout: .now() + 60) == .success)
    for _ in 0..<20 { log.request(line) }
    released.signal()
    log.drain()
    let lines = page.text.split(separator: "\n")
    let kept = lines.count { $0.contains(" POST ") }
    #expect(kept > 1 && kept < 21)
    #expect(
      lines.last
        == "2026-01-02T03:04:05.678Z warning log-dropped: the log could not be written in time lines=\(21 - kept)"
    )
  }

  @Test func everyLineOfManyThreadsArrivesWhole() {
    let log = Log(.json, capacity: 1 << 24, blockBytes: 1000) { [page] in page.write($0) }
    let done = DispatchSemaphore(value: 0)
    let threads = (0..<4).map { _ in
      Thread { [line] in
        for _ in 0..<2000 { log.request(line) }
        done.signal()
      }
    }
    threads.forEach { $0.start() }
    for _ in threads { #expect(done.wait(timeout: .now() + 60) == .success) }
    log.drain()
    let lines = page.text.split(separator: "\n")
    #expect(lines.count == 8000)
    #expect(Set(lines).count == 1)
  }
}

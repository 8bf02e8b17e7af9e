import FileSource
import Foundation
import JSONText
import ListModel
import Sessions
import SourceContract
import Synchronization
import Testing
import TestSupport

/// What becomes of requests when many wait, and when the source is let go.
@Suite(.timeLimit(.minutes(5)))
struct FileSourceQueueTests {
  @Test("A full queue refuses at once; what it accepted is answered")
  func fullQueue() throws {
    let folder = try TemporaryFolder()
    let page = request(try folder.write("[]", to: "list.json"))
    let source = FileSource(queueLimit: 3)
    let answers = Answers()

    // The thread is held inside the first answer, so that everything else has to wait.
    let (isHeld, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    source.read(page) { _ in
      isHeld.signal()
      release.wait()
    }
    try #require(isHeld.wait(timeout: .now() + 60) == .success)
    for number in 0..<5 { source.read(page) { answers.add(number, $0) } }
    #expect(answers.failures.keys.sorted() == [3, 4])
    #expect(answers.failures.values.allSatisfy { $0.code == .unreachable })

    release.signal()
    #expect(answers.wait(for: 5) == [3, 4, 0, 1, 2])
    source.read(page) { answers.add(5, $0) }
    #expect(answers.wait(for: 6).last == 5, "there is room again")
  }

  @Test("A source that is let go answers what waits, and its thread ends")
  func letGo() throws {
    let folder = try TemporaryFolder()
    let page = request(try folder.write("[]", to: "list.json"))
    let answers = Answers()
    let before = try threadCount()
    for round in 0..<20 {
      let source = FileSource()
      for number in 0..<5 { source.read(page) { answers.add(5 * round + number, $0) } }
    }
    #expect(answers.wait(for: 100).sorted() == Array(0..<100))
    #expect(answers.failures.isEmpty)

    // The last thread may still be on its way out; other suites' threads come and go.
    let deadline = Date(timeIntervalSinceNow: 60)
    while try threadCount() >= before + 20, Date() < deadline { sched_yield() }
    #expect(try threadCount() < before + 20)
  }

  @Test("A source may be let go from within its own answer")
  func letGoInside() throws {
    let folder = try TemporaryFolder()
    let page = request(try folder.write("[]", to: "list.json"))
    let answers = Answers()
    let holder = Holder(FileSource())
    holder.read(page) { result in
      holder.letGo()
      answers.add(0, result)
    }
    #expect(answers.wait(for: 1) == [0])
  }

  @Test("A table that is no file any more is an upstream error")
  func otherSource() async {
    var page = request("/nowhere")
    page.table.source = .client(timeoutSeconds: nil)
    #expect(await FileSource().page(page).failure?.code == .error)
  }

  private func threadCount() throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
  }
}

/// The only owner of a source.
private final class Holder: Sendable {
  private let source: Mutex<FileSource?>

  init(_ source: sending FileSource) { self.source = Mutex(source) }

  func read(_ request: PageRequest, completion: @escaping @Sendable (Result<Page, UpstreamFailure>) -> Void) {
    source.withLock { $0?.read(request, completion: completion) }
  }

  func letGo() { source.withLock { $0 = nil } }
}

/// The answers that came, in order.
private final class Answers: Sendable {
  private let answers = Mutex<[(number: Int, result: Result<Page, UpstreamFailure>)]>([])
  private let arrived = DispatchSemaphore(value: 0)

  func add(_ number: Int, _ result: Result<Page, UpstreamFailure>) {
    answers.withLock { $0.append((number, result)) }
    arrived.signal()
  }

  var failures: [Int: UpstreamFailure] {
    answers.withLock { answers in
      Dictionary(
        uniqueKeysWithValues: answers.compactMap { entry in entry.result.failure.map { (entry.number, $0) } })
    }
  }

  /// The numbers of the answers in the order in which they came, once there are `count`, or after a minute.
  func wait(for count: Int) -> [Int] {
    let deadline = DispatchTime.now() + 60
    while answers.withLock({ $0.count }) < count, arrived.wait(timeout: deadline) == .success {}
    return answers.withLock { $0.map(\.number) }
  }
}

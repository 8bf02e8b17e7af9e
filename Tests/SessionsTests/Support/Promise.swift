import Foundation
import Synchronization
import Testing

/// An answer that comes once, from any thread.
final class Promise<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  private let arrival = DispatchSemaphore(value: 0)

  /// The answer; nil where it has not come.
  var value: Value? { values.withLock { $0.first } }

  /// Whether it has come.
  var isKept: Bool { value != nil }

  func keep(_ value: Value) {
    let count = values.withLock { values in
      values.append(value)
      return values.count
    }
    #expect(count == 1, "an answer comes once")
    arrival.signal()
  }

  /// The answer, which another thread gives within ten seconds.
  func wait() throws -> Value {
    try #require(arrival.wait(timeout: .now() + 60) == .success, "no answer came")
    return try #require(value)
  }
}

/// Runs `body` on so many real threads and waits until all have ended.
func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) throws {
  let ended = DispatchSemaphore(value: 0)
  for number in 0..<count {
    Thread.detachNewThread {
      body(number)
      ended.signal()
    }
  }
  for _ in 0..<count { try #require(ended.wait(timeout: .now() + 60) == .success, "a thread hangs") }
}

import Foundation
import Synchronization
import Testing

/// Runs `body`, which may block, on a thread of its own, so that no thread of the cooperative pool waits.
///
/// The suite has the trait `fewAtOnce`. It is the test that waits for its turn, not each of its bodies: they may wait
/// for each other.
package func onThread<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
  if !FewAtOnce.isInside { Issue.record("the suite lacks the trait `fewAtOnce`") }
  return try await withCheckedThrowingContinuation { continuation in
    Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
  }
}

/// Lets few tests with servers and threads of their own run at once, in all suites together.
///
/// The others wait as tasks and hold nothing. A `timeLimit` counts that wait, so it is one of minutes for a suite whose
/// tests take seconds.
package struct FewAtOnce: TestTrait, SuiteTrait, TestScoping {
  @TaskLocal fileprivate static var isInside = false

  private static let places = Places(8)

  package var isRecursive: Bool { true }

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing body: @Sendable () async throws -> Void
  ) async throws {
    // A suite with the trait in another with it takes one place.
    guard !Self.isInside else { return try await body() }
    await Self.places.take()
    defer { Self.places.giveBack() }
    try await Self.$isInside.withValue(true) { try await body() }
  }
}

extension Trait where Self == FewAtOnce {
  /// Few tests of this kind at once.
  package static var fewAtOnce: Self { Self() }
}

/// So many places, for which tasks wait in the order in which they came.
private final class Places: Sendable {
  private let state: Mutex<(free: Int, waiting: [CheckedContinuation<Void, Never>])>

  init(_ count: Int) { state = Mutex((count, [])) }

  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free > 0 else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  func giveBack() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}

import Synchronization
import Threads

/// One answer, handed from the thread that has it to the one that waits.
final class Answer<Value: Sendable>: Sendable {
  private let value = Mutex<Value?>(nil)
  private let ready = Bell()

  /// Gives the answer; called once.
  func give(_ answer: Value) {
    value.withLock { $0 = answer }
    ready.ring()
  }

  /// Makes a call that answers once, from any thread, and waits for that.
  static func wait(for call: (@escaping @Sendable (Value) -> Void) -> Void) -> Value {
    let answer = Answer()
    call(answer.give)
    while true {
      if let value = answer.value.withLock({ $0 }) { return value }
      answer.ready.wait()
    }
  }
}

import Synchronization
import Threads

/// A bounded queue between the threads that ask and the one that reads.
///
/// Whoever adds never waits: a full queue refuses. The one taker waits while the queue is empty, and ends when it is
/// closed and empty: what was accepted is always served.
final class ReadQueue<Element: Sendable>: Sendable {
  private struct State {
    var waiting: [Element] = []
    var isClosed = false
  }

  private let limit: Int
  private let state = Mutex(State())
  private let bell = Bell()

  /// A queue of at most `limit` waiting elements.
  init(limit: Int) {
    self.limit = limit
  }

  /// Adds an element at the end; false where the queue is full or closed, and nothing was added.
  func add(_ element: Element) -> Bool {
    let (added, wakes) = state.withLock { state -> (Bool, Bool) in
      guard !state.isClosed, state.waiting.count < limit else { return (false, false) }
      state.waiting.append(element)
      return (true, state.waiting.count == 1)
    }
    if wakes { bell.ring() }
    return added
  }

  /// Takes all that waits, in order, and waits for something first; nil when the queue is closed and empty.
  ///
  /// For one taker only: one wake-up stands for all elements that are there when it comes.
  func takeAll() -> [Element]? {
    while true {
      let (taken, isClosed) = state.withLock { state -> ([Element], Bool) in
        var taken: [Element] = []
        swap(&taken, &state.waiting)
        return (taken, state.isClosed)
      }
      if !taken.isEmpty { return taken }
      if isClosed { return nil }
      bell.wait()
    }
  }

  /// Refuses further elements and lets the taker end behind the last one.
  func close() {
    state.withLock { $0.isClosed = true }
    bell.ring()
  }
}

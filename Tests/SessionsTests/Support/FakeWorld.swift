import Sessions
import Synchronization

/// A world in which time passes only when the test says so.
final class FakeWorld: Sendable {
  private struct Timer {
    let number: Int
    let due: Int
    let job: @Sendable () -> Void
  }

  private struct State {
    var now = 1_700_000_000_000
    var timers: [Timer] = []
    var scheduled = 0
    var random: UInt64 = 0
  }

  private let state = Mutex(State())

  /// The time in milliseconds since 1970.
  var now: Int { state.withLock { $0.now } }

  /// The timers that have neither fired nor been cancelled.
  var timerCount: Int { state.withLock { $0.timers.count } }

  var world: World {
    World(
      now: { self.now }, schedule: { self.schedule($0, $1) },
      random: {
        self.state.withLock { state in
          state.random += 1
          return (state.random, 0)
        }
      })
  }

  private func schedule(_ seconds: Double, _ job: @escaping @Sendable () -> Void) -> World.Cancel {
    let number = state.withLock { state in
      state.scheduled += 1
      state.timers.append(Timer(number: state.scheduled, due: state.now + Int(seconds * 1000), job: job))
      return state.scheduled
    }
    return { self.state.withLock { $0.timers.removeAll { $0.number == number } } }
  }

  /// Lets time pass, and fires what comes due, each at its time.
  func advance(seconds: Double) {
    let goal = now + Int(seconds * 1000)
    while let timer = takeNext(by: goal) { timer.job() }
    state.withLock { $0.now = goal }
  }

  private func takeNext(by goal: Int) -> Timer? {
    state.withLock { state in
      guard
        let next = state.timers.filter({ $0.due <= goal }).min(by: {
          ($0.due, $0.number) < ($1.due, $1.number)
        })
      else { return nil }
      state.timers.removeAll { $0.number == next.number }
      state.now = max(state.now, next.due)
      return next
    }
  }

  /// Sets the clock, as an administrator does; timers do not care.
  func setClock(_ now: Int) { state.withLock { $0.now = now } }
}

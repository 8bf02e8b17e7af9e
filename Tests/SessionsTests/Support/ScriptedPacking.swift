import Sessions
import Synchronization

/// A packing that turns texts around, on the thread that asks for it, and counts.
final class ScriptedPacking: Sendable {
  private struct State {
    var packed = 0
    var woken = 0
    var isHolding = false
    var isFailing = false
    var isDamaging = false
    var jobs: [@Sendable () -> Void] = []
  }

  private let state = Mutex(State())

  /// How many sessions were packed, used again meanwhile or not, and how many were woken.
  var packedCount: Int { state.withLock { $0.packed } }
  var wokenCount: Int { state.withLock { $0.woken } }

  /// From now on nothing can be packed, or can be.
  func fail(_ isFailing: Bool) { state.withLock { $0.isFailing = isFailing } }

  /// From now on nothing that is packed can be unpacked.
  func damage() { state.withLock { $0.isDamaging = true } }

  /// From now on keeps the jobs; `release` does them.
  func hold() { state.withLock { $0.isHolding = true } }

  /// Does the jobs that were kept.
  func release() {
    let jobs = state.withLock { state in
      defer { state.jobs = [] }
      state.isHolding = false
      return state.jobs
    }
    for job in jobs { job() }
  }

  var packing: Packing {
    Packing(
      pack: { text in
        self.state.withLock { state in
          state.packed += 1
          return state.isFailing ? nil : text.reversed()
        }
      },
      unpack: { text in
        self.state.withLock { state in
          state.woken += 1
          return state.isDamaging ? nil : text.reversed()
        }
      },
      run: { job in
        let isHolding = self.state.withLock { state in
          if state.isHolding { state.jobs.append(job) }
          return state.isHolding
        }
        if !isHolding { job() }
      })
  }
}

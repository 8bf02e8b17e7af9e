import EventLoop
import SQLiteStore
import Sessions
import Synchronization

/// The server's loops, for those who are made before it is: timers of sessions, and the store.
///
/// Before the server is there, no timer is asked for, and nobody is on a loop.
final class ServerLoops: Sendable {
  private let current = Mutex<Server?>(nil)
  private let turn = Atomic<Int>(0)

  var server: Server? {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }

  /// Timers of sessions, on the loops in turn.
  @Sendable func schedule(_ seconds: Double, _ job: @escaping @Sendable () -> Void) -> World.Cancel {
    guard let loops = server?.loops, !loops.isEmpty else { return {} }
    let number = turn.wrappingAdd(1, ordering: .relaxed).newValue
    let scheduled = loops[Int(UInt(bitPattern: number) % UInt(loops.count))].schedule(after: seconds, job)
    return { scheduled.cancel() }
  }

  /// What the store knows of the loops: one of them tells for all what a transaction has come to, in order.
  var turns: Turns {
    Turns(
      afterThis: { job in
        if self.server?.currentLoop?.execute(job) != true { job() }
      },
      onLoop: { job in
        if self.server?.loops.first?.execute(job) != true { job() }
      })
  }
}

import HTTP1
import Synchronization

extension Server {
  /// Lets go of the clients: accepts no more, closes idle connections, has answers in flight close theirs.
  ///
  /// Streams are the service's to finish. What is open after `seconds` is closed as it is.
  ///
  /// - Parameter completion: called once, on a loop, when no connection is left.
  public func drain(seconds: Double, _ completion: @escaping @Sendable () -> Void) {
    state.beginDraining()
    for worker in workers {
      worker.loop.execute {
        worker.stopListening()
        worker.closeIdle()
      }
    }
    let drain = Drain(self, until: Clock.monotonic + seconds, completion)
    workers.first?.loop.execute { drain.look() }
  }
}

/// Watches a server get rid of its connections.
private final class Drain: Sendable {
  /// How often it looks: a process that ends is in no hurry of microseconds.
  private static let interval = 0.02

  private let server: Server
  private let end: Double
  private let completion: @Sendable () -> Void

  init(_ server: Server, until end: Double, _ completion: @escaping @Sendable () -> Void) {
    self.server = server
    self.end = end
    self.completion = completion
  }

  func look() {
    if server.activeConnections == 0 { return completion() }
    if Clock.monotonic >= end {
      for worker in server.workers { worker.loop.execute { worker.closeAll() } }
    }
    server.workers.first?.loop.schedule(after: Self.interval) { self.look() }
  }
}

import Threads

/// A loop that a thread of its own runs, for work that shall never keep the server's loops waiting.
public final class LoopThread: Sendable {
  /// The loop.
  public let loop: Loop

  /// Starts the thread; the system shows it by the first 15 bytes of `name`.
  public init(_ name: String) throws(ServerError) {
    let loop = try Loop()
    self.loop = loop
    try Thread.ofServer(name) { loop.run() }.detach()
  }

  /// Ends the loop once the jobs given so far have run.
  deinit { loop.stop() }
}

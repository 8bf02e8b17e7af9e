import CLibevent
import Glibc

/// A loop that a thread of its own runs, for work that shall never keep the server's loops waiting.
public final class LoopThread: Sendable {
  /// The loop.
  public let loop: Loop

  /// Starts the thread; the system shows it by the first 15 bytes of `name`.
  ///
  /// SIGPIPE is blocked in it: what is written to a connection that the other end has closed is an error of the
  /// write, also where a library writes.
  public init(_ name: String) throws(ServerError) {
    let loop = try Loop()
    self.loop = loop
    _ = try Thread.start(name) {
      var pipe = sigset_t()
      sigemptyset(&pipe)
      sigaddset(&pipe, SIGPIPE)
      pthread_sigmask(SIG_BLOCK, &pipe, nil)
      pthread_detach(pthread_self())
      loop.run()
    }
  }

  /// Ends the loop once the jobs given so far have run.
  deinit { loop.stop() }
}

import CThreads
import Glibc

/// A POSIX thread that runs one closure.
public struct Thread: Sendable {
  private let id: pthread_t

  /// Starts a thread; the system shows it by the first 15 bytes of `name`.
  ///
  /// It takes no signals but those of its own faults: others are for the thread that the process began with, and
  /// what is written to a connection that the other end has closed is an error of the write. The closure's box is
  /// retained here and released by the thread when it has taken the closure out.
  public static func start(
    _ name: String, _ body: @escaping @Sendable () -> Void
  ) throws(ThreadFailure) -> Thread {
    var (blocked, before) = (sigset_t(), sigset_t())
    sigfillset(&blocked)
    for fault in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&blocked, fault) }
    // A thread begins with the mask of the one that starts it.
    pthread_sigmask(SIG_SETMASK, &blocked, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let box = Unmanaged.passRetained(Body(name: String(name.prefix(15)), run: body))
    var id = pthread_t()
    let status = pthread_create(
      &id, nil,
      { argument in
        guard let argument else { return nil }
        let body = Unmanaged<Body>.fromOpaque(argument).takeRetainedValue()
        // By itself: its maker could come too late.
        pthread_setname_np(pthread_self(), body.name)
        body.run()
        return nil
      }, box.toOpaque())
    guard status == 0 else {
      box.release()
      throw ThreadFailure(errno: status)
    }
    return Thread(id: id)
  }

  /// Waits until the closure has returned.
  ///
  /// Called once, from another thread.
  public func join() {
    pthread_join(id, nil)
  }

  /// Says that nobody will wait for it: the system takes its stack back when the closure has returned.
  ///
  /// Called once, in place of `join`.
  public func detach() {
    pthread_detach(id)
  }

  private final class Body {
    let name: String
    let run: @Sendable () -> Void

    init(name: String, run: @escaping @Sendable () -> Void) {
      (self.name, self.run) = (name, run)
    }
  }
}

/// The system gives no more threads.
public struct ThreadFailure: Error, CustomStringConvertible {
  /// What `pthread_create` has given.
  public let errno: Int32

  /// For a person, in one clause.
  public var description: String { "a thread cannot be started: \(String(cString: strerror(errno)))" }
}

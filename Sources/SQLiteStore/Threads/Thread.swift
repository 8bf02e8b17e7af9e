import CSQLite
import Glibc

/// A POSIX thread that runs one closure.
struct Thread: Sendable {
  private let id: pthread_t

  /// Starts a thread; the system shows it by the first 15 bytes of `name`.
  ///
  /// It takes no signals: those are for the threads that wait for them. The closure's box is retained here and
  /// released by the thread when it has taken the closure out.
  ///
  /// - Returns: nil where the system gives no more threads.
  static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> Thread? {
    var (all, before) = (sigset_t(), sigset_t())
    sigfillset(&all)
    pthread_sigmask(SIG_SETMASK, &all, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let box = Unmanaged.passRetained(Body(body))
    var id = pthread_t()
    let status = pthread_create(
      &id, nil,
      { argument in
        guard let argument else { return nil }
        Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      }, box.toOpaque())
    guard status == 0 else {
      box.release()
      return nil
    }
    pthread_setname_np(id, String(name.prefix(15)))
    return Thread(id: id)
  }

  /// Waits until the closure has returned; called once, from another thread.
  func join() {
    pthread_join(id, nil)
  }

  private final class Body {
    let run: @Sendable () -> Void
    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}

import CLibevent
import Glibc

extension Loop {
  /// Runs `handler` on the loop whenever the process gets the signal, in place of what the signal did before.
  ///
  /// The signal is unblocked for the calling thread: who started this process may have had it blocked, which is
  /// inherited, and threads that were started here take none. Takes effect at once if nothing runs the loop yet, else on its
  /// next turn, and lasts until it stops. Of a process's loops one alone can watch signals: libevent hands them all to the
  /// base that asked last.
  public func onSignal(_ number: Int32, _ handler: @escaping Job) {
    guard isCurrent || !isRunning else {
      execute { self.onSignal(number, handler) }
      return
    }
    var signal = sigset_t()
    sigemptyset(&signal)
    sigaddset(&signal, number)
    pthread_sigmask(SIG_UNBLOCK, &signal, nil)
    let watched = SignalHandler(handler)
    let argument = Unmanaged.passUnretained(watched).toOpaque()
    guard let event = event_new(base, number, Int16(EV_SIGNAL | EV_PERSIST), signalCame, argument) else {
      return
    }
    watched.event = event
    signals.append(watched)
    event_add(event, nil)
  }

  /// Gives every signal back its default; the last step of `run`.
  func freeSignals() {
    for watched in signals {
      if let event = watched.event { event_free(event) }
    }
    signals = []
  }
}

/// A watched signal; its event is freed by `Loop.freeSignals`.
final class SignalHandler {
  fileprivate let run: Loop.Job
  fileprivate var event: OpaquePointer?

  fileprivate init(_ run: @escaping Loop.Job) { self.run = run }
}

/// `Loop.signals` holds the reference that this pointer counts on.
private func signalCame(_: Int32, _: Int16, watched: UnsafeMutableRawPointer?) {
  guard let watched else { return }
  Unmanaged<SignalHandler>.fromOpaque(watched).takeUnretainedValue().run()
}

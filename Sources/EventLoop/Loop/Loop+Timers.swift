import CLibevent
import Glibc
import Synchronization

extension Loop {
  /// Runs `job` on the loop once, `seconds` from now by the monotonic clock; from any thread.
  ///
  /// O(log n) of n timers.
  @discardableResult
  public func schedule(after seconds: Double, _ job: @escaping Job) -> ScheduledJob {
    let scheduled = ScheduledJob(self, due: Clock.monotonic + seconds, job)
    if isCurrent { scheduled.arm() } else { execute { scheduled.arm() } }
    return scheduled
  }

  /// Releases every timer that waits; the last step of `run`.
  func freeTimers() {
    while let timer = timers.last { timer.disarm() }
  }
}

/// A job that a loop runs later, unless it is cancelled before.
///
/// Unchecked: `state` is atomic, and every `var` is touched on the loop's thread only.
public final class ScheduledJob: @unchecked Sendable {
  private let loop: Loop
  private let due: Double
  private let state = Atomic(State.waiting)
  private var job: Loop.Job?
  /// The C timer; freed by `disarm`, which also takes this object out of `Loop.timers`.
  private var event: OpaquePointer?
  /// The place in `Loop.timers` while `event` is there.
  private var slot = 0

  private enum State: UInt8, AtomicRepresentable {
    case waiting, ran, cancelled
  }

  fileprivate init(_ loop: Loop, due: Double, _ job: @escaping Loop.Job) {
    self.loop = loop
    self.due = due
    self.job = job
  }

  /// Takes the job back; from any thread, as often as one likes.
  ///
  /// If this returns true the job has not begun and never will.
  @discardableResult
  public func cancel() -> Bool {
    guard leave(for: .cancelled) else { return false }
    if loop.isCurrent { disarm() } else { loop.execute { self.disarm() } }
    return true
  }

  private func leave(for next: State) -> Bool {
    state.compareExchange(expected: .waiting, desired: next, ordering: .acquiringAndReleasing).exchanged
  }

  fileprivate func arm() {
    guard state.load(ordering: .acquiring) == .waiting else { return disarm() }
    let me = Unmanaged.passUnretained(self).toOpaque()
    guard let event = event_new(loop.base, -1, 0, timerFired, me) else { return }
    self.event = event
    slot = loop.timers.count
    loop.timers.append(self)
    var span = timeval(span: due - Clock.monotonic)
    event_add(event, &span)
  }

  fileprivate func disarm() {
    job = nil
    guard let event else { return }
    self.event = nil
    event_free(event)
    let last = loop.timers.removeLast()
    if last !== self {
      last.slot = slot
      loop.timers[slot] = last
    }
  }

  fileprivate func fire() {
    let job = job
    disarm()
    if leave(for: .ran) { job?() }
  }
}

/// `Loop.timers` holds the reference that this pointer counts on.
private func timerFired(_: Int32, _: Int16, timer: UnsafeMutableRawPointer?) {
  guard let timer else { return }
  Unmanaged<ScheduledJob>.fromOpaque(timer).takeUnretainedValue().fire()
}

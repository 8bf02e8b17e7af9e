import CLibevent
import Glibc
import Synchronization

/// One `event_base` and the one thread that runs it: a queue of jobs, timers and signals.
///
/// Whatever belongs to a loop (connections, timers, its listener) is touched on the loop's thread alone.
/// Other threads reach it by `execute`, `schedule` and `stop`.
///
/// Unchecked, because the compiler cannot see threads: `base`, the events and every `var` are touched in
/// `init`, on the thread inside `run`, and in `deinit`, which cannot overlap; all else is a lock or an
/// atomic.
public final class Loop: @unchecked Sendable {
  /// Work for the loop's thread.
  public typealias Job = @Sendable () -> Void

  /// The base; freed by `deinit`.
  ///
  /// Made without locks, as no other thread calls into it.
  let base: OpaquePointer
  /// Timers that have not run; the reference that each timer's C event counts on.
  var timers: [ScheduledJob] = []
  /// Signal handlers; the reference that each signal's C event counts on.
  var signals: [SignalHandler] = []

  private let mailbox = Mutex(Mailbox())
  /// The thread inside `run`; 0 for none.
  private let thread = Atomic<UInt>(0)
  /// An eventfd; readable when another thread has put the first job into an empty mailbox.
  private let doorbell: Int32
  /// Fires for the doorbell, and, set off by hand at no system call, for jobs that the loop gives itself.
  private var doorbellEvent: OpaquePointer?
  private var ownEvent: OpaquePointer?
  /// The jobs being run, and between turns the room for the next ones.
  private var turn: [Job] = []

  private struct Mailbox {
    var jobs: [Job] = []
    /// No more jobs are taken; the loop ends when it has run those it has.
    var isClosed = false
  }

  /// A loop that nothing runs yet.
  public init() throws(ServerError) {
    guard threadSupport == 0, let config = event_config_new() else { throw .noLoop }
    defer { event_config_free(config) }
    event_config_set_flag(config, Int32(EVENT_BASE_FLAG_NOLOCK.rawValue))
    let descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
    guard descriptor >= 0 else { throw .noLoop }
    guard let base = event_base_new_with_config(config) else {
      close(descriptor)
      throw .noLoop
    }
    self.base = base
    doorbell = descriptor
    let me = Unmanaged.passUnretained(self).toOpaque()
    doorbellEvent = event_new(base, doorbell, Int16(EV_READ | EV_PERSIST), doorbellRang, me)
    ownEvent = event_new(base, -1, Int16(EV_PERSIST), ownJobsWait, me)
    guard let doorbellEvent, ownEvent != nil, event_add(doorbellEvent, nil) == 0 else { throw .noLoop }
  }

  deinit {
    freeSignals()
    if let doorbellEvent { event_free(doorbellEvent) }
    if let ownEvent { event_free(ownEvent) }
    event_base_free(base)
    close(doorbell)
  }

  /// Whether the caller is on the loop's thread.
  public var isCurrent: Bool {
    thread.load(ordering: .relaxed) == UInt(pthread_self())
  }

  /// Runs the loop on this thread until `stop`.
  ///
  /// Called once.
  public func run() {
    thread.store(UInt(pthread_self()), ordering: .relaxed)
    if mailbox.withLock({ !$0.isClosed || !$0.jobs.isEmpty }) {
      event_base_loop(base, EVLOOP_NO_EXIT_ON_EMPTY)
    }
    freeTimers()
    freeSignals()
    thread.store(0, ordering: .relaxed)
  }

  /// Whether some thread is inside `run`.
  var isRunning: Bool { thread.load(ordering: .relaxed) != 0 }

  /// After `run`: lets libevent free what it puts off to the next turn, such as the sockets of freed
  /// bufferevents.
  func freeHandles() {
    event_base_loop(base, EVLOOP_NONBLOCK)
  }

  /// Runs `job` on the loop's next turn, in the order of the calls; from any thread, never within this call.
  ///
  /// The queue has no bound of its own: a turn takes all of it, and who fills it faster than loops turn must
  /// be bounded himself. Nothing is dropped before `stop`; what comes after it is released without being run.
  ///
  /// - Returns: false where it comes after `stop`.
  @discardableResult
  public func execute(_ job: @escaping Job) -> Bool {
    let (isTaken, isFirst) = mailbox.withLock { mailbox in
      if mailbox.isClosed { return (false, false) }
      mailbox.jobs.append(job)
      return (true, mailbox.jobs.count == 1)
    }
    if isFirst { wake() }
    return isTaken
  }

  /// Ends `run` once the jobs given so far have run; from any thread.
  ///
  /// Timers still waiting are released.
  public func stop() {
    mailbox.withLock { $0.isClosed = true }
    wake()
  }

  private func wake() {
    if isCurrent, let ownEvent {
      event_active(ownEvent, Int32(EV_READ), 1)
    } else {
      eventfd_write(doorbell, 1)
    }
  }

  fileprivate func hearDoorbell() {
    var count: eventfd_t = 0
    eventfd_read(doorbell, &count)
    runJobs()
  }

  fileprivate func runJobs() {
    let ends = mailbox.withLock { mailbox in
      swap(&mailbox.jobs, &turn)
      return mailbox.isClosed
    }
    for job in turn { job() }
    turn.removeAll(keepingCapacity: turn.capacity <= 4096)
    if ends { event_base_loopbreak(base) }
  }
}

/// Libevent's own globals (the registry of signals) get locks, once and before any base; 0 if that worked.
private let threadSupport = evthread_use_pthreads()

/// The loop outlives its events (`deinit` frees them), so these pointers are not retained.
private func doorbellRang(_: Int32, _: Int16, loop: UnsafeMutableRawPointer?) {
  guard let loop else { return }
  Unmanaged<Loop>.fromOpaque(loop).takeUnretainedValue().hearDoorbell()
}

private func ownJobsWait(_: Int32, _: Int16, loop: UnsafeMutableRawPointer?) {
  guard let loop else { return }
  Unmanaged<Loop>.fromOpaque(loop).takeUnretainedValue().runJobs()
}

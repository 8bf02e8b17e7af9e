import Glibc

/// Seconds since some moment before the process began; never set back.
enum MonotonicClock {
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// What ended a wait.
enum Wake {
  /// The connection can go on.
  case ready
  /// A descriptor of the caller's has something to read, was closed, or is broken.
  case descriptor(Int32)
  /// The time has come.
  case time
}

/// Waits until `socket` can do what `events` says, one of `others` becomes readable, or `deadline` has come.
///
/// The others go first: a busy stream shall not keep a signal from being heard.
func wait(socket: Int32?, for events: Int32, others: [Int32], until deadline: Double) -> Wake {
  var entries = others.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
  if let socket { entries.append(pollfd(fd: socket, events: Int16(events), revents: 0)) }
  while true {
    let left = deadline - MonotonicClock.now
    let milliseconds = left.isFinite ? Int32((min(max(left, 0), 86_400) * 1_000).rounded(.up)) : -1
    let count = poll(&entries, nfds_t(entries.count), milliseconds)
    if count > 0 {
      for (entry, descriptor) in zip(entries, others) where entry.revents != 0 {
        return .descriptor(descriptor)
      }
      return .ready
    }
    if count == 0 && deadline <= MonotonicClock.now { return .time }
  }
}

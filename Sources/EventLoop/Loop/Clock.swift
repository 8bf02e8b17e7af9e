import Glibc

/// The clocks of a loop, in the coarse form (a few milliseconds) that costs no system call.
enum Clock {
  /// Seconds since some fixed moment; never set back.
  ///
  /// Libevent's own timers go by the same clock.
  static var monotonic: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  /// Whole seconds since 1970.
  static var wall: Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME_COARSE, &time)
    return time.tv_sec
  }
}

extension timeval {
  /// A span of `seconds`: nothing where that is negative or no number, ten years where it is longer.
  init(span seconds: Double) {
    let bounded = seconds > 0 ? min(seconds, 315_360_000) : 0
    let whole = bounded.rounded(.down)
    self.init(tv_sec: Int(whole), tv_usec: Int((bounded - whole) * 1e6))
  }
}

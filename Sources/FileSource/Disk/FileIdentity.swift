import Glibc

/// What tells one content of a path from another without reading it: which file it is, and when it last changed.
package struct FileIdentity: Equatable {
  private let device: dev_t
  private let inode: ino_t
  private let size: off_t
  /// When the content changed, in nanoseconds since 1970; programs may set it back.
  private let modified: Int64
  /// When the content, or what is noted about it, changed: no program can set it, and it tells of a `chmod`.
  private let changed: Int64

  /// The identity that a file's status tells.
  package init(of status: stat) {
    device = status.st_dev
    inode = status.st_ino
    size = status.st_size
    modified = Self.nanoseconds(status.st_mtim)
    changed = Self.nanoseconds(status.st_ctim)
  }

  /// How far apart two changes must be for the times that a file system keeps to differ: FAT counts in 2 s, Linux
  /// itself in ticks of up to 10 ms.
  private static let granularity: Int64 = 2_000_000_000

  /// Whether a change at or after `time` (nanoseconds since 1970) is sure to show in the identity.
  ///
  /// A content read while its last change is this young may be followed by another change with the same times and
  /// the same size, so it must not be taken for current by its identity alone.
  package func isSettled(at time: Int64) -> Bool {
    let (settled, overflow) = max(modified, changed).addingReportingOverflow(Self.granularity)
    return !overflow && settled < time
  }

  /// The present time, in nanoseconds since 1970.
  package static func now() -> Int64 {
    var time = timespec()
    // It fails for unknown clocks only; at time 0 nothing would be settled, which is safe.
    clock_gettime(CLOCK_REALTIME, &time)
    return nanoseconds(time)
  }

  private static func nanoseconds(_ time: timespec) -> Int64 {
    Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
  }
}

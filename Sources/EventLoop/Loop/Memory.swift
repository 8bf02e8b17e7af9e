import CLibevent
import Threads

/// The memory of the process.
public enum Memory {
  /// Gives what is free back to the system, on a thread of its own, for that takes some milliseconds.
  ///
  /// Where there can be no thread the memory stays the process's, to be used again.
  public static func giveBack() {
    do throws(ThreadFailure) {
      try Thread.start("trim") { malloc_trim(0) }.detach()
    } catch {
      return
    }
  }
}

import Foundation
import Synchronization

/// Held while a program is started.
///
/// Foundation lists the open descriptors of this process, tells the child to close each, and then makes the child. What
/// another thread opens or closes between is closed too late or not at all, and what it keeps of all children for
/// waiting is shared: from several threads at once it has crashed.
private let starting = Mutex(())

extension Process {
  /// Runs it, one at a time in this process; all tests start their programs by this.
  ///
  /// A child inherits the signals that the thread blocks which starts it, and those of the cooperative pool block all:
  /// nobody could ask such a child to end. So none is blocked meanwhile.
  package func start() throws {
    try starting.withLock { _ in
      var (none, before) = (sigset_t(), sigset_t())
      sigemptyset(&none)
      pthread_sigmask(SIG_SETMASK, &none, &before)
      defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
      try run()
    }
  }

  /// Waits until it has ended; false where it has not within so many seconds.
  package func ends(within seconds: Double) -> Bool {
    let deadline = Date().addingTimeInterval(seconds)
    while isRunning && Date() < deadline { usleep(2_000) }
    return !isRunning
  }

  /// Ends it at once (SIGKILL), as a crash would, and waits for that.
  package func crash() {
    if isRunning { kill(processIdentifier, SIGKILL) }
    waitUntilExit()
  }
}

extension FileHandle {
  /// What comes up to the end; blocks.
  ///
  /// `readDataToEndOfFile` ends the whole process where a signal interrupts the reading (EINTR).
  package func readThrough() throws -> [UInt8] {
    var content: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Foundation.read(fileDescriptor, &block, block.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      guard count > 0 else { return content }
      content += block[..<count]
    }
  }
}

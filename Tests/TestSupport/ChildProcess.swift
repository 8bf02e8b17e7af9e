import CSpawn
import Foundation
import Synchronization

/// A program that runs as a child of this process; its life is that of this value.
///
/// By posix_spawn(3): Foundation's `Process` lists the descriptors that are open here in order to close them in the
/// child, and where there are more than some thirteen hundred it reads beyond the system's buffer, which has ended the
/// whole process (Swift 6.3).
package final class ChildProcess: Sendable {
  /// Its number, which is that of its process group too: what it starts can be ended with it.
  package let processIdentifier: pid_t

  /// The exit status, or the number of the signal that ended it; nil while it runs.
  private let ended = Mutex<Int32?>(nil)

  /// Starts a program.
  ///
  /// It has the standard streams that are given here and no other descriptor of this process, blocks no signal and
  /// ignores none.
  ///
  /// - Parameters:
  ///   - folder: in which it runs; nil: where this process does.
  ///   - environment: all its variables; nil: those of this process.
  ///   - input: standard input, as `output` and `errors` are the others; nil: nothing (`/dev/null`).
  package init(
    _ executable: URL, _ arguments: [String] = [], in folder: String? = nil,
    environment: [String: String]? = nil, input: FileHandle? = nil, output: FileHandle? = nil,
    errors: FileHandle? = nil
  ) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (stream, handle) in [(STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
      if let handle {
        posix_spawn_file_actions_adddup2(&actions, handle.fileDescriptor, stream)
      } else {
        posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_RDWR, 0)
      }
    }
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1)
    if let folder { posix_spawn_file_actions_addchdir_np(&actions, folder) }

    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP
    posix_spawnattr_setflags(&attributes, Int16(flags))

    let variables = environment ?? ProcessInfo.processInfo.environment
    var identifier = pid_t()
    // A handle that is let go of closes its descriptor.
    let status = withExtendedLifetime((input, output, errors)) {
      withCStrings([executable.path] + arguments) { arguments in
        withCStrings(variables.map { "\($0)=\($1)" }) { variables in
          posix_spawn(&identifier, executable.path, &actions, &attributes, arguments, variables)
        }
      }
    }
    guard status == 0 else { throw POSIXError(POSIXErrorCode(rawValue: status) ?? .EINVAL) }
    processIdentifier = identifier
  }

  deinit { crash() }

  /// The exit status, or the number of the signal that ended it; nil while it runs.
  package var status: Int32? {
    ended.withLock { ended in
      var status: Int32 = 0
      if ended == nil, waitpid(processIdentifier, &status, WNOHANG) == processIdentifier {
        let signal = status & 0x7f
        ended = signal == 0 ? status >> 8 & 0xff : signal
      }
      return ended
    }
  }

  /// Sends a signal to it, and with `group` to whatever it has started too; nothing where it has ended.
  package func signal(_ number: Int32, group: Bool = false) {
    // Under the lock, so that its number is nobody else's yet.
    ended.withLock { if $0 == nil { _ = kill(group ? -processIdentifier : processIdentifier, number) } }
  }

  /// Waits until it has ended; nil where it has not within so many seconds.
  package func end(within seconds: Double) -> Int32? {
    let deadline = Date().addingTimeInterval(seconds)
    while status == nil, Date() < deadline { usleep(2_000) }
    return status
  }

  /// Ends it at once (SIGKILL), as a crash would, and with `group` whatever it has started too; waits for that.
  ///
  /// - Returns: the exit status, or the number of the signal that ended it.
  @discardableResult
  package func crash(group: Bool = false) -> Int32 {
    signal(SIGKILL, group: group)
    while true {
      if let status { return status }
      usleep(500)
    }
  }
}

/// Calls `body` with the strings as C has them: each with a NUL behind it, and a null pointer behind the last.
private func withCStrings<Result>(
  _ strings: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
) -> Result {
  let copies = strings.map { strdup($0) }
  defer { for copy in copies { free(copy) } }
  return body(copies + [nil])
}

import Glibc
import Screen
import Synchronization

/// The terminal on standard output, whose whole screen can be had for a while.
final class TerminalWindow {
  /// Whether colors are wanted (https://no-color.org).
  let isColored: Bool
  /// Whether keys are read: standard input is a terminal too.
  let takesKeys: Bool

  private let settings: termios

  /// nil where standard output is no terminal, or one that cannot place its cursor.
  init?(_ environment: [String: String]) {
    guard isatty(STDOUT_FILENO) == 1, let kind = environment["TERM"], !["", "dumb"].contains(kind) else {
      return nil
    }
    isColored = environment["NO_COLOR"].map(\.isEmpty) ?? true
    var settings = termios()
    takesKeys = isatty(STDIN_FILENO) == 1 && tcgetattr(STDIN_FILENO, &settings) == 0
    self.settings = settings
  }

  /// The present size; 80 by 24 where the terminal does not tell.
  var size: (columns: Int, rows: Int) {
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
      return (80, 24)
    }
    return (Int(size.ws_col), Int(size.ws_row))
  }

  /// Takes the screen, empty, and keeps typed keys off it.
  func enter() {
    if takesKeys {
      var silent = settings
      silent.c_lflag &= ~tcflag_t(ECHO | ICANON)
      tcsetattr(STDIN_FILENO, TCSADRAIN, &silent)
    }
    Terminal.print(Frame.enter)
  }

  /// Gives the screen and the keys back.
  func leave() {
    Terminal.print(Frame.leave)
    if takesKeys {
      var settings = settings
      tcsetattr(STDIN_FILENO, TCSADRAIN, &settings)
    }
  }

  /// Reads the keys that were typed: whether `q` is among them, or there will be no more.
  func isQuitAsked() -> Bool {
    var keys = [UInt8](repeating: 0, count: 256)
    let count = read(STDIN_FILENO, &keys, keys.count)
    if count < 0 { return errno != EINTR && errno != EAGAIN }
    return count == 0 || keys[..<count].contains(UInt8(ascii: "q"))
  }
}

/// Signals as bytes that can be waited for together with sockets; one a process, for as long as that lives.
struct SignalPipe {
  /// The signals that end a watch.
  static let enders: Set<Int32> = [SIGINT, SIGTERM]
  /// The signals that matter to a screen besides, which is to be put right before they end or stop the process.
  static let ofScreen: Set<Int32> = [SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT]

  /// Readable when a signal has come; -1 where there could be no pipe, and signals do what they always do.
  let descriptor: Int32

  /// Takes signals over, also where who started this process had them blocked, which is inherited.
  init(_ signals: Set<Int32>) {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else {
      descriptor = -1
      return
    }
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    descriptor = ends[0]
    writeEnd.store(ends[1], ordering: .relaxed)
    var unblocked = sigset_t()
    sigemptyset(&unblocked)
    for signal in signals {
      sigaddset(&unblocked, signal)
      var action = sigaction()
      action.__sigaction_handler.sa_handler = noteSignal
      sigaction(signal, &action, nil)
    }
    pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
  }

  /// The signals that have come since the last call, in order.
  func take() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? bytes[..<count].map(Int32.init) : []
  }
}

/// Where the handler writes; it can be told in no other way.
private let writeEnd = Atomic<Int32>(-1)

/// Runs in a signal: one system call, and the interrupted code's `errno` is put back.
private func noteSignal(_ signal: Int32) {
  let code = errno
  var byte = UInt8(truncatingIfNeeded: signal)
  _ = write(writeEnd.load(ordering: .relaxed), &byte, 1)
  errno = code
}

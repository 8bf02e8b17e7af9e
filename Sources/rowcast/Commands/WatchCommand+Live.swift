import Glibc
import RowcastClient
import Screen

// Watching on a terminal: the present list, drawn anew whenever something has changed.
extension WatchCommand {
  /// The shortest time between two pictures; changes in between show in the next.
  private static let frame = Duration.milliseconds(33)

  /// Draws until the session or somebody ends it; the terminal is then as it was.
  func draw(_ follower: SessionFollower, on window: TerminalWindow, _ signals: SignalPipe) -> Int32 {
    window.enter()
    let ending = drawUntilEnd(follower, on: window, signals)
    window.leave()
    return switch ending {
    case .asked: Status.done
    case .unreached(let reason): Self.fail(unreached: reason)
    case .over(let end): Self.end(end)
    case .refused(let refusal): Self.fail(refusal)
    }
  }

  private enum Ending {
    case asked
    case unreached(reason: String)
    case over(SessionEnd)
    case refused(Refusal)
  }

  private func drawUntilEnd(
    _ follower: SessionFollower, on window: TerminalWindow, _ signals: SignalPipe
  ) -> Ending {
    let descriptors = [signals.descriptor] + (window.takesKeys ? [STDIN_FILENO] : [])
    var screen = ListScreen(nil, connection: .connecting)
    var shown = Frame()
    var isStale = true
    var due = ContinuousClock.now
    while true {
      let now = ContinuousClock.now
      if isStale, now >= due {
        screen.list = follower.list
        let size = window.size
        let lines = screen.lines(columns: size.columns, height: size.rows)
        Terminal.print(shown.update(to: lines, isColored: window.isColored))
        isStale = false
        due = now + Self.frame
      }
      let patience = isStale ? (due - now) / .seconds(1) : .infinity
      switch follower.next(within: patience, orWhenReadable: descriptors) {
      case .connection(let state):
        if case .waiting(let reason, _) = state, follower.list == nil { return .unreached(reason: reason) }
        screen.connection = state
        isStale = true
      case .snapshot, .change:
        isStale = true
      case .over(let end):
        return .over(end)
      case .refused(let refusal):
        return .refused(refusal)
      case .descriptor(signals.descriptor):
        for signal in signals.take() {
          switch signal {
          case SIGTSTP:
            window.leave()
            kill(getpid(), SIGSTOP)
          case SIGCONT:
            window.enter()
            shown = Frame()
          case SIGWINCH:
            shown.forget()
          default:
            return .asked
          }
        }
        isStale = true
        due = ContinuousClock.now
      case .descriptor:
        if window.isQuitAsked() { return .asked }
      case .time:
        break
      }
    }
  }
}

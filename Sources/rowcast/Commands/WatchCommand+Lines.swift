import Glibc
import RowcastClient
import Screen

// Watching without a screen: what happens is appended to standard output, what is amiss goes to standard error.
extension WatchCommand {
  /// Prints the list, then each change, until the session or somebody ends it.
  func print(_ follower: SessionFollower, _ signals: SignalPipe) -> Int32 {
    // Where a pipe's reader has gone, that shall be met now and not at the next change.
    let descriptors = [signals.descriptor] + (Self.isPipe(STDOUT_FILENO) ? [STDOUT_FILENO] : [])
    while true {
      switch follower.next(orWhenReadable: descriptors) {
      case .snapshot(let json):
        if isJSON {
          Terminal.write(json.line, to: STDOUT_FILENO)
        } else {
          print(ListScreen(follower.list).lines())
        }
      case .change(let change):
        if isJSON {
          Terminal.write(change.json.line, to: STDOUT_FILENO)
        } else {
          print(change.lines)
        }
      case .connection(.waiting(let reason, let seconds)):
        guard follower.list != nil else { return Self.fail(unreached: reason) }
        Self.complain("\(reason); again in \(Int(seconds.rounded(.up))) s")
      case .over(let end):
        if isJSON { Terminal.print("{\"reason\":\"\(end.rawValue)\"}\n") }
        return Self.end(end)
      case .refused(let refusal):
        return Self.fail(refusal)
      case .descriptor(signals.descriptor):
        if !signals.take().isEmpty { return Status.done }
      case .descriptor:
        return Status.done
      case .connection, .time:
        break
      }
    }
  }

  /// A server that was never there is more likely a wrong address than one that will be back.
  static func fail(unreached reason: String) -> Int32 {
    complain("the server cannot be reached: \(reason)")
    return Status.failed
  }

  private func print(_ lines: [StyledLine]) {
    Terminal.print(lines.map { "\($0.plain)\n" }.joined())
  }

  private static func isPipe(_ descriptor: Int32) -> Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }
}

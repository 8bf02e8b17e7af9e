import Glibc
import JSONText
import RowcastClient
import Screen
import Service

/// `rowcast watch`: shows a session as it changes, on a terminal's whole screen or as lines of text or JSON.
struct WatchCommand {
  let address: SessionAddress
  let token: String?
  let isJSON: Bool
  let environment: [String: String]

  /// How it ended, as the shell sees it.
  enum Status {
    static let done: Int32 = 0
    static let failed: Int32 = 1
    static let over: Int32 = 3
    static let unknown: Int32 = 4
    static let forbidden: Int32 = 5
  }

  static func run(_ options: WatchOptions, environment: [String: String]) throws(UsageError) -> Int32 {
    let token = try options.token(in: environment)
    let target = try Target(options)
    do throws(RequestFailure) {
      let command = WatchCommand(
        address: try target.session(token: token, awaitsRows: options.isOnce), token: token,
        isJSON: options.isJSON,
        environment: environment)
      if options.isOnce {
        try command.drawOnce()
        return Status.done
      }
      return command.follow()
    } catch {
      return fail(error)
    }
  }

  private func follow() -> Int32 {
    let follower = SessionFollower(address, token: token)
    if !isJSON, let window = TerminalWindow(environment) {
      return draw(follower, on: window, SignalPipe(SignalPipe.enders.union(SignalPipe.ofScreen)))
    }
    return print(follower, SignalPipe(SignalPipe.enders))
  }

  /// `--once`: the present list, all of it.
  private func drawOnce() throws(RequestFailure) {
    let (json, list) = try address.snapshot(token: token)
    if isJSON {
      Terminal.write(json.line, to: STDOUT_FILENO)
      return
    }
    let window = TerminalWindow(environment)
    let lines = ListScreen(list).lines(columns: window?.size.columns ?? .max)
    let isColored = window?.isColored == true
    Terminal.print(lines.map { "\(isColored ? $0.styled : $0.plain)\n" }.joined())
  }
}

/// What a command line names: a session, or a table on which one is to be opened.
private enum Target {
  case session(SessionAddress)
  case table(String, ServerAddress)

  init(_ options: WatchOptions) throws(UsageError) {
    let right = "http://127.0.0.1:8080/v1/sessions/ID would be right"
    switch (ListAddress(url: options.url), options.table) {
    case (nil, _): throw UsageError(problem: "URL is no address of a session; \(right)", command: .watch)
    case (.session(let address), nil): self = .session(address)
    case (.session, _?):
      throw UsageError(problem: "URL names a session already, and --table opens another", command: .watch)
    case (.table(_, let server), let name?), (.server(let server), let name?),
      (.table(let name, let server), nil):
      self = .table(name, server)
    case (.server, nil):
      throw UsageError(problem: "URL names no session; \(right), or --table NAME with it", command: .watch)
    }
  }

  /// The session, opened where need be; its address is told then, so that others can join.
  func session(token: String?, awaitsRows: Bool) throws(RequestFailure) -> SessionAddress {
    switch self {
    case .session(let address):
      return address
    case .table(let name, let server):
      let address = try server.open(table: name, token: token, awaitsRows: awaitsRows)
      WatchCommand.complain("opened \(address)")
      return address
    }
  }
}

// MARK: How it ends

extension WatchCommand {
  /// A line on standard error; what a server said is in it, and so it is made harmless.
  static func complain(_ text: String) {
    var line = StyledLine()
    line.append("rowcast: \(text)")
    Terminal.complain(line.plain)
  }

  static func fail(_ failure: RequestFailure) -> Int32 {
    switch failure {
    case .lost(let loss): complain("the server cannot be reached: \(loss.reason)")
    case .unfit(let message): complain("the server cannot be understood: \(message)")
    case .refused(let refusal): return fail(refusal)
    }
    return Status.failed
  }

  static func fail(_ refusal: Refusal) -> Int32 {
    complain(refusal.description)
    return switch refusal.status {
    case 404: Status.unknown
    case 410: Status.over
    case 401, 403: Status.forbidden
    default: Status.failed
    }
  }

  static func end(_ end: SessionEnd) -> Int32 {
    complain(end == .deleted ? "the session was deleted" : "the session has expired")
    return Status.over
  }
}

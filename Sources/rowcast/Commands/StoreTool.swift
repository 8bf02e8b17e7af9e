import Glibc
import SQLiteStore
import Service
import Sessions

/// What the commands about a store's file have in common.
enum StoreTool {
  /// Why a command ended: a line for standard error, and the exit status.
  struct Failure: Error {
    let line: String
    let status: Int32

    /// The output could not be written, or the store did not answer.
    static func failed(_ line: String) -> Failure { Failure(line: line, status: 1) }
    /// EX_DATAERR of sysexits.h.
    static func wrongData(_ line: String) -> Failure { Failure(line: line, status: 65) }
    /// EX_CONFIG of sysexits.h.
    static func unusable(_ failure: StoreFileFailure) -> Failure {
      Failure(line: failure.line, status: failure.code == .output ? 1 : 78)
    }
  }

  /// Finds the SQLite store that is meant and does `body` with its path.
  static func run(
    _ selection: StoreSelection, environment: [String: String],
    _ body: (_ path: String, _ synchronous: Synchronous) throws(Failure) -> Void
  ) -> Int32 {
    do throws(Failure) {
      switch try choice(selection, environment) {
      case .sqlite(let path, let synchronous):
        try body(path, Synchronous(rawValue: synchronous.rawValue) ?? .full)
        return 0
      case .memory:
        throw Failure(line: "a store in memory ends with its server: there is none to open", status: 78)
      case .redis: throw Failure(line: "redis: stores are not in this build", status: 78)
      }
    } catch {
      for line in error.line.split(separator: "\n") { Terminal.complain("rowcast: \(line)") }
      return error.status
    }
  }

  private static func choice(
    _ selection: StoreSelection, _ environment: [String: String]
  ) throws(Failure) -> StoreChoice {
    do {
      return try selection.resolved(environment: environment)
    } catch {
      throw Failure(line: error.lines.joined(separator: "\n"), status: ConfigurationFaults.exitStatus)
    }
  }

  /// Does what needs a store's file; where that cannot be used the command ends.
  static func using<Value>(_ body: () throws(StoreFileFailure) -> Value) throws(Failure) -> Value {
    do { return try body() } catch { throw .unusable(error) }
  }
}

/// Shows how far a command is, on one line of a terminal that is written anew; nothing where there is no terminal.
struct Progress {
  private let isShown = isatty(STDERR_FILENO) == 1
  private var shown = ""

  mutating func show(_ text: @autoclosure () -> String) {
    guard isShown else { return }
    let text = text()
    guard text != shown else { return }
    Terminal.write(Array("\r\(text)\u{1B}[K".utf8), to: STDERR_FILENO)
    shown = text
  }

  /// Takes the line away.
  mutating func end() {
    if !shown.isEmpty { Terminal.write(Array("\r\u{1B}[K".utf8), to: STDERR_FILENO) }
    shown = ""
  }
}

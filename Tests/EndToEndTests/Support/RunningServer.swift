import Foundation
import TestSupport

/// The built server as a process of its own, on a free port of the loopback.
///
/// Its life is that of this value: whoever lets go of it ends the process. All calls may block; make them in `onThread`.
final class RunningServer {
  /// Why there is no server, with what it wrote to standard error.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The port that it listens on.
  let port: Int
  /// The number of its process.
  var processIdentifier: Int32 { process.processIdentifier }
  /// What requests begin with, without a slash at the end.
  var url: String { "http://127.0.0.1:\(port)" }

  private let process: ChildProcess
  private let errors: URL
  /// What goes with it: files and folders that were made for it.
  var belongings: [URL] = []

  /// Starts `rowcast serve` in the repository's root and waits until it says where it listens.
  ///
  /// - Parameters:
  ///   - arguments: what follows `serve`, besides `--port 0`.
  ///   - environment: variables besides those of this process; names that begin with `ROWCAST_` are not inherited.
  ///     Sessions are in memory unless a variable or a flag says otherwise.
  ///   - seconds: how long it may take to say so.
  init(
    _ arguments: [String] = ["--config", "Config/rowcast.json"], environment: [String: String] = [:],
    within seconds: Double = 10
  ) throws {
    errors = FileManager.default.temporaryDirectory.appendingPathComponent("rowcast-\(UUID().uuidString).log")
    _ = FileManager.default.createFile(atPath: errors.path, contents: nil)
    let output = Pipe()
    let variables = ProcessInfo.processInfo.environment
      .filter { !$0.key.hasPrefix("ROWCAST_") }
      .merging(["ROWCAST_STORE": "memory:"]) { $1 }
      .merging(environment) { $1 }
    process = try ChildProcess(
      Repository.server, ["serve", "--port", "0"] + arguments, in: Repository.root.path,
      environment: variables, output: output.fileHandleForWriting,
      errors: FileHandle(forWritingTo: errors))
    try output.fileHandleForWriting.close()
    let line = firstLine(from: output.fileHandleForReading.fileDescriptor, within: seconds)
    guard line.hasPrefix("rowcast listening on http://"),
      let number = Int(line.split(separator: ":").last ?? "")
    else {
      port = 0
      let status = stop()
      let log = (try? String(contentsOf: errors, encoding: .utf8)) ?? ""
      throw Failure(
        description:
          "no server within \(seconds) s; output: \(line); status \(status); log:\n\(log)")
    }
    port = number
  }

  /// Asks it to end (SIGTERM) and waits for that; by force after 15 seconds.
  ///
  /// - Returns: the exit status, or the number of the signal that ended it.
  @discardableResult
  func stop() -> Int32 {
    process.signal(SIGTERM)
    return process.end(within: 15) ?? process.crash()
  }

  /// Ends it at once (SIGKILL), as a crash would, and waits for that.
  func crash() { process.crash() }

  deinit {
    stop()
    for item in belongings + [errors] { try? FileManager.default.removeItem(at: item) }
  }
}

/// What comes from a file descriptor up to the first line feed, or as far as it came in time.
private func firstLine(from descriptor: Int32, within seconds: Double) -> String {
  let deadline = Date().addingTimeInterval(seconds)
  var line: [UInt8] = []
  var byte: UInt8 = 0
  while true {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let left = Int32(max(0, deadline.timeIntervalSinceNow * 1_000))
    guard poll(&waiting, 1, left) > 0, read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") else {
      break
    }
    line.append(byte)
  }
  return String(decoding: line, as: UTF8.self)
}

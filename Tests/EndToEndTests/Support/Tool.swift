import Foundation

/// A program that is run to its end.
enum Tool {
  struct Outcome: Sendable {
    let status: Int32
    let output: String
    let errors: String
  }

  /// The built `rowcast`, in the repository's root, with these arguments.
  static func rowcast(_ arguments: [String]) throws -> Outcome { try run(Repository.server.path, arguments) }

  static func run(_ program: String, _ arguments: [String]) throws -> Outcome {
    let process = Process()
    let folder = try TemporaryFolder()
    for name in ["out", "err"] { try folder.write("", to: name) }
    process.executableURL = URL(fileURLWithPath: program)
    process.currentDirectoryURL = Repository.root
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.filter { !$0.key.hasPrefix("ROWCAST_") }
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle(forWritingAtPath: folder.path("out"))
    process.standardError = FileHandle(forWritingAtPath: folder.path("err"))
    try process.run()
    let end = Date() + 20
    while process.isRunning, Date() < end { usleep(2_000) }
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus, output: String(decoding: try folder.content("out"), as: UTF8.self),
      errors: String(decoding: try folder.content("err"), as: UTF8.self))
  }
}

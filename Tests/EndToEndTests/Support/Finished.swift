import Foundation

/// A run of a program that has ended by itself.
struct Finished: CustomStringConvertible {
  let output: String
  let errors: String
  let status: Int32

  /// Runs `rowcast` in the repository's root; blocks.
  init(running arguments: [String], environment: [String: String] = [:]) throws {
    try self.init([Repository.server.path] + arguments, in: Repository.root, environment)
  }

  /// Runs a line of bash in a folder, where `rowcast` is the program that was built; blocks.
  init(shell line: String, in folder: URL, environment: [String: String] = [:]) throws {
    let path = "\(Repository.server.deletingLastPathComponent().path):/usr/local/bin:/usr/bin:/bin"
    try self.init(["bash", "-c", line], in: folder, environment.merging(["PATH": path]) { $1 })
  }

  private init(_ arguments: [String], in folder: URL, _ environment: [String: String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
    process.arguments = ["60"] + arguments
    process.currentDirectoryURL = folder
    // Neither its settings nor a way to the world are taken from whoever runs the tests.
    process.environment = ProcessInfo.processInfo.environment
      .filter { !$0.key.hasPrefix("ROWCAST_") && !$0.key.lowercased().hasSuffix("_proxy") }
      .merging(environment) { $1 }
    let (output, errors) = (Pipe(), Pipe())
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    // What a run says in either is far below what a pipe holds, so reading one after the other blocks nobody.
    self.output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    self.errors = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    status = process.terminationStatus
  }

  var description: String { "status \(status)\n\(output)\n\(errors)" }
}

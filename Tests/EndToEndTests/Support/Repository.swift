import Foundation
import TestSupport

/// Where the files are that tests read and run.
enum Repository {
  /// The folder of `Package.swift`.
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  /// The server that was built together with the tests that are running: it lies beside them.
  static let server = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    .deletingLastPathComponent().appendingPathComponent("rowcast")

  /// A file of the repository as text.
  static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }
}

extension Finished {
  /// Runs `rowcast` in the repository's root; blocks.
  init(running arguments: [String], environment: [String: String] = [:]) throws {
    try self.init([Repository.server.path] + arguments, in: Repository.root.path, environment: environment)
  }

  /// Runs a line of bash in a folder, where `rowcast` is the program that was built; blocks.
  init(
    shell line: String, in folder: URL = Repository.root, environment: [String: String] = [:],
    within seconds: Double = 60
  ) throws {
    let path = "\(Repository.server.deletingLastPathComponent().path):/usr/local/bin:/usr/bin:/bin"
    try self.init(
      ["bash", "-c", line], in: folder.path, environment: environment.merging(["PATH": path]) { $1 },
      within: seconds)
  }
}

import Foundation

/// A run of a program that has ended.
package struct Finished: Sendable, CustomStringConvertible {
  /// What it wrote to standard output, and that as text.
  package let bytes: [UInt8]
  package var output: String { String(decoding: bytes, as: UTF8.self) }
  /// What it wrote to standard error.
  package let errors: String
  /// Its exit status, or the number of the signal that ended it.
  package let status: Int32

  package var description: String { "status \(status)\n\(output)\n\(errors)" }

  /// Runs a program, found along the `PATH`, to its end; blocks.
  ///
  /// - Parameters:
  ///   - environment: variables besides those of this process. Neither its settings (`ROWCAST_…`) nor a way to the
  ///     world (`…_proxy`) are taken from whoever runs the tests.
  ///   - seconds: how long it may take before it is ended by force.
  package init(
    _ command: [String], in folder: String = "/tmp", environment: [String: String] = [:],
    input: [UInt8]? = nil, within seconds: Double = 60
  ) throws {
    let variables = ProcessInfo.processInfo.environment
      .filter { !$0.key.hasPrefix("ROWCAST_") && !$0.key.lowercased().hasSuffix("_proxy") }
      .merging(environment) { $1 }
    // Files hold what comes, however much, and have an end even where a child of the program lives on.
    let files = try TemporaryFolder()
    let child = try ChildProcess(
      URL(filePath: "/usr/bin/env"), command, in: folder, environment: variables,
      input: input.map { try files.reader(files.write($0, to: "input")) }, output: files.writer("output"),
      errors: files.writer("errors"))
    status = child.end(within: seconds) ?? child.crash(group: true)
    bytes = try files.reader(files.path("output")).readThrough()
    self.errors = String(decoding: try files.reader(files.path("errors")).readThrough(), as: UTF8.self)
  }
}

extension TemporaryFolder {
  fileprivate func writer(_ name: String) throws -> FileHandle {
    try FileHandle(forWritingTo: URL(filePath: write("", to: name)))
  }

  fileprivate func reader(_ path: String) throws -> FileHandle {
    try FileHandle(forReadingFrom: URL(filePath: path))
  }
}

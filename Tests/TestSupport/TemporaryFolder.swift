import Foundation

/// A folder of its own for one test, removed with it.
package final class TemporaryFolder: Sendable {
  package let path: String

  package init() throws {
    path = FileManager.default.temporaryDirectory.path + "/rowcast-test-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of a file in it.
  package func path(_ name: String) -> String { path + "/" + name }

  /// The names of what is in it, in order.
  package func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: path).sorted()
  }
}

// MARK: Writing

extension TemporaryFolder {
  /// Writes a file, a new one even where there was one of the name, and gives its path.
  @discardableResult
  package func write(_ content: some Sequence<UInt8>, to name: String) throws -> String {
    unlink(path(name))
    return try overwrite(content, in: name)
  }

  /// Writes a file, a new one even where there was one of the name, and gives its path.
  @discardableResult
  package func write(_ text: String, to name: String) throws -> String { try write(text.utf8, to: name) }

  /// Writes into a file that stays the same one, and gives its path.
  @discardableResult
  package func overwrite(_ content: some Sequence<UInt8>, in name: String) throws -> String {
    try Data(content).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  /// Removes a file.
  package func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: path(name)) }
}

// MARK: Reading

extension TemporaryFolder {
  package func content(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path(name)))
  }

  /// The size of a file in bytes; 0 where there is none.
  package func size(_ name: String) -> Int { Int(status(name)?.st_size ?? 0) }

  /// When a file was written last, in nanoseconds; 0 where there is none.
  package func modified(_ name: String) -> Int {
    status(name).map { $0.st_mtim.tv_sec * 1_000_000_000 + $0.st_mtim.tv_nsec } ?? 0
  }

  private func status(_ name: String) -> stat? {
    var status = stat()
    return stat(path(name), &status) == 0 ? status : nil
  }
}

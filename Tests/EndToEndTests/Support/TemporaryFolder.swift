import Foundation

/// A folder of its own for one test, removed with it.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.path + "/rowcast-test-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func path(_ name: String) -> String { path + "/" + name }

  func write(_ text: String, to name: String) throws { try write(Data(text.utf8), to: name) }

  func write(_ content: Data, to name: String) throws {
    try content.write(to: URL(fileURLWithPath: path(name)))
  }

  func content(_ name: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path(name))) }

  /// The size of a file in bytes; 0 where there is none.
  func size(_ name: String) -> Int {
    var status = stat()
    return stat(path(name), &status) == 0 ? Int(status.st_size) : 0
  }

  /// When a file was written last, in nanoseconds; 0 where there is none.
  func modified(_ name: String) -> Int {
    var status = stat()
    return stat(path(name), &status) == 0 ? status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec : 0
  }
}

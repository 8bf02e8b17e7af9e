import Foundation

/// The folder of recorded answers.
package enum Recordings {
  /// What ROWCAST_SHARED_DATA names, or `shared/data` beside a folder above this file; nil where it is absent.
  package static let folder: URL? = {
    if let path = ProcessInfo.processInfo.environment["ROWCAST_SHARED_DATA"] {
      return existing(URL(filePath: path))
    }
    var directory = URL(filePath: #filePath).deletingLastPathComponent()
    while directory.path != "/" {
      directory.deleteLastPathComponent()
      if let found = existing(directory.appending(path: "shared/data")) { return found }
    }
    return nil
  }()

  /// A recording, byte by byte.
  package static func bytes(_ name: String) throws -> [UInt8] {
    guard let folder else { throw CocoaError(.fileNoSuchFile) }
    return Array(try Data(contentsOf: folder.appending(path: name)))
  }

  private static func existing(_ url: URL) -> URL? {
    FileManager.default.fileExists(atPath: url.path) ? url : nil
  }
}

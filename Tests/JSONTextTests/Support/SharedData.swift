import Foundation
import TestSupport

/// The folder of recorded data beside the checkout, which the project does not ship.
enum SharedData {
  /// `../shared/data` beside the checkout, or what ROWCAST_SHARED_DATA names; nil where it is absent.
  static let folder: URL? = {
    if let path = ProcessInfo.processInfo.environment["ROWCAST_SHARED_DATA"], !path.isEmpty {
      return existing(URL(fileURLWithPath: path))
    }
    var directory = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while directory.path != "/" {
      directory.deleteLastPathComponent()
      if let found = existing(directory.appendingPathComponent("shared/data")) { return found }
    }
    return nil
  }()

  static var isPresent: Bool { folder != nil }

  private static func existing(_ url: URL) -> URL? {
    var isDirectory: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory)
    return exists && isDirectory.boolValue ? url : nil
  }

  static func file(_ name: String) throws -> Data {
    guard let folder else { throw CocoaError(.fileNoSuchFile) }
    return try Data(contentsOf: folder.appendingPathComponent(name))
  }

  /// A file's contents after `gzip -dc`.
  static func gunzipped(_ name: String) throws -> Data {
    guard let folder else { throw CocoaError(.fileNoSuchFile) }
    return Data(try Finished(["gzip", "-dc", folder.appendingPathComponent(name).path]).bytes)
  }
}

import Foundation

/// A small file system of its own in memory; for root alone.
struct Mount {
  private let folder: TemporaryFolder

  init(megabytes: Int) throws {
    folder = try TemporaryFolder()
    try Self.run("mount", ["-t", "tmpfs", "-o", "size=\(megabytes)m", "rowcast-test", folder.path])
  }

  func path(_ name: String) -> String { folder.path(name) }

  func remount(_ options: String) throws {
    try Self.run("mount", ["-o", "remount,\(options)", folder.path])
  }

  /// Writes a file until there is no room.
  func fill() {
    let descriptor = open(path("filler"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
    let block = [UInt8](repeating: 1, count: 4096)
    while write(descriptor, block, block.count) > 0 {}
    close(descriptor)
  }

  func makeRoom() { unlink(path("filler")) }

  func end() { try? Self.run("umount", ["-l", folder.path]) }

  static func run(_ program: String, _ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [program] + arguments
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.featureUnsupported) }
  }
}

/// Whether this process may mount file systems.
let isAbleToMount: Bool = {
  guard geteuid() == 0, let mount = try? Mount(megabytes: 1) else { return false }
  mount.end()
  return true
}()

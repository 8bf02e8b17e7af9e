import Foundation

/// A small file system of its own in memory, gone with this value; for root alone.
package final class Mount: Sendable {
  /// Whether this process may mount file systems.
  package static let isPossible: Bool = geteuid() == 0 && (try? Mount(megabytes: 1)) != nil

  private let folder: TemporaryFolder

  package init(megabytes: Int) throws {
    folder = try TemporaryFolder()
    try Self.run("mount", "-t", "tmpfs", "-o", "size=\(megabytes)m", "rowcast-test", folder.path)
  }

  deinit { try? Self.run("umount", "-l", folder.path) }

  package func path(_ name: String) -> String { folder.path(name) }

  /// Changes how it is mounted: `ro`, `rw`.
  package func remount(_ options: String) throws {
    try Self.run("mount", "-o", "remount,\(options)", folder.path)
  }

  /// Writes a file until there is no room.
  package func fill() {
    let descriptor = open(path("ballast"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
    let block = [UInt8](repeating: 1, count: 4096)
    while write(descriptor, block, block.count) > 0 {}
    close(descriptor)
  }

  package func makeRoom() { unlink(path("ballast")) }

  private static func run(_ command: String...) throws {
    guard try Finished(command).status == 0 else { throw POSIXError(.EPERM) }
  }
}

import Foundation

/// A small file system of its own in memory; for root alone.
final class Mount: Sendable {
  /// Whether this process may mount file systems.
  static let isPossible: Bool = geteuid() == 0 && (try? Mount(megabytes: 1)) != nil

  private let folder: TemporaryFolder

  init(megabytes: Int) throws {
    folder = try TemporaryFolder()
    let mounting = "mount -t tmpfs -o size=\(megabytes)m none \(folder.path)"
    guard try Finished(shell: mounting, in: Repository.root).status == 0
    else { throw POSIXError(.EPERM) }
  }

  deinit {
    // What could not be mounted need not be unmounted.
    _ = try? Finished(shell: "umount -l \(folder.path)", in: Repository.root)
  }

  func path(_ name: String) -> String { folder.path(name) }

  /// Writes a file until there is no room.
  func fill() {
    let descriptor = open(path("ballast"), O_WRONLY | O_CREAT | O_APPEND, 0o600)
    let block = [UInt8](repeating: 1, count: 4096)
    while write(descriptor, block, block.count) > 0 {}
    close(descriptor)
  }

  func makeRoom() { unlink(path("ballast")) }
}

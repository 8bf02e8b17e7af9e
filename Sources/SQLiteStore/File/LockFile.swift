import Glibc

/// Keeps a second server away from a store: an advisory lock on a file beside it.
///
/// SQLite's own exclusive mode would keep readers and backups away too. The system gives the lock back when the
/// process ends, however it ends; the file stays, for whoever removed it might remove another's.
struct LockFile: ~Copyable {
  private let descriptor: Int32

  /// Takes the lock, or says who has it.
  init(for path: StorePath) throws(StoreFileFailure) {
    let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let descriptor = open(path.lock, flags, 0o600)
    guard descriptor >= 0 else {
      throw StoreFileFailure(path: path.given, "cannot be locked (\(path.lock))", errno: errno)
    }
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      let error = errno
      if error == EINTR { continue }
      let holder = Self.holder(descriptor)
      close(descriptor)
      guard error == EWOULDBLOCK else {
        throw StoreFileFailure(path: path.given, "cannot be locked (\(path.lock))", errno: error)
      }
      throw StoreFileFailure(.locked, path: path.given, "is in use by another server\(holder)")
    }
    guard Self.isLock(descriptor) else {
      close(descriptor)
      throw StoreFileFailure(
        .path, path: path.given, "cannot be locked: \(path.lock) is a file of something else")
    }
    self.descriptor = descriptor
    // For whoever comes second; where it cannot be noted the lock holds all the same.
    let note = Array("\(getpid())\n".utf8)
    if ftruncate(descriptor, 0) == 0 { _ = pwrite(descriptor, note, note.count, 0) }
  }

  deinit {
    // Said, not left to the closing: a child of this process that has not begun its own program has the lock as well.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// Whether a file has nothing in it, or the number of a process.
  private static func isLock(_ descriptor: Int32) -> Bool {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_nlink <= 1 else {
      return false
    }
    return status.st_size == 0 || !holder(descriptor).isEmpty
  }

  private static func holder(_ descriptor: Int32) -> String {
    var note = [UInt8](repeating: 0, count: 20)
    let count = pread(descriptor, &note, note.count, 0)
    let digits = note.prefix { $0 >= 0x30 && $0 <= 0x39 }
    guard !digits.isEmpty, count == digits.count + 1, note[digits.count] == UInt8(ascii: "\n") else {
      return ""
    }
    return " (process \(String(decoding: digits, as: UTF8.self)))"
  }
}

import Glibc
import ListModel

/// Looks at and reads a regular file, never blocking on what only looks like one (a FIFO, a device, a socket).
struct RegularFile {
  /// The absolute path.
  let path: String

  /// The most bytes that are read of a file: 256 MiB.
  static let maximumBytes = 256 << 20

  /// What the file is now, symbolic links followed.
  ///
  /// - Throws: `upstream-unreachable` where there is no file, or none that this process may look at, or no regular
  ///   one.
  func identity() throws(UpstreamFailure) -> FileIdentity {
    // A C string would end at a NUL, and name another file.
    if path.utf8.contains(0) { throw .unreadable(errno: ENOENT) }
    var status = stat()
    guard stat(path, &status) == 0 else { throw .unreadable(errno: errno) }
    try Self.requireRegular(status)
    return FileIdentity(of: status)
  }

  /// The whole content as it is now: O(size).
  ///
  /// - Throws: as `identity()`, and `upstream-too-large` over `limit` bytes.
  func content(limit: Int = maximumBytes) throws(UpstreamFailure) -> [UInt8] {
    // `identity()` has refused devices before they are opened, for opening some of them already does something.
    // What has taken the path's place since then is refused by fstat, and O_NONBLOCK keeps a FIFO from blocking.
    _ = try identity()
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw .unreadable(errno: errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .unreadable(errno: errno) }
    try Self.requireRegular(status)
    guard status.st_size <= limit else { throw Self.tooLarge(limit) }
    return try Self.readAll(descriptor, expected: Int(status.st_size), limit: limit)
  }

  /// Reads to the end, wherever that is by then: a file may grow while it is read, and those of /proc say 0.
  private static func readAll(
    _ descriptor: Int32, expected: Int, limit: Int
  ) throws(UpstreamFailure) -> [UInt8] {
    var content: [UInt8] = []
    // One byte more than is there, so that the read that finds the end needs no larger storage.
    content.reserveCapacity(expected + 1)
    while true {
      if content.count == content.capacity { content.reserveCapacity(max(2 * content.count, 1 << 16)) }
      var failure: Int32 = 0
      var received = 0
      content.append(addingCapacity: content.capacity - content.count) { (target: inout OutputSpan<UInt8>) in
        target.withUnsafeMutableBufferPointer { (buffer, initialized) in
          repeat {
            received = read(descriptor, buffer.baseAddress, buffer.count)
            failure = received < 0 ? errno : 0
          } while failure == EINTR
          initialized = max(received, 0)
        }
      }
      if failure != 0 { throw .unreadable(errno: failure) }
      if received == 0 { return content }
      if content.count > limit { throw tooLarge(limit) }
    }
  }

  private static func requireRegular(_ status: stat) throws(UpstreamFailure) {
    let kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: ""
      case S_IFDIR: "a folder"
      case S_IFIFO: "a FIFO"
      case S_IFSOCK: "a socket"
      default: "a device"
      }
    if !kind.isEmpty { throw UpstreamFailure(.unreachable, detail: "this is no regular file but \(kind)") }
  }

  private static func tooLarge(_ limit: Int) -> UpstreamFailure {
    UpstreamFailure(.tooLarge, detail: "the file is larger than \(limit) bytes, the most that are read")
  }
}

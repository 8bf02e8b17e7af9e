import Foundation
import TestSupport

/// A server that is another program; it ends when this is let go of.
///
/// Not by `popen`: what that starts holds the pipes of all others open, and who waits for their end waits for ever.
package final class ServerProcess {
  private let process: ChildProcess
  private let output = Pipe()

  /// Starts it in a folder, found along the `PATH`.
  package init(_ command: [String], in folder: String = "/tmp") throws {
    process = try ChildProcess(
      URL(filePath: "/usr/bin/env"), command, in: folder, output: output.fileHandleForWriting)
    try output.fileHandleForWriting.close()
  }

  deinit { process.crash() }

  /// The next line that it writes; nil where it has ended, or does not write one in twenty seconds.
  package func line() -> String? {
    var line: [UInt8] = []
    var byte: UInt8 = 0
    var waiting = pollfd(fd: output.fileHandleForReading.fileDescriptor, events: Int16(POLLIN), revents: 0)
    while poll(&waiting, 1, 20_000) > 0, read(waiting.fd, &byte, 1) == 1 {
      if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
      line.append(byte)
    }
    return nil
  }
}

import Foundation
import TestSupport

/// A server that is another program; it ends when this is let go of.
///
/// Not by `popen`: what that starts holds the pipes of all others open, and who waits for their end waits for ever.
package final class ServerProcess {
  private let process = Process()
  private let output = Pipe()

  /// Starts it in a folder, found along the `PATH`.
  package init(_ command: [String], in folder: String = "/tmp") throws {
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = command
    process.currentDirectoryURL = URL(filePath: folder)
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.start()
  }

  deinit { kill(process.processIdentifier, SIGKILL) }

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

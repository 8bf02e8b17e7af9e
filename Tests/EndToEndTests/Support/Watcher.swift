import Foundation
import TestSupport

/// A `rowcast watch` as a process of its own, whose output is read line by line with a time limit.
final class Watcher {
  private let process: ChildProcess
  private let errors = Pipe()
  private let output: Int32
  private var buffer: [UInt8] = []

  /// Starts it, its output into a pipe.
  convenience init(_ arguments: [String], environment: [String: String] = [:]) throws {
    let pipe = Pipe()
    try self.init(
      arguments, environment: environment, output: pipe.fileHandleForWriting,
      reading: dup(pipe.fileHandleForReading.fileDescriptor))
  }

  /// Starts it with `output`; what comes there is read from `descriptor`, which this closes in the end.
  init(
    _ arguments: [String], environment: [String: String], output: FileHandle, reading descriptor: Int32
  ) throws {
    self.output = descriptor
    process = try ChildProcess(
      Repository.server, ["watch"] + arguments, environment: ["TERM": "xterm"].merging(environment) { $1 },
      output: output, errors: errors.fileHandleForWriting)
    try output.close()
    try errors.fileHandleForWriting.close()
  }

  deinit {
    process.crash()
    close(output)
  }

  func signal(_ number: Int32) { process.signal(number) }

  /// The next line without its line feed; nil at the end of the output, or after ten seconds.
  func line() -> String? {
    while true {
      if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
        defer { buffer.removeSubrange(...end) }
        return String(decoding: buffer[..<end], as: UTF8.self)
      }
      guard receive() else { return nil }
    }
  }

  /// All output until it holds `text`, which is taken; nil where that does not come.
  func output(through text: String) -> String? {
    while true {
      let all = String(decoding: buffer, as: UTF8.self)
      if let found = all.range(of: text) {
        buffer = Array(all[found.upperBound...].utf8)
        return String(all[..<found.upperBound])
      }
      guard receive() else { return nil }
    }
  }

  /// What is left of its output and its errors, and its exit status, or −1 where it did not end within a minute.
  func end() -> (output: String, errors: String, status: Int32) {
    while receive() {}
    guard let status = process.end(within: 60) else {
      return (String(decoding: buffer, as: UTF8.self), "", -1)
    }
    let complaints = (try? errors.fileHandleForReading.readThrough()).map {
      String(decoding: $0, as: UTF8.self)
    }
    return (String(decoding: buffer, as: UTF8.self), complaints ?? "nothing can be read", status)
  }

  private func receive() -> Bool {
    var waiting = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    guard poll(&waiting, 1, 60_000) > 0 else { return false }
    var block = [UInt8](repeating: 0, count: 65_536)
    let count = read(output, &block, block.count)
    guard count > 0 else { return false }
    buffer += block[..<count]
    return true
  }
}

extension RunningServer {
  /// Sends a request on a connection of its own and gives the answer's body.
  @discardableResult
  func request(_ method: String, _ path: String, _ body: String? = nil) throws -> Data {
    let socket = try ClientSocket(port: port)
    defer { socket.close() }
    return Data(try socket.call(method, path, body).body)
  }
}

/// A terminal without a screen.
enum Terminal {
  /// Its two ends: what is written to `slave` is read from `master`.
  static func pair() throws -> (master: Int32, slave: FileHandle) {
    // posix_openpt and its companions are hidden from Swift; these are the system's own words (ioctl_tty(2)).
    let setLock = UInt(0x4004_5431)
    let getNumber = UInt(0x8004_5430)
    let master = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var lock: Int32 = 0
    var number: Int32 = 0
    guard master >= 0, ioctl(master, setLock, &lock) == 0, ioctl(master, getNumber, &number) == 0,
      let slave = FileHandle(forUpdatingAtPath: "/dev/pts/\(number)")
    else { throw POSIXError(.ENOTTY) }
    return (master, slave)
  }
}

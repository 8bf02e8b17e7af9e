import Glibc

/// Standard output and standard error, without buffers in between.
enum Terminal {
  /// Writes to standard output.
  static func print(_ text: String) {
    write(Array(text.utf8), to: STDOUT_FILENO)
  }

  /// Writes a line to standard error.
  static func complain(_ line: String) {
    write(Array(line.utf8) + [UInt8(ascii: "\n")], to: STDERR_FILENO)
  }

  /// Writes all bytes; what cannot be written (a closed pipe, a full disk) is given up, for there is nobody to tell.
  static func write(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}

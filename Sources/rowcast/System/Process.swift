import Glibc

/// The process: its environment, memory and end.
enum Process {
  /// The environment.
  ///
  /// Read from the system's own record of it: C's `environ` is a variable that anyone may change.
  static var environment: [String: String] {
    var environment: [String: String] = [:]
    for entry in contents(of: "/proc/self/environ").split(separator: 0) {
      guard let equals = entry.firstIndex(of: UInt8(ascii: "=")) else { continue }
      let name = String(decoding: entry[..<equals], as: UTF8.self)
      environment[name] = String(decoding: entry[(equals + 1)...], as: UTF8.self)
    }
    return environment
  }

  /// Bytes of memory that the process holds; nil where the system does not say.
  static var residentBytes: Int? {
    let fields = contents(of: "/proc/self/statm").split(separator: UInt8(ascii: " "))
    guard fields.count > 1, let pages = Int(String(decoding: fields[1], as: UTF8.self)) else { return nil }
    return pages * sysconf(Int32(_SC_PAGESIZE))
  }

  /// A whole file of the system's; empty where it cannot be read.
  private static func contents(of path: String) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var contents: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(descriptor, &block, block.count)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return contents }
      contents += block[..<count]
    }
  }
}

/// Ends the process.
func exit(status: Int32) -> Never {
  Glibc.exit(status)
}

/// Clocks and randomness.
enum System {
  /// Milliseconds since 1970.
  static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return time.tv_sec * 1000 + time.tv_nsec / 1_000_000
  }

  /// 128 bits that nobody can guess.
  static func random() -> (UInt64, UInt64) {
    var generator = SystemRandomNumberGenerator()
    return (generator.next(), generator.next())
  }
}

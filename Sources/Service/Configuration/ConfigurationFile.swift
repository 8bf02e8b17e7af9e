import Glibc
import JSONText

/// A configuration file's text, read whole and validated.
struct ConfigurationFile {
  /// The path as it was given.
  let path: String
  /// The text as JSON.
  let json: JSONValue

  /// The most bytes that are read: thousands of tables, but no disk that was named by mistake.
  static let maximumSize = 16 << 20

  /// Reads the file; the error is the one fault that makes everything else unreadable.
  init(path: String) throws(ConfigurationFault) {
    self.path = path
    let text = try Self.read(path)
    do {
      json = try JSONValue(parsing: Bytes(text))
    } catch {
      let lines = text.prefix(error.offset).split(
        separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
      throw ConfigurationFault(
        at: .byte(offset: error.offset, line: max(lines.count, 1), column: (lines.last?.count ?? 0) + 1),
        "is no JSON: \(error.message)", remedy: "strict JSON (RFC 8259) in UTF-8 would be right")
    }
  }

  /// The folder of the file, absolute, with a `/` at its end; relative paths in the file start here.
  var folder: String {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    if folder.hasPrefix("/") { return folder }
    guard let working = getcwd(nil, 0) else { return folder }
    defer { free(working) }
    return String(cString: working) + "/" + folder
  }

  private static func read(_ path: String) throws(ConfigurationFault) -> [UInt8] {
    guard !path.isEmpty, !path.utf8.contains(0) else {
      throw unreadable("is no path", "the path of a file would be right")
    }
    // A FIFO or a device must neither be waited for nor read for ever.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw unreadable(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw unreadable(errno) }
    guard status.st_mode & S_IFMT != S_IFDIR else { throw unreadable(EISDIR) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw unreadable("is no regular file", "a file of JSON would be right")
    }
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(errno) }
      if count == 0 { return text }
      text.append(contentsOf: buffer[..<count])
      guard text.count <= maximumSize else {
        throw unreadable("is too large", "at most \(maximumSize) bytes would be right")
      }
    }
  }

  private static func unreadable(_ code: Int32) -> ConfigurationFault {
    switch code {
    case ENOENT: unreadable("there is no such file", "name it with --config or ROWCAST_CONFIG")
    case EISDIR: unreadable("is a folder", "the JSON file in it would be right")
    case EACCES: unreadable("may not be read", "let this user read it")
    default:
      unreadable("cannot be read (\(String(cString: strerror(code))))", "a readable file would be right")
    }
  }

  private static func unreadable(_ problem: String, _ remedy: String) -> ConfigurationFault {
    ConfigurationFault(at: .file, problem, remedy: remedy)
  }
}

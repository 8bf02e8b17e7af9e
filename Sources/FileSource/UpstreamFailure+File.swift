import Glibc
import ListModel

extension UpstreamFailure {
  /// A text with a fault in a line, counted from 1.
  static func malformed(line: Int, _ message: String) -> UpstreamFailure {
    UpstreamFailure(.malformed, detail: "line \(line): \(message)")
  }

  /// A file that could not be opened or read, with the reason that the system gave.
  static func unreadable(errno code: Int32) -> UpstreamFailure {
    let reason =
      switch code {
      case ENOENT: "the file does not exist"
      case ENOTDIR: "the file does not exist: a part of its path is no folder"
      case EACCES, EPERM: "this server may not read the file"
      default: "the file cannot be read: \(String(cString: strerror(code)))"
      }
    return UpstreamFailure(.unreachable, detail: reason)
  }

  /// This failure with the file's name before its detail; the folders are nobody's business.
  func inFile(_ name: String) -> UpstreamFailure {
    var named = self
    named.detail = "\(name): \(detail)"
    return named
  }
}

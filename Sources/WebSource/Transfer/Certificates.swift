import CCurl
import Glibc

/// Which certificates are trusted: the system's, or those that `SSL_CERT_FILE` and `SSL_CERT_DIR` name in their place.
public struct Certificates: Sendable {
  /// A file of certificates in place of the system's; nil: the system's.
  public var file: String?
  /// A folder of certificates in place of the system's; nil: the system's.
  public var folder: String?

  /// Those of the system, or of this file and folder.
  public init(file: String? = nil, folder: String? = nil) {
    self.file = file
    self.folder = folder
  }

  /// All that are trusted where a table's `caFile` adds to them, as PEM; nil where `caFile` cannot be read.
  func adding(_ caFile: String) -> [UInt8]? {
    guard let further = Self.contents(of: caFile) else { return nil }
    let standard = rowcast_curl_version()?.pointee.cainfo.map { String(cString: $0) }
    let trusted = (file ?? standard).flatMap(Self.contents) ?? []
    return trusted + [UInt8(ascii: "\n")] + further
  }

  /// The most bytes of a file of certificates.
  private static let maximumSize = 16 << 20

  private static func contents(of path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var contents: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 64 << 10)
    while contents.count <= maximumSize {
      let count = read(descriptor, &block, block.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { return nil }
      if count == 0 { return contents }
      contents += block[..<count]
    }
    return nil
  }
}

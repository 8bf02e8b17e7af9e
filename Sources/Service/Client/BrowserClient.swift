import HTTP1
import JSONText

/// Serves the browser client from memory: the page at `/`, its files under addresses that name their version, and the
/// library at `/rowcast.js`.
///
/// The page and the library are asked for anew each time and mostly answered 304. A versioned file never changes and
/// is kept for a year. Each answer is made when it is first asked for, so that a server nobody looks at pays nothing.
public enum BrowserClient {
  /// `GET /`.
  ///
  /// - Throws: `internal` where the build left it out.
  public static func page(for request: Request) throws(Problem) -> Response {
    guard let pageDocument else { throw Problem(.internal) }
    return pageDocument.response(to: request)
  }

  /// `GET /rowcast.js`.
  ///
  /// - Throws: `internal` where the build left it out.
  public static func library(for request: Request) throws(Problem) -> Response {
    guard let libraryDocument else { throw Problem(.internal) }
    return libraryDocument.response(to: request)
  }

  /// `GET /client/{version}/{file}`.
  ///
  /// - Throws: `unknown-path` where this build has no such file or is of another version.
  public static func file(_ name: Bytes, of version: Bytes, for request: Request) throws(Problem) -> Response
  {
    guard version == Self.version, let file = versionedFiles[name] else {
      throw Problem(.unknownPath, detail: "the page at / names the files of this version")
    }
    return file.response(to: request)
  }

  private static let version = Bytes("\(EmbeddedResources.version)")

  private static let pageDocument = document("index.html", fieldLines: policy)
  private static let libraryDocument = document("rowcast.js")

  private static let versionedFiles: [Bytes: Document] = {
    var files: [Bytes: Document] = [:]
    for resource in EmbeddedResources.files {
      files[Bytes("\(resource.name)")] = Document(
        resource, cacheControl: "public, max-age=31536000, immutable", fieldLines: policy)
    }
    files[Bytes("index.html")] = nil
    return files
  }()

  private static func document(_ name: StaticString, fieldLines: [UInt8] = []) -> Document? {
    EmbeddedResources.files.first { "\($0.name)" == "\(name)" }.map {
      Document($0, cacheControl: "no-cache", fieldLines: fieldLines)
    }
  }

  /// Nothing but the page's own files and requests.
  ///
  /// Images of data may also be `data:` addresses, or come from other
  /// servers by https: those the page only asks for when the reader wants to see them.
  private static let policy: [UInt8] = {
    var lines: [UInt8] = []
    lines.append(
      literal: """
        Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
        img-src 'self' data: https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
        require-trusted-types-for 'script'; trusted-types 'none'\r\n
        """)
    lines.append(literal: "Referrer-Policy: no-referrer\r\n")
    return lines
  }()
}

extension Document {
  fileprivate init(_ resource: Resource, cacheControl: StaticString, fieldLines: [UInt8]) {
    var hash: [UInt8] = []
    hash.append(literal: resource.hash)
    var content: [UInt8] = []
    content.append(literal: resource.text)
    self.init(
      content, hash: hash, contentType: resource.contentType, cacheControl: cacheControl,
      fieldLines: fieldLines)
  }
}

import HTTP1
import JSONText

/// A document that is the same for every request: its answer is made once, with a strong tag of its content.
public struct Document: Sendable {
  /// The strong tag, with its quotes.
  public let tag: [UInt8]
  private let full: Response
  private let notModified: Response

  /// A document of this content; `fieldLines` are sent with it, each `Name: value\r\n`.
  init(_ content: [UInt8], contentType: StaticString, fieldLines: [UInt8] = []) {
    var tag: [UInt8] = [UInt8(ascii: "\"")]
    for byte in SHA256.digest(content).prefix(8) { tag.append(hex: byte) }
    tag.append(UInt8(ascii: "\""))
    self.tag = tag
    var notModified = Response(status: 304)
    notModified.add("ETag", tag)
    notModified.add("Cache-Control", "no-cache")
    self.notModified = notModified
    var full = Response(status: 200, fieldLines: notModified.fieldLines, body: .bytes(content))
    full.add("Content-Type", contentType)
    full.add("X-Content-Type-Options", "nosniff")
    full.fieldLines.append(contentsOf: fieldLines)
    self.full = full
  }

  /// The answer to GET or HEAD: 304 where `If-None-Match` has the tag, else the whole.
  public func response(to request: Request) -> Response {
    request.fields.ifNoneMatchHolds(tag) ? notModified : full
  }
}

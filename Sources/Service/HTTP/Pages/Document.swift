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
    let hash = Self.hash(content)
    for shift in stride(from: 56, through: 0, by: -8) {
      tag.append(hex: UInt8(truncatingIfNeeded: hash >> UInt64(shift)))
    }
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

  /// FNV-1a of 64 bits: it only has to tell one build's content from another's.
  private static func hash(_ content: [UInt8]) -> UInt64 {
    content.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
  }

  /// The answer to GET or HEAD: 304 where `If-None-Match` has the tag, else the whole.
  public func response(to request: Request) -> Response {
    request.fields.ifNoneMatchHolds(tag) ? notModified : full
  }
}

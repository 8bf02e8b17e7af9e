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
    var hash: [UInt8] = []
    let value = Self.hash(content)
    for shift in stride(from: 56, through: 0, by: -8) {
      hash.append(hex: UInt8(truncatingIfNeeded: value >> UInt64(shift)))
    }
    self.init(content, hash: hash, contentType: contentType, fieldLines: fieldLines)
  }

  /// A document whose hash is known; `cacheControl` says how long it may be kept.
  init(
    _ content: [UInt8], hash: [UInt8], contentType: StaticString, cacheControl: StaticString = "no-cache",
    fieldLines: [UInt8] = []
  ) {
    tag = [UInt8(ascii: "\"")] + hash + [UInt8(ascii: "\"")]
    var notModified = Response(status: 304)
    notModified.add("ETag", tag)
    notModified.add("Cache-Control", cacheControl)
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

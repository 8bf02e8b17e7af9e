/// The chunked transfer coding of a body that is written bit by bit (RFC 9112 §7.1).
public enum ChunkedCoding {
  /// Appends the line that stands before `count` bytes of data, 1 or more; the data and `dataEnd` follow.
  public static func appendSize(_ count: Int, to output: inout [UInt8]) {
    output.append(number: count, radix: 16)
    output.append(text: "\r\n")
  }

  /// What follows the data of each chunk.
  public static let dataEnd: [UInt8] = Array("\r\n".utf8)

  /// The last chunk with an empty trailer, which ends the body.
  public static let end: [UInt8] = Array("0\r\n\r\n".utf8)

  /// `bytes` as one chunk; nothing where there are none, as an empty chunk would end the body.
  public static func chunk(_ bytes: [UInt8]) -> [UInt8] {
    guard !bytes.isEmpty else { return [] }
    var output: [UInt8] = []
    output.reserveCapacity(bytes.count + 20)
    appendSize(bytes.count, to: &output)
    output.append(contentsOf: bytes)
    output.append(contentsOf: dataEnd)
    return output
  }
}

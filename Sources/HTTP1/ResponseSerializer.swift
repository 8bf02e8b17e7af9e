/// Writes response heads (RFC 9112 §4, §6); bodies go out as they are, behind the head.
public enum ResponseSerializer {
  /// Appends the head of a whole response: status line, Date, fields, Content-Length and Connection.
  ///
  /// The connection stays open behind it only if `keepsAlive` and not `response.closes`.
  ///
  /// - Parameters:
  ///   - minorVersion: the request's; 1 where there was no readable request.
  ///   - date: the present time as `imfFixdate` gives it.
  ///   - keepsAlive: whether request and server would go on with this connection.
  public static func appendHead(
    of response: Response, minorVersion: Int, date: [UInt8], keepsAlive: Bool, to output: inout [UInt8]
  ) {}

  /// Appends the head of a response whose body follows bit by bit: chunked for HTTP/1.1, else until the close.
  public static func appendStreamHead(
    of response: Response, minorVersion: Int, date: [UInt8], keepsAlive: Bool, to output: inout [UInt8]
  ) {}

  /// Whether the body is sent behind the head: not to HEAD, nor with 1xx, 204 and 304.
  public static func sendsBody(status: Int, toHead: Bool) -> Bool { false }

  /// The interim response that a client waiting with `Expect: 100-continue` is let go with.
  public static let interimContinue: [UInt8] = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
}

/// The chunked transfer coding of a body that is written bit by bit (RFC 9112 §7.1).
public enum ChunkedCoding {
  /// The line that stands before `count` bytes of data, 1 or more; the data and `dataEnd` follow.
  public static func appendSize(_ count: Int, to output: inout [UInt8]) {}

  /// What follows the data of each chunk.
  public static let dataEnd: [UInt8] = [13, 10]

  /// The last chunk with an empty trailer, which ends the body.
  public static let end: [UInt8] = Array("0\r\n\r\n".utf8)

  /// `bytes` as one chunk; nothing where there are none, as an empty chunk would end the body.
  public static func chunk(_ bytes: [UInt8]) -> [UInt8] { [] }
}

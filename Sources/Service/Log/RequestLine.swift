import HTTP1
import JSONText

/// What the log says of an answered request.
///
/// Neither query, nor header fields, nor bodies: they may hold secrets.
public struct RequestLine: Sendable {
  /// When the answer was given, in milliseconds since 1970.
  public var time: Int
  /// The method; nil where the bytes were no request.
  public var method: Method?
  /// The path as it was sent; any bytes.
  public var path: [UInt8]
  /// The route; nil where the path is unknown.
  public var route: RouteKind?
  /// The session, as the path names it.
  public var session: Bytes?
  /// The status of the answer.
  public var status: Int
  /// Bytes of the answer's body.
  public var bytes: Int
  /// From the request's last byte to its answer.
  public var nanoseconds: Int

  /// A line of these values.
  public init(
    time: Int, method: Method?, path: [UInt8], route: RouteKind? = nil, session: Bytes? = nil, status: Int,
    bytes: Int, nanoseconds: Int
  ) {
    self.time = time
    self.method = method
    self.path = path
    self.route = route
    self.session = session
    self.status = status
    self.bytes = bytes
    self.nanoseconds = nanoseconds
  }

  func write(_ format: LogFormat, _ clock: inout LogClock, to line: inout TextBuffer) {
    switch format {
    case .text: writeText(&clock, to: &line)
    case .json: writeJSON(&clock, to: &line)
    }
  }

  private func writeText(_ clock: inout LogClock, to line: inout TextBuffer) {
    clock.append(time, to: &line)
    line.append(UInt8(ascii: " "))
    line.append(literal: method?.name ?? "-")
    line.append(UInt8(ascii: " "))
    if path.isEmpty {
      line.append(UInt8(ascii: "-"))
    } else {
      path.withUnsafeBufferPointer { line.append(visible: $0) }
    }
    line.append(UInt8(ascii: " "))
    line.append(decimal: status)
    line.append(UInt8(ascii: " "))
    line.append(decimal: bytes)
    line.append(literal: "B ")
    line.append(thousandths: nanoseconds / 1000)
    line.append(literal: "ms\n")
  }

  private func writeJSON(_ clock: inout LogClock, to line: inout TextBuffer) {
    line.append(literal: "{\"time\":\"")
    clock.append(time, to: &line)
    line.append(literal: "\",\"level\":\"info\",\"event\":\"request\"")
    if let method {
      line.append(literal: ",\"method\":\"")
      line.append(literal: method.name)
      line.append(UInt8(ascii: "\""))
    }
    line.append(literal: ",\"path\":\"")
    path.withUnsafeBufferPointer { line.append(visible: $0) }
    line.append(UInt8(ascii: "\""))
    if let route {
      line.append(literal: ",\"route\":\"")
      line.append(literal: route.template)
      line.append(UInt8(ascii: "\""))
    }
    if let session {
      line.append(literal: ",\"session\":\"")
      session.withUnsafeBytes { line.append(visible: $0) }
      line.append(UInt8(ascii: "\""))
    }
    line.append(literal: ",\"status\":")
    line.append(decimal: status)
    line.append(literal: ",\"bytes\":")
    line.append(decimal: bytes)
    line.append(literal: ",\"ms\":")
    line.append(thousandths: nanoseconds / 1000)
    line.append(literal: "}\n")
  }
}

extension Method {
  /// As requests write it.
  var name: StaticString {
    switch self {
    case .get: "GET"
    case .head: "HEAD"
    case .post: "POST"
    case .put: "PUT"
    case .delete: "DELETE"
    case .options: "OPTIONS"
    case .patch: "PATCH"
    case .trace: "TRACE"
    case .connect: "CONNECT"
    }
  }
}

extension TextBuffer {
  /// Appends `value`, 0 or more, in thousandths.
  fileprivate mutating func append(thousandths value: Int) {
    append(decimal: value / 1000)
    append(UInt8(ascii: "."))
    append(digits: 3, of: value % 1000)
  }

  /// Appends bytes from outside so that they can break neither a line nor a JSON string, nor steer a
  /// terminal: what is not visible ASCII, and `"` and `\`, becomes `%XX`, as a path could have written it
  /// itself.
  ///
  /// O(n).
  fileprivate mutating func append(visible bytes: UnsafeBufferPointer<UInt8>) {
    func isVisible(_ byte: UInt8) -> Bool {
      byte > 32 && byte < 127 && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
    }
    if bytes.allSatisfy(isVisible) { return append(bytes) }
    var encoded: [UInt8] = []
    for byte in bytes {
      if isVisible(byte) { encoded.append(byte) } else { encoded.append(percentEncoded: byte) }
    }
    append(encoded)
  }
}

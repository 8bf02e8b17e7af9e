/// A request method that this server knows (RFC 9110 §9, RFC 5789).
public enum Method: UInt8, Sendable {
  case get, head, post, put, delete, options, patch, trace, connect
}

/// One request, complete with its body, as values that no longer touch the connection's buffers.
///
/// A class, as it goes through many hands: each costs one reference count and not one for every array in it.
public final class Request: Sendable {
  /// The method.
  public let method: Method
  /// The path of the target as it was sent: percent-encoded, without query; `*` for `OPTIONS *`.
  public let path: [UInt8]
  /// What stood behind `?`, percent-encoded; nil without `?`.
  public let query: [UInt8]?
  /// The authority: of an absolute target, else of `Host`; empty for HTTP/1.0 without `Host`.
  public let authority: [UInt8]
  /// The minor version: 0 or 1.
  public let minorVersion: Int
  /// The header fields, in order.
  public let fields: HeaderFields
  /// The body, chunks decoded.
  public let body: [UInt8]
  /// Whether the request framed a body (Content-Length above 0, or chunked), even if chunked and empty.
  public let hasBody: Bool
  /// Whether the connection may carry another request after this one (RFC 9112 §9.3).
  public let keepsAlive: Bool

  /// A request of values; without `hasBody` it framed a body where there is one.
  public init(
    method: Method, path: [UInt8], query: [UInt8]? = nil, authority: [UInt8] = [], minorVersion: Int = 1,
    fields: HeaderFields = HeaderFields(), body: [UInt8] = [], hasBody: Bool? = nil, keepsAlive: Bool = true
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.authority = authority
    self.minorVersion = minorVersion
    self.fields = fields
    self.body = body
    self.hasBody = hasBody ?? !body.isEmpty
    self.keepsAlive = keepsAlive
  }
}

/// A response, without the fields that the connection adds: Content-Length, Date, Connection.
public struct Response: Sendable {
  /// What is sent after the head.
  public enum Body: Sendable {
    case empty
    case bytes([UInt8])
    /// Several shared runs, sent one behind the other without being joined first.
    case parts([[UInt8]])

    /// The number of bytes.
    ///
    /// O(parts).
    public var count: Int {
      switch self {
      case .empty: 0
      case .bytes(let bytes): bytes.count
      case .parts(let parts): parts.reduce(0) { $0 + $1.count }
      }
    }
  }

  /// The status code, 100–599.
  public var status: Int
  /// Header field lines as they go out, each `Name: value\r\n`.
  public var fieldLines: [UInt8]
  /// The body.
  ///
  /// For HEAD it is not sent, but its length is.
  public var body: Body
  /// Whether the connection is to be closed after this response whatever the request allowed.
  public var closes: Bool

  /// A response with these values.
  public init(status: Int, fieldLines: [UInt8] = [], body: Body = .empty, closes: Bool = false) {
    self.status = status
    self.fieldLines = fieldLines
    self.body = body
    self.closes = closes
  }

  /// Adds a field.
  ///
  /// The value holds no CR, LF or NUL: such bytes are replaced by spaces. O(value).
  public mutating func add(_ name: StaticString, _ value: [UInt8]) {
    fieldLines.append(text: name)
    fieldLines.append(text: ": ")
    let start = fieldLines.count
    fieldLines.append(contentsOf: value)
    for index in start..<fieldLines.count where Self.breaks(fieldLines[index]) {
      fieldLines[index] = .space
    }
    fieldLines.append(text: "\r\n")
  }

  /// Adds a field with a value known when this was written.
  public mutating func add(_ name: StaticString, _ value: StaticString) {
    fieldLines.append(text: name)
    fieldLines.append(text: ": ")
    fieldLines.append(text: value)
    fieldLines.append(text: "\r\n")
  }

  /// Whether a byte would end a field line, or end a text for those who stop at NUL.
  private static func breaks(_ byte: UInt8) -> Bool {
    byte == .carriageReturn || byte == .lineFeed || byte == 0
  }
}

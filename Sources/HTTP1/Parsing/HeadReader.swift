/// Reads a request's head line by line, as the lines come; its bytes stay with the caller until all are there.
struct HeadReader: Sendable {
  /// What a complete head says, with places in its bytes.
  struct Head: Sendable {
    let method: Method
    let target: RequestTarget
    let minorVersion: Int
    let framing: FieldSemantics.Framing
    let expectsContinue: Bool
  }

  /// Empty lines that may stand before a request line (RFC 9112 §2.2: at least one).
  static let toleratedEmptyLines = 2
  /// Room made for fields before they are there.
  private static let usualFields = 16

  private var lines = LineScanner()
  private var emptyLines = 0
  private var requestLine: RequestLine?
  private var semantics = FieldSemantics()
  private var fields = 0..<0
  private var entries: [HeaderFields.Entry] = []

  /// Reads on in the head at the front of `rest` and says whether it is complete.
  ///
  /// Only empty lines before it are taken off. Costs O(new bytes) a call.
  mutating func read(
    _ rest: inout UnsafeRawBufferPointer, limits: RequestParser.Limits
  ) throws(RequestFailure) -> Bool {
    while let line = try lines.nextLine(
      in: rest, limit: limits.headerBytes, tooLong: .headersTooLarge,
      "the request line and header fields are too large")
    {
      if let minorVersion = requestLine?.minorVersion {
        if line.isEmpty {
          fields = fields.lowerBound..<line.lowerBound
          return true
        }
        try takeField(line, of: rest, minorVersion: minorVersion)
      } else if line.isEmpty {
        emptyLines += 1
        guard emptyLines <= Self.toleratedEmptyLines else {
          throw RequestFailure(.malformed, "empty lines in place of a request line")
        }
        rest.drop(lines.lineStart)
        lines.rebase()
      } else {
        requestLine = try RequestLine(line, of: rest)
        fields = lines.lineStart..<lines.lineStart
        entries.reserveCapacity(Self.usualFields)
      }
    }
    return false
  }

  @inline(__always)
  private mutating func takeField(
    _ line: Range<Int>, of input: UnsafeRawBufferPointer, minorVersion: Int
  ) throws(RequestFailure) {
    let field = try FieldLine(line, of: input)
    try semantics.take(field, of: input, minorVersion: minorVersion)
    let origin = fields.lowerBound
    entries.append(
      HeaderFields.Entry(
        name: field.name.lowerBound - origin..<field.name.upperBound - origin,
        value: field.value.lowerBound - origin..<field.value.upperBound - origin))
  }

  /// Decides, of the complete head, what only a whole head can tell.
  ///
  /// What is malformed goes before what is merely not built here.
  func finished(limits: RequestParser.Limits) throws(RequestFailure) -> Head {
    let minorVersion = requestLine?.minorVersion ?? 0
    guard semantics.host != nil || minorVersion == 0 else {
      throw RequestFailure(.malformed, "an HTTP/1.1 request without Host")
    }
    guard let method = requestLine?.method, let target = requestLine?.target else {
      throw RequestFailure(.notImplemented, "the method is none of GET HEAD POST PUT PATCH DELETE OPTIONS")
    }
    return Head(
      method: method, target: target, minorVersion: minorVersion,
      framing: try semantics.framing(minorVersion: minorVersion, bodyLimit: limits.bodyBytes),
      expectsContinue: semantics.expectsContinue(minorVersion: minorVersion))
  }

  /// The number of bytes of the head, when it is complete.
  var length: Int { lines.lineStart }

  /// Makes the request of the complete head at the front of `input` and of its body, and begins anew.
  ///
  /// One copy of the fields, and one each of path, query and authority.
  mutating func takeRequest(_ head: Head, of input: UnsafeRawBufferPointer, body: [UInt8]) -> Request {
    let authority = head.target.authority ?? semantics.host
    let keepsAlive = semantics.keepsAlive(minorVersion: head.minorVersion)
    let hasBody = if case .none = head.framing { false } else { true }
    let fields = HeaderFields(bytes: Array(input[part: self.fields]), entries: entries)
    self = HeadReader()
    return Request(
      method: head.method,
      path: Array(input[part: head.target.path]),
      query: head.target.query.map { Array(input[part: $0]) },
      authority: authority.map { Array(input[part: $0]) } ?? [],
      minorVersion: head.minorVersion,
      fields: fields,
      body: body,
      hasBody: hasBody,
      keepsAlive: keepsAlive)
  }
}

/// Reads a request's head line by line, as the lines come; its bytes stay with the caller until all are there.
struct HeadReader: Sendable {
  /// A head that is complete.
  struct Head {
    var request: Request
    var framing: FieldSemantics.Framing
    var expectsContinue: Bool
  }

  /// Empty lines that may stand before a request line (RFC 9112 §2.2: at least one).
  static let toleratedEmptyLines = 2

  private var lines = LineScanner()
  private var emptyLines = 0
  private var requestLine: RequestLine?
  private var semantics = FieldSemantics()
  private var fieldsStart = 0
  private var entries: [HeaderFields.Entry] = []

  /// The next head at the front of `rest`, which is then taken off it; nil where it is not complete yet.
  ///
  /// Costs O(new bytes) a call, and one copy of the head at its end.
  mutating func read(
    _ rest: inout UnsafeRawBufferPointer, limits: RequestParser.Limits
  ) throws(RequestFailure) -> Head? {
    while let line = try lines.nextLine(
      in: rest, limit: limits.headerBytes, tooLong: .headersTooLarge,
      "the request line and header fields are too large")
    {
      if let requestLine {
        guard line.isEmpty else {
          try takeField(line, of: rest, minorVersion: requestLine.minorVersion)
          continue
        }
        let head = try makeHead(requestLine, fieldsEnd: line.lowerBound, of: rest, limits: limits)
        rest.drop(lines.lineStart)
        self = HeadReader()
        return head
      } else if line.isEmpty {
        emptyLines += 1
        guard emptyLines <= Self.toleratedEmptyLines else {
          throw RequestFailure(.malformed, "empty lines in place of a request line")
        }
        rest.drop(lines.lineStart)
        lines.rebase()
      } else {
        requestLine = try RequestLine(line, of: rest)
        fieldsStart = lines.lineStart
        entries.reserveCapacity(16)
      }
    }
    return nil
  }

  @inline(__always)
  private mutating func takeField(
    _ line: Range<Int>, of input: UnsafeRawBufferPointer, minorVersion: Int
  ) throws(RequestFailure) {
    let field = try FieldLine(line, of: input)
    try semantics.take(field, of: input, minorVersion: minorVersion)
    let origin = fieldsStart
    entries.append(
      HeaderFields.Entry(
        name: field.name.lowerBound - origin..<field.name.upperBound - origin,
        value: field.value.lowerBound - origin..<field.value.upperBound - origin))
  }

  /// Decides what only the whole head can tell.
  ///
  /// What is malformed goes before what is merely not built here.
  private mutating func makeHead(
    _ line: RequestLine, fieldsEnd: Int, of input: UnsafeRawBufferPointer, limits: RequestParser.Limits
  ) throws(RequestFailure) -> Head {
    guard semantics.host != nil || line.minorVersion == 0 else {
      throw RequestFailure(.malformed, "an HTTP/1.1 request without Host")
    }
    guard let method = line.method, let target = line.target else {
      throw RequestFailure(.notImplemented, "the method is none of GET HEAD POST PUT PATCH DELETE OPTIONS")
    }
    let framing = try semantics.framing(minorVersion: line.minorVersion, bodyLimit: limits.bodyBytes)
    let hasBody = if case .none = framing { false } else { true }
    let authority = target.authority ?? semantics.host
    let request = Request(
      method: method,
      path: Array(input[part: target.path]),
      query: target.query.map { Array(input[part: $0]) },
      authority: authority.map { Array(input[part: $0]) } ?? [],
      minorVersion: line.minorVersion,
      fields: HeaderFields(bytes: Array(input[part: fieldsStart..<fieldsEnd]), entries: entries),
      hasBody: hasBody,
      keepsAlive: semantics.keepsAlive(minorVersion: line.minorVersion))
    return Head(
      request: request, framing: framing,
      expectsContinue: hasBody && semantics.expectsContinue(minorVersion: line.minorVersion))
  }
}

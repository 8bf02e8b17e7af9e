/// Reads requests out of a connection's bytes, strictly by RFC 9112, wherever those bytes are cut.
///
/// The parser owns no input: it is shown what has come and says what it is done with. A head stays with the caller
/// until it is complete, a body is taken as it comes, and no byte is looked at twice, so a client that sends byte by
/// byte costs no more than one that does not. For the same bytes the outcome is the same under every cut: the first
/// fault in their order decides. Only `needsContinue` depends on what has come, as RFC 9110 §10.1.1 wants it.
///
/// Choices where the RFCs leave one, or say less than is asked here:
/// - up to two empty lines may stand before a request line; they count as idleness;
/// - a transfer coding other than `chunked` is 501; `chunked` twice, not last or with parameters is malformed;
/// - a Content-Length beyond every integer is a body too large; a chunk size has at most 16 digits;
/// - `Host` is never empty, and must be valid also where an absolute target takes its place;
/// - a target holds only what RFC 3986 has in a path and a query; percent triplets are left to who decodes them;
/// - methods not built here, CONNECT and TRACE among them, are 501 when the rest of the head is well-formed;
/// - trailer fields are checked like header fields and dropped, chunk extensions are checked and ignored.
public struct RequestParser: Sendable {
  /// How large a request may be.
  public struct Limits: Sendable {
    /// Bytes of request line and field lines, line ends included; also of chunk extensions and trailer together.
    public var headerBytes: Int
    /// Bytes of a body, chunks decoded.
    public var bodyBytes: Int

    /// Limits of these values.
    public init(headerBytes: Int, bodyBytes: Int) {
      self.headerBytes = headerBytes
      self.bodyBytes = bodyBytes
    }
  }

  /// What a look at the input found.
  public enum Event: Sendable {
    /// Nothing is complete: call again with what was not consumed and more behind it.
    case needsMore
    /// The client waits for `100 Continue` before it sends the body. Given at most once a request; call again.
    case needsContinue
    /// One whole request. What was not consumed belongs to the next one.
    case request(Request)
    /// The connection is to be answered and closed. Every later call gives the same.
    case failure(RequestFailure)
  }

  /// A request whose head, which `HeadReader` has read, is complete and whose body is not.
  private struct Unfinished: Sendable {
    let facts: HeadReader.Head
    /// The bytes of the head.
    let head: [UInt8]
    var body: BodyReader
  }

  private let limits: Limits
  private var head = HeadReader()
  private var unfinished: Unfinished?
  private var failure: RequestFailure?

  /// Whether, after the last call, the connection is between requests: no byte of a next one was seen.
  public private(set) var isIdle = true

  /// Whether a head is complete and its body is not.
  public var isReadingBody: Bool { unfinished != nil }

  /// A parser at the start of a connection.
  ///
  /// Limits are bounded to what the parser can count: none below 0, heads below 2 GiB.
  public init(limits: Limits) {
    self.limits = Limits(
      headerBytes: min(max(limits.headerBytes, 0), Int(Int32.max)), bodyBytes: max(limits.bodyBytes, 0))
  }

  /// Looks at `input`, everything not consumed so far and contiguous, and says how many bytes of it are consumed.
  ///
  /// O(bytes not seen before), and one copy of head and body.
  public mutating func parse(_ input: UnsafeRawBufferPointer) -> (consumed: Int, event: Event) {
    if let failure { return (0, .failure(failure)) }
    var rest = input
    let event: Event
    do throws(RequestFailure) {
      event = try nextEvent(&rest)
    } catch {
      failure = error
      unfinished = nil
      event = .failure(error)
    }
    return (input.count - rest.count, event)
  }

  private mutating func nextEvent(_ rest: inout UnsafeRawBufferPointer) throws(RequestFailure) -> Event {
    if unfinished != nil { return try goOnWithBody(&rest) }
    isIdle = false
    guard try head.read(&rest, limits: limits) else {
      isIdle = rest.isEmpty
      return .needsMore
    }
    let input = rest
    let facts = try head.finished(limits: limits)
    rest.drop(head.length)
    guard var body = BodyReader(facts.framing, limits: limits) else {
      isIdle = true
      return .request(head.takeRequest(facts, of: input, body: []))
    }
    let isAwaited = facts.expectsContinue && rest.isEmpty
    if try body.read(&rest, bodyLimit: limits.bodyBytes) {
      isIdle = true
      return .request(head.takeRequest(facts, of: input, body: body.bytes))
    }
    unfinished = Unfinished(facts: facts, head: Array(input[part: 0..<head.length]), body: body)
    return isAwaited ? .needsContinue : .needsMore
  }

  private mutating func goOnWithBody(_ rest: inout UnsafeRawBufferPointer) throws(RequestFailure) -> Event {
    guard try unfinished?.body.read(&rest, bodyLimit: limits.bodyBytes) == true, let done = unfinished.take()
    else { return .needsMore }
    isIdle = true
    return .request(
      done.head.withUnsafeBytes { head.takeRequest(done.facts, of: $0, body: done.body.bytes) })
  }
}

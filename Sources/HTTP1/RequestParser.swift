/// Reads requests out of a connection's bytes, strictly by RFC 9112, wherever those bytes are cut.
public struct RequestParser: Sendable {
  /// How large a request may be.
  public struct Limits: Sendable {
    /// Bytes of request line and field lines, line ends included; also of chunk extensions with the trailer.
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

  let limits: Limits

  /// A parser at the start of a connection.
  public init(limits: Limits) {
    self.limits = limits
  }

  /// Looks at `input`, everything not consumed so far and contiguous, and says how many bytes of it are consumed.
  public mutating func parse(_ input: UnsafeRawBufferPointer) -> (consumed: Int, event: Event) {
    (0, .needsMore)
  }

  /// Whether, after the last call, the connection is between requests: no byte of a next one was seen.
  public var isIdle: Bool { true }

  /// Whether a head is complete and its body is not.
  public var isReadingBody: Bool { false }
}

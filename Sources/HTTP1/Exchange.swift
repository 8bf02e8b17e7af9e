/// Where the answer to one request goes.
///
/// Exactly one of `respond` and `openStream` is called, once, from any thread. If the client has gone meanwhile the
/// call does nothing.
public protocol Exchange: AnyObject, Sendable {
  /// Sends a whole response. A response to HEAD loses its body and keeps its length.
  func respond(_ response: Response)

  /// Sends a response head (status and fields of `head`; its body must be `.empty`) and leaves the body open,
  /// as chunks in HTTP/1.1, until `finish` or the client ends it. A HEAD request gets the head only, and the
  /// stream is closed at once.
  ///
  /// - Parameters:
  ///   - limits: when a reader counts as lagging.
  ///   - onClose: called once, on the connection's loop, when the stream has ended for any reason.
  func openStream(
    _ head: Response, limits: StreamLimits, onClose: @escaping @Sendable (StreamEnd) -> Void
  ) -> any ResponseStream

  /// Has `job` run, once and on the connection's loop, if the client ends before the answer: it has shut its sending
  /// side, or is gone. An answer then still reaches one that only listens.
  ///
  /// For who waits in the service's own queues: a place there is not held for a client that is gone.
  func whenClientEnds(_ job: @escaping @Sendable () -> Void)
}

/// The open body of a response.
public protocol ResponseStream: AnyObject, Sendable {
  /// Queues bytes, from any thread, in the order of the calls. Shared storage is not copied where it is large.
  ///
  /// `countsAsLag` false exempts these bytes (a snapshot) from `StreamLimits.bufferBytes`.
  func send(_ frame: [UInt8], countsAsLag: Bool)

  /// Sends `last` behind all that is queued, then ends the body and closes the connection.
  func finish(_ last: [UInt8])
}

/// When a reader that does not keep up is cut off (protocol §8).
public struct StreamLimits: Sendable {
  /// Bytes that may wait behind the frame being written.
  public var bufferBytes: Int
  /// Seconds without one byte taken, while bytes wait.
  public var stallSeconds: Double
  /// What is written to a lagging reader, where it can still be written, before the connection is closed.
  public var lagging: [UInt8]
  /// What is written when nothing else was for `heartbeatSeconds` (an SSE comment line).
  public var heartbeat: [UInt8]
  /// Seconds between heartbeats.
  public var heartbeatSeconds: Double

  /// Limits with these values.
  public init(
    bufferBytes: Int, stallSeconds: Double = 30, lagging: [UInt8] = [], heartbeat: [UInt8] = [],
    heartbeatSeconds: Double = 15
  ) {
    self.bufferBytes = bufferBytes
    self.stallSeconds = stallSeconds
    self.lagging = lagging
    self.heartbeat = heartbeat
    self.heartbeatSeconds = heartbeatSeconds
  }
}

/// Why a stream ended.
public enum StreamEnd: Sendable, Equatable {
  case finished, clientClosed, lagging, stalled
}

/// What a server asks for every request; the composition root joins it to the service.
public protocol RequestHandler: Sendable {
  /// Answers `request` through `exchange`, now or later. Called on the connection's loop; must not block.
  func handle(_ request: Request, _ exchange: any Exchange)

  /// The answer to bytes that are no request, or a request over a limit; sent, and then the connection is closed.
  func response(to failure: RequestFailure) -> Response
}

/// A request that could not be read.
public struct RequestFailure: Error, Sendable, Equatable {
  /// What kind of fault, and with it the status and problem type of the answer.
  public enum Code: Sendable {
    /// 400 `malformed-request`: RFC 9112 framing or syntax.
    case malformed
    /// 413 `body-too-large`.
    case bodyTooLarge
    /// 431 `headers-too-large`.
    case headersTooLarge
    /// 501 `not-implemented`: an unknown method or transfer coding.
    case notImplemented
    /// 505 `unsupported-version`.
    case unsupportedVersion
    /// 408: the head or the body did not come in time.
    case timeout
    /// 503 `too-many-connections`.
    case tooManyConnections
    /// 417: an Expect other than 100-continue.
    case expectationFailed
  }

  /// The kind of fault.
  public let code: Code
  /// What is wrong, for a person.
  public let detail: String

  /// A fault.
  public init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }
}

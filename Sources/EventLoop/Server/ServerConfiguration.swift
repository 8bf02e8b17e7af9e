/// Where a server listens, on how many loops, and what it grants a connection.
public struct ServerConfiguration: Sendable {
  /// A numeric IPv4 or IPv6 address, `localhost`, or a name that is looked up once at the start.
  public var host: String
  /// The port; 0 takes a free one.
  public var port: Int
  /// The number of event loops; 0 for one a core.
  public var threads: Int
  /// What a connection may cost.
  public var limits: ConnectionLimits

  /// A configuration with these values.
  public init(
    host: String = "127.0.0.1", port: Int = 0, threads: Int = 0, limits: ConnectionLimits = ConnectionLimits()
  ) {
    self.host = host
    self.port = port
    self.threads = threads
    self.limits = limits
  }
}

/// What one connection may cost in bytes and in time.
///
/// Times are seconds, and absolute: bytes that trickle in do not prolong them.
public struct ConnectionLimits: Sendable {
  /// Bytes of request line and header fields.
  public var headerBytes = 65_536
  /// Bytes of a request's body.
  public var bodyBytes = 8_388_608
  /// From the first byte of a request (for the first request: from the accept) to the end of its head.
  public var headerSeconds = 10.0
  /// From the end of the head to the end of the body.
  public var bodySeconds = 30.0
  /// From an answer to the first byte of the next request.
  public var keepAliveSeconds = 75.0
  /// For how long a reader of an answer may take no byte of it.
  public var stallSeconds = 30.0
  /// Connections at a time, over all loops.
  public var connections = 20_000

  /// The default limits.
  public init() {}
}

import HTTP1

extension Problem {
  /// The problem of bytes that are no request, or of a request over a limit; the connection is closed after it.
  ///
  /// The protocol has no type of its own for 408 (the request did not arrive in time) and 417 (an `Expect` other than
  /// `100-continue`): both are `malformed-request` with their own status.
  public init(_ failure: RequestFailure) {
    switch failure.code {
    case .malformed:
      self.init(.malformedRequest, detail: failure.detail)
    case .timeout:
      self.init(.malformedRequest, status: 408, detail: failure.detail)
    case .expectationFailed:
      self.init(.malformedRequest, status: 417, detail: failure.detail)
    case .bodyTooLarge:
      self.init(.bodyTooLarge, detail: failure.detail)
    case .headersTooLarge:
      self.init(.headersTooLarge, detail: failure.detail)
    case .notImplemented:
      self.init(.notImplemented, detail: failure.detail)
    case .unsupportedVersion:
      self.init(.unsupportedVersion, detail: failure.detail)
    case .tooManyConnections:
      self.init(.tooManyConnections, detail: failure.detail)
    }
    closes = true
  }
}

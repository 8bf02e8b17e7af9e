/// Every kind of problem, by the slug at the end of its type: `/problems/{slug}` (protocol §9, upstream errors §7).
public enum ProblemType: String, Sendable, CaseIterable {
  // 400
  case malformedJSON = "malformed-json"
  case malformedRequest = "malformed-request"
  // 401, 403
  case unauthorized
  case forbiddenOrigin = "forbidden-origin"
  case forbiddenHost = "forbidden-host"
  case forbidden
  // 404, 405, 406
  case unknownPath = "unknown-path"
  case unknownTable = "unknown-table"
  case unknownSession = "unknown-session"
  case unknownRow = "unknown-row"
  case methodNotAllowed = "method-not-allowed"
  case notAcceptable = "not-acceptable"
  // 409
  case duplicateID = "duplicate-id"
  case busy
  case nothingToRetry = "nothing-to-retry"
  case nothingAwaited = "nothing-awaited"
  case notSelectable = "not-selectable"
  case placeholderRow = "placeholder-row"
  case sessionExists = "session-exists"
  case transitionNotAllowed = "transition-not-allowed"
  case idempotencyInProgress = "idempotency-in-progress"
  // 410, 412, 413, 415
  case sessionEnded = "session-ended"
  case revisionMismatch = "revision-mismatch"
  case bodyTooLarge = "body-too-large"
  case unsupportedMediaType = "unsupported-media-type"
  // 422
  case invalidBody = "invalid-body"
  case invalidRow = "invalid-row"
  case indexOutOfRange = "index-out-of-range"
  case idempotencyKeyReused = "idempotency-key-reused"
  case limitExceeded = "limit-exceeded"
  // 429, 431
  case tooManySessions = "too-many-sessions"
  case tooManySubscribers = "too-many-subscribers"
  case headersTooLarge = "headers-too-large"
  // 5xx
  case `internal`
  case notImplemented = "not-implemented"
  case storeUnavailable = "store-unavailable"
  case draining
  case tooManyConnections = "too-many-connections"
  case unsupportedVersion = "unsupported-version"
  // The upstream's failures: they are states of a list (its `error`), never the answer to a request.
  case upstreamUnreachable = "upstream-unreachable"
  case upstreamStatus = "upstream-status"
  case upstreamTimeout = "upstream-timeout"
  case upstreamMalformed = "upstream-malformed"
  case upstreamTooLarge = "upstream-too-large"
  case upstreamRepeats = "upstream-repeats"
  case upstreamError = "upstream-error"
  case interrupted

  /// The last segment of the type's address.
  public var slug: String { rawValue }

  /// The status code of an answer of this kind; an upstream's failure has that of a gateway.
  public var status: Int { entry.status }

  /// A short name for people, the same every time.
  public var title: String { entry.title }

  /// What has happened, for the page that explains the type.
  public var meaning: String { entry.meaning }

  /// What to do about it, for the same page.
  public var remedy: String { entry.remedy }

  /// Seconds after which trying again makes sense, where that alone can help; nil elsewhere.
  public var retryAfter: Int? { entry.retryAfter }
}

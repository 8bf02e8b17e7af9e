import JSONText

/// What `changes?since=R` is answered with.
public struct ChangePage: Sendable {
  /// The revision up to which it tells: the present one, or the last given where there is more.
  public var revision: Int
  /// The changes, oldest first.
  public var changes: [Bytes]
  /// Whether there are more behind these: an answer stops after 8 MiB.
  public var hasMore: Bool
  /// Set where the past is not kept: the client starts over from this.
  public var reset: Snapshot?

  /// Bytes of changes after which an answer stops.
  static let byteLimit = 8 << 20
}

/// How a page of changes comes: once, from any thread.
public typealias ChangeReply = @Sendable (Result<ChangePage, FailedAnswer>) -> Void

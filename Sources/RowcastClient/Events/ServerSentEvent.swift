import JSONText

/// One event of a `text/event-stream`.
public struct ServerSentEvent: Sendable, Equatable {
  /// Its `event` field; `message` where it has none.
  public var type: Bytes
  /// Its `data` lines, with a line feed between two.
  public var data: Bytes
  /// The last `id` that the stream has named, with this event or before it; empty before the first.
  public var lastID: Bytes

  /// An event.
  public init(type: Bytes, data: Bytes, lastID: Bytes = .empty) {
    self.type = type
    self.data = data
    self.lastID = lastID
  }
}

/// An event grew past what its reader may hold; the stream is of no further use.
public struct EventTooLarge: Error, Equatable, Sendable {
  /// The most bytes that were allowed.
  public let limit: Int
}

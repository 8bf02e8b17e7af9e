import JSONText
import ListModel

/// Where the frames of a session's feed go: one open stream of one client.
public protocol FeedSink: AnyObject, Sendable {
  /// Queues what the stream begins with, a snapshot or the changes that were missed: however large, it is not the
  /// reader who lags.
  func begin(with frames: [UInt8])
  /// Queues a frame that stands for a change, in the order of the calls. Must not block, nor call back.
  func send(change frame: [UInt8])
  /// Queues a last frame, and ends the stream behind it.
  func finish(_ frame: [UInt8])
}

/// How a feed tells its events as bytes; what a frame looks like is not a session's business.
public struct FeedEncoding: Sendable {
  /// Of which kind a stream's changes are.
  public enum Format: Sendable, CaseIterable {
    case ops, jsonPatch
  }

  /// The frame of a change.
  public var change: @Sendable (Change, Format) -> [UInt8]
  /// The frame of a snapshot.
  public var snapshot: @Sendable (Snapshot) -> [UInt8]
  /// The frame that ends a stream.
  public var end: @Sendable (EndReason) -> [UInt8]

  /// An encoding of these three.
  public init(
    change: @escaping @Sendable (Change, Format) -> [UInt8],
    snapshot: @escaping @Sendable (Snapshot) -> [UInt8],
    end: @escaping @Sendable (EndReason) -> [UInt8]
  ) {
    self.change = change
    self.snapshot = snapshot
    self.end = end
  }
}

/// Why a stream ends (protocol §8).
public enum EndReason: String, Sendable {
  case deleted, expired, draining, lagging
}

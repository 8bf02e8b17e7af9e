import JSONText
import ListModel

/// How a command is asked for: its conditions, looked at before its body (protocol §7), and the form of its answer.
public struct CommandRequest: Sendable {
  /// The client's mark for its changes.
  public var tag: Bytes?
  /// The revision after which the answer lists all changes; nil: those of this command.
  public var since: Int?
  /// `If-Match`; nil where there is none.
  public var condition: Condition?
  /// `Idempotency-Key`; nil where there is none.
  public var idempotency: Idempotency?
  /// Seconds to wait for the end of a fetch; 0: not at all.
  public var waitSeconds: Double
  /// Whether the answer shall hold the present list; one that starts over has it anyway.
  public var wantsSnapshot: Bool

  /// What `If-Match` asks for.
  public enum Condition: Sendable {
    case any
    /// One of these revisions.
    case revisions([Int])

    /// Whether it holds at any revision.
    var allowsAny: Bool { if case .any = self { true } else { false } }

    /// Whether it holds at this revision.
    func allows(_ revision: Int) -> Bool {
      switch self {
      case .any: true
      case .revisions(let revisions): revisions.contains(revision)
      }
    }
  }

  /// A key and what it stands for.
  public struct Idempotency: Sendable {
    /// The key.
    public var key: Bytes
    /// Differs where path, query or body differ.
    public var fingerprint: Bytes

    /// A key for a request.
    public init(key: Bytes, fingerprint: Bytes) {
      self.key = key
      self.fingerprint = fingerprint
    }
  }

  /// The seconds that a caller waits who says nothing (protocol §7).
  public static let defaultWaitSeconds = 30.0

  /// No conditions.
  public init(
    tag: Bytes? = nil, since: Int? = nil, condition: Condition? = nil, idempotency: Idempotency? = nil,
    waitSeconds: Double = defaultWaitSeconds, wantsSnapshot: Bool = true
  ) {
    self.wantsSnapshot = wantsSnapshot
    self.tag = tag
    self.since = since
    self.condition = condition
    self.idempotency = idempotency
    self.waitSeconds = waitSeconds
  }
}

/// What a command is answered with.
///
/// A class: it goes from the session's machine through a queue of actions and a reply to whoever writes it.
public final class CommandAnswer: Sendable {
  /// Whether a fetch that the command waits for is still in flight: 202, else 200.
  public let isAccepted: Bool
  /// The present revision; of a replay, the first answer's.
  public let revision: Int
  /// The changes, oldest first.
  public let changes: [Bytes]
  /// The revisions of the command's own changes.
  let own: [Int]
  /// Whether the changes that were asked for are not kept and the client starts over from the snapshot.
  public let isReset: Bool
  /// The ids of inserted items.
  public let ids: [Bytes]?
  /// The present list.
  ///
  /// Nil where it was not wanted and nothing starts over, and where a session that was made under an
  /// `Idempotency-Key` has ended since.
  public let snapshot: Snapshot?
  /// Set where the request had an `Idempotency-Key`.
  public let idempotency: IdempotencyNote?

  /// An answer of these values; without `changes` the client starts over.
  init(
    isAccepted: Bool, revision: Int, changes: [Bytes]?, own: [Int] = [], ids: [Bytes]? = nil,
    snapshot: Snapshot?, idempotency: IdempotencyNote?
  ) {
    self.isAccepted = isAccepted
    self.revision = revision
    self.changes = changes ?? []
    self.own = own
    isReset = changes == nil
    self.ids = ids
    self.snapshot = snapshot
    self.idempotency = idempotency
  }
}

/// What is said about an `Idempotency-Key`.
public struct IdempotencyNote: Sendable {
  /// Whether this repeats an earlier answer.
  public var isReplay: Bool
  /// Until when it is kept, in seconds since 1970.
  public var expires: Int
}

/// Why a request on a session was not done; the session is as it was.
public enum SessionFailure: Error, Sendable {
  /// No session has this id.
  case unknown
  /// The session has ended, within the last hour.
  case ended
  /// There is no such table.
  case unknownTable
  /// The id is in use with another table or other parameters.
  case exists
  /// `If-Match` names another revision.
  case revisionMismatch
  /// The list refused the command.
  case refused(Refusal)
  /// The body could not be read; the error says how.
  case body(any Error & Sendable)
  /// The key stood for another request.
  case idempotencyKeyReused
  /// The request with this key has no answer yet.
  case idempotencyInProgress
  /// `limits.sessions` is reached.
  case tooManySessions
  /// `limits.subscribersPerSession` is reached.
  case tooManySubscribers
  /// The server is going down.
  case draining
  /// What was to be done could not be stored, or what was to be read could not be had from the store.
  case store(StoreFailure, hasStarted: Bool)
  /// The session has been put out of memory meanwhile: the registry brings it back.
  case resting
}

/// A failure with what its answer says beside it.
public struct FailedAnswer: Error, Sendable {
  /// Why.
  public var failure: SessionFailure
  /// The session's revision, where one is concerned.
  public var revision: Int?
  /// Set where the request had an `Idempotency-Key` under which this is kept.
  public var idempotency: IdempotencyNote?

  /// A failure.
  public init(_ failure: SessionFailure, revision: Int? = nil, idempotency: IdempotencyNote? = nil) {
    self.failure = failure
    self.revision = revision
    self.idempotency = idempotency
  }
}

/// How an answer comes: once, from any thread.
public typealias Reply = @Sendable (Result<CommandAnswer, FailedAnswer>) -> Void

/// A list at one revision together with whose it is.
public struct Snapshot: Sendable {
  /// The list.
  public let version: ListVersion
  /// The members `"session":…,"table":…,`.
  let identity: Bytes

  /// Appends the document of protocol §6.
  ///
  /// O(√n + rows).
  public func append(offset: Int = 0, limit: Int? = nil, to text: inout TextBuffer) {
    version.appendSnapshot(identity: identity, offset: offset, limit: limit, to: &text)
  }

  /// The document of protocol §6.
  ///
  /// O(√n + rows).
  public func document(offset: Int = 0, limit: Int? = nil) -> [UInt8] {
    var text = TextBuffer(capacity: 4096)
    append(offset: offset, limit: limit, to: &text)
    return text.array()
  }
}

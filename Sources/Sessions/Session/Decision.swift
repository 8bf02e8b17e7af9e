import JSONText
import ListModel

/// What a command, a fetch's end or a session's end came to on the head: told as soon as it is durable.
///
/// Without a store that is at once. One that can not be made durable is as if it had never been decided, and all who
/// wait for it are told so.
struct Decision {
  /// An answer to somebody, but for what only the committed list can give.
  enum Answer {
    case failure(Reply, SessionFailure, KeptKey?)
    case command(Reply, isAccepted: Bool, changes: [Int], Form, ids: [Bytes]?, KeptKey?)
  }

  /// The change, with the client's mark.
  var change: Change?
  /// The list behind it; nil without a store, where the head is what is told.
  var version: ListVersion?
  var answers: [Answer] = []
  /// The caller who waits for the fetch that this starts or joins.
  var waiter: Int?
  /// A read, or the time limit of what a client is to give: for the fetch that this starts.
  var effect: SessionAction?
  /// The fetch's end that this is about: it comes again where this can not be made durable.
  var fetchEnd: FetchEnd?
  /// Set where the session ends.
  var end: EndReason?
  /// Called once this is durable, or can not be made so.
  var made: (@Sendable (SessionFailure?) -> Void)?
  /// Whether the session comes to be by this: without it there is none.
  var isBirth = false

  /// What an answer tells beside its own changes.
  struct Form: Sendable {
    let since: Int?
    let wantsSnapshot: Bool

    init(since: Int? = nil, wantsSnapshot: Bool = true) {
      self.since = since
      self.wantsSnapshot = wantsSnapshot
    }

    init(_ request: CommandRequest) {
      self.init(since: request.since, wantsSnapshot: request.wantsSnapshot)
    }
  }

  /// A key under which the answer is kept.
  struct KeptKey {
    let key: Bytes
    let fingerprint: Bytes
    /// Seconds since 1970.
    let expires: Int
  }
}

/// What a source gave for a fetch.
struct FetchEnd {
  let generation: Int
  let result: Result<Page, UpstreamFailure>
}

import JSONText

/// A place in the upstream: how far it has been read.
///
/// Durable, and counted by what was read, not by items held.
public struct Place: Sendable, Equatable {
  /// Items read from the top, those that were left out included.
  public var read: Int
  /// Pages read from the top.
  public var pages: Int
  /// What the source itself needs to go on (a cursor, an address); nil where counting is enough.
  public var token: Bytes?

  /// A place.
  public init(read: Int = 0, pages: Int = 0, token: Bytes? = nil) {
    self.read = read
    self.pages = pages
    self.token = token
  }

  /// Before the first page.
  public static let top = Place()
}

/// A page as a source read it.
public struct Page: Sendable {
  /// The items that fit, in the upstream's order; an id may come twice (the first stands).
  public var items: [Item]
  /// Whether the upstream has more behind this page.
  public var hasNext: Bool
  /// The place behind this page.
  public var next: Place
  /// How many items were left out: without a usable id, off their cell's `required`, or too large.
  public var leftOut: Int
  /// Items that were read before and came again: they update what is held, and add nothing.
  public var again: [Item]
  /// Why nothing can be read behind this page, although it could be read itself; the fetch ends with it, and without
  /// a next page.
  public var failure: UpstreamFailure?

  /// A page.
  public init(
    items: [Item], hasNext: Bool, next: Place, leftOut: Int = 0, again: [Item] = [],
    failure: UpstreamFailure? = nil
  ) {
    self.items = items
    self.hasNext = hasNext
    self.next = next
    self.leftOut = leftOut
    self.again = again
    self.failure = failure
  }
}

/// Why a page could not be had: the list shows it, and the retry row with it.
public struct UpstreamFailure: Error, Sendable, Equatable {
  /// The problem type (protocol §7, upstream errors).
  public enum Code: String, Sendable, CaseIterable {
    case unreachable = "upstream-unreachable"
    case status = "upstream-status"
    case timeout = "upstream-timeout"
    case malformed = "upstream-malformed"
    case tooLarge = "upstream-too-large"
    case repeats = "upstream-repeats"
    case error = "upstream-error"
    case interrupted
  }

  /// The kind of failure.
  public var code: Code
  /// A title; nil: the kind's own.
  public var title: String?
  /// What a person can act on; no secret in it.
  public var detail: String
  /// The upstream's HTTP status, where it gave one.
  public var upstreamStatus: Int?
  /// Whole seconds after which the upstream wants to be asked again.
  public var retryAfter: Int?

  /// A failure.
  public init(
    _ code: Code, title: String? = nil, detail: String, upstreamStatus: Int? = nil, retryAfter: Int? = nil
  ) {
    self.code = code
    self.title = title
    self.detail = detail
    self.upstreamStatus = upstreamStatus
    self.retryAfter = retryAfter
  }
}

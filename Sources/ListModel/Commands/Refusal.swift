import JSONText

/// Why a command was refused; the list is exactly as before.
public struct Refusal: Error, Sendable, Equatable {
  /// The problem type (protocol §9).
  public enum Code: String, Sendable, CaseIterable {
    case invalidBody = "invalid-body"
    case invalidRow = "invalid-row"
    case indexOutOfRange = "index-out-of-range"
    case limitExceeded = "limit-exceeded"
    case duplicateID = "duplicate-id"
    case busy
    case nothingToRetry = "nothing-to-retry"
    case nothingAwaited = "nothing-awaited"
    case notSelectable = "not-selectable"
    case placeholderRow = "placeholder-row"
    case transitionNotAllowed = "transition-not-allowed"
    case unknownRow = "unknown-row"
  }

  /// The kind of refusal.
  public let code: Code
  /// The member of the body at fault, where one is.
  public let pointer: JSONPointer?
  /// What is wrong, for a person.
  public let detail: String

  /// A refusal.
  public init(_ code: Code, at pointer: JSONPointer? = nil, _ detail: String) {
    self.code = code
    self.pointer = pointer
    self.detail = detail
  }

  /// The same refusal of something that stands at `tokens` in a larger body.
  ///
  /// Places are told on the way up: what goes well builds no pointer.
  public func under(_ tokens: [Bytes]) -> Refusal {
    Refusal(code, at: JSONPointer(tokens: tokens + (pointer?.tokens ?? [])), detail)
  }
}

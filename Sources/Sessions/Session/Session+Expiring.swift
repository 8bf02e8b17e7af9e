import JSONText
import ListModel

// Sessions that nobody has used for too long, and those who come while a session is ending.
extension Session {
  /// Whether a session is still there.
  enum Presence {
    case there
    /// Its end is decided and not durable yet.
    case ending
    case ended
  }

  /// Ends the session where nobody has used it since `time`, in milliseconds since 1970.
  ///
  /// - Parameter ended: called when that is durable.
  func expire(unusedSince time: Int, _ ended: @escaping @Sendable () -> Void) -> Presence {
    let now = house.world.now()
    let (actions, presence) = core.withLock { core -> ([SessionAction], Presence?) in
      guard !core.hasEnded, !core.isEvicted, let unusedSince = core.unusedSince, unusedSince <= time else {
        return ([], core.presence)
      }
      return (core.end(.expired, if: nil, now: now) { if $0 == nil { ended() } }, nil)
    }
    if let presence { return presence }
    carryOut(actions)
    return core.withLock { $0.presence }
  }

  /// Waits until it is known whether the session has ended, where that is decided; says whether it is.
  ///
  /// - Parameter known: called with nil, or why that can not be made durable.
  func awaitEnd(_ known: @escaping @Sendable (SessionFailure?) -> Void) -> Bool {
    let actions = core.withLock { core -> [SessionAction]? in
      guard core.presence == .ending else { return nil }
      var decision = Decision()
      decision.made = known
      return core.decide(decision)
    }
    guard let actions else { return false }
    carryOut(actions)
    return true
  }
}

extension SessionCore {
  /// Whether the session is still there.
  fileprivate var presence: Session.Presence {
    if hasEnded { return .ended }
    return durability?.isEnding == true ? .ending : .there
  }
}

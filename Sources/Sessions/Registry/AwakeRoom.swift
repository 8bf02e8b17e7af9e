/// How much memory sessions may take that nobody uses at the moment and that are not packed.
///
/// There is little room, so that sessions cost little more than their rows. Where many are woken that were used within
/// the last second, those that are in use do not fit: the room is doubled, and in quiet times halved again.
struct AwakeRoom: Sendable {
  /// Whether sessions are being packed.
  var isPacking = false
  /// `limits.residentBytes`, of which the room is a part.
  private let limit: Int
  /// At how many sessions that are not packed some are to be, the next time.
  private var dueAt = 0
  /// By how much the room has grown.
  private var factor = 1
  /// When it was last halved, or could have been.
  private var lastRound = 0
  /// How many sessions were packed too early since the last tick.
  private var regrets = 0

  init(residentBytes: Int) {
    limit = residentBytes
    settle(at: 0)
  }

  /// Notes that a session is woken which was used so many milliseconds ago.
  mutating func note(wokenAfter age: Int) {
    if abs(age) < Self.recent { regrets += 1 }
  }

  /// A second has passed.
  ///
  /// - Parameters:
  ///   - now: in milliseconds since 1970.
  ///   - sessions: how many there are that are not packed.
  /// - Returns: whether some of them may be due: every ten seconds, and where they may have no room.
  mutating func tick(now: Int, sessions: Int) -> Bool {
    let isRound = abs(now - lastRound) >= Self.old
    if isRound { lastRound = now }
    if regrets > Self.manyRegrets {
      factor = min(factor * 2, Self.largestFactor)
    } else if isRound {
      factor = max(factor / 2, 1)
    }
    regrets = 0
    return isRound || sessions * Self.leastBytes > quiet
  }

  /// Whether so many sessions have come that some are to be packed.
  func isDue(_ sessions: Int) -> Bool { !isPacking && sessions >= dueAt }

  /// Sessions have been packed, and so many are left.
  mutating func settle(at sessions: Int) {
    isPacking = false
    dueAt = sessions + share
  }

  /// Whether a session is to be packed that was used so many milliseconds ago, where all that nobody uses take `total`
  /// bytes.
  func isToPack(age: Int, total: Int) -> Bool {
    abs(age) > Self.old || (abs(age) > Self.recent && total > quiet) || total > busy
  }

  /// Bytes for sessions that were not used within the last second.
  private var quiet: Int { limit / 128 * factor }
  /// Bytes for any.
  private var busy: Int { limit / 64 * factor }
  /// How many sessions come before some are to be packed.
  private var share: Int { max(1, min(busy / Self.leastBytes / 2, Self.largestShare)) }

  /// Milliseconds for which a session counts as used just now, and after which it is packed whatever room there is.
  private static let recent = 1000
  private static let old = 10_000
  private static let largestShare = 128
  /// How many in a second come back too early before something is done about it.
  private static let manyRegrets = 256
  /// Bytes that the smallest session takes, about.
  private static let leastBytes = 4096
  private static let largestFactor = 32
}

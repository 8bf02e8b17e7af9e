/// How much memory sessions may take that nobody uses at the moment and that are not packed.
///
/// There is little room, so that sessions cost little more than their rows, also where all of them are asked for one
/// after the other.
struct AwakeRoom: Sendable {
  /// Whether sessions are being packed.
  var isPacking = false
  /// `limits.residentBytes`, of which the room is a part.
  private let limit: Int
  /// At how many sessions that are not packed some are to be, the next time.
  private var dueAt = 0
  /// When all that were not used for a while were last looked for.
  private var lastRound = 0

  init(residentBytes: Int) {
    limit = residentBytes
    settle(at: 0)
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
  private var quiet: Int { limit / 128 }
  /// Bytes for any.
  private var busy: Int { limit / 64 }
  /// How many sessions come before some are to be packed.
  private var share: Int { max(1, min(busy / Self.leastBytes / 2, Self.largestShare)) }

  /// Milliseconds for which a session counts as used just now, and after which it is packed whatever room there is.
  private static let recent = 1000
  private static let old = 10_000
  private static let largestShare = 128
  /// Bytes that the smallest session takes, about.
  private static let leastBytes = 4096
}

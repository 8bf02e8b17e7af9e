/// How long to wait before the next connection: twice as long after each failure, with a part left to chance so that
/// the many clients of one server do not come back at one moment.
public struct Backoff: Sendable {
  /// The first wait, in seconds.
  public var first: Double
  /// The longest wait, in seconds.
  public var longest: Double

  private var failures = 0

  /// Waits from `first` to `longest` seconds.
  public init(first: Double = 0.5, longest: Double = 15) {
    self.first = first
    self.longest = longest
  }

  /// What came shows that the server is well: the next failure is a first one.
  public mutating func succeed() { failures = 0 }

  /// The wait after one more failure, in seconds.
  ///
  /// - Parameters:
  ///   - asked: the least that the server asked for; no more than `longest` of it is heeded.
  ///   - chance: a number from 0 to 1; 1 waits a quarter longer than 0.
  public mutating func fail(asked: Double = 0, chance: Double) -> Double {
    let doubled = first * Double(1 << min(failures, 20))
    failures += 1
    return min(longest, max(doubled, asked)) * (1 + chance / 4)
  }
}

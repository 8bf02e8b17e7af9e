import JSONText
import ListModel

/// What sessions need of the world around them: time, timers, randomness, memory.
///
/// Given at composition; fakes in tests.
public struct World: Sendable {
  /// Stops a timer that has not fired; does nothing otherwise.
  ///
  /// May be called from any thread.
  public typealias Cancel = @Sendable () -> Void

  /// The time in milliseconds since 1970.
  public var now: @Sendable () -> Int
  /// Runs a job once after so many seconds, on any thread.
  public var schedule: @Sendable (_ seconds: Double, _ job: @escaping @Sendable () -> Void) -> Cancel
  /// 128 random bits.
  public var random: @Sendable () -> (UInt64, UInt64)
  /// Is told that much memory is free again, which the system may have back.
  public var giveBackMemory: @Sendable () -> Void

  /// A world of these.
  public init(
    now: @escaping @Sendable () -> Int,
    schedule: @escaping @Sendable (_ seconds: Double, _ job: @escaping @Sendable () -> Void) -> Cancel,
    random: @escaping @Sendable () -> (UInt64, UInt64),
    giveBackMemory: @escaping @Sendable () -> Void = {}
  ) {
    self.now = now
    self.schedule = schedule
    self.random = random
    self.giveBackMemory = giveBackMemory
  }

  /// A new id of 128 random bits: 22 characters of `[A-Za-z0-9_-]` (RFC 4648 §5, without padding).
  public func makeID() -> Bytes {
    let alphabet: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
    var (high, low) = random()
    let id = [UInt8](unsafeUninitializedCapacity: 22) { target, count in
      for position in 0..<22 {
        target[position] = alphabet.utf8Start[Int(low & 63)]
        low = low >> 6 | high << 58
        high >>= 6
      }
      count = 22
    }
    return Bytes(id)
  }
}

/// Is told what happens to fetches, for metrics and the log.
public protocol SessionObserver: Sendable {
  /// A source has been asked for a page and has given it, or failed.
  func pageRead(table: Bytes, milliseconds: Int, leftOut: Int, failure: UpstreamFailure.Code?)
}

import JSONText

/// What was answered under an `Idempotency-Key`, for as long as it says (protocol §7).
struct IdempotencyRecords<Answer: Sendable>: Sendable {
  /// What is known of a key.
  enum Finding {
    case new
    /// Its first request has no answer yet.
    case inProgress
    /// It stood for another request.
    case reused
    case answered(Answer, expires: Int)
  }

  private struct Record {
    var fingerprint: Bytes
    var answer: Answer?
    /// Milliseconds since 1970.
    var expires: Int
  }

  private var records: [Bytes: Record] = [:]
  private var order = ExpiryQueue()

  /// How long an answer is kept, in milliseconds.
  static var lifetime: Int { 24 * 3600 * 1000 }

  /// Looks a key up.
  ///
  /// O(1).
  func find(_ key: Bytes, fingerprint: Bytes, now: Int) -> Finding {
    guard let record = records[key], record.expires > now else { return .new }
    guard record.fingerprint == fingerprint else { return .reused }
    guard let answer = record.answer else { return .inProgress }
    return .answered(answer, expires: record.expires / 1000)
  }

  /// Notes that the request with this key is being done, and forgets what has expired.
  ///
  /// O(1) amortised.
  ///
  /// - Returns: when its answer will expire, in seconds since 1970.
  mutating func begin(_ key: Bytes, fingerprint: Bytes, now: Int) -> Int {
    forget(before: now)
    // Whole seconds, rounded up: the moment that `Idempotency-Expires` names.
    let expires = (now + Self.lifetime + 999) / 1000 * 1000
    records[key] = Record(fingerprint: fingerprint, answer: nil, expires: expires)
    order.append(key, until: expires)
    return expires / 1000
  }

  /// Keeps the answer.
  ///
  /// O(1).
  mutating func complete(_ key: Bytes, _ answer: Answer) {
    records[key]?.answer = answer
  }

  /// Forgets a key whose request came to nothing that is kept.
  ///
  /// O(1).
  mutating func cancel(_ key: Bytes) {
    records[key] = nil
  }

  /// Forgets what has expired.
  ///
  /// O(1) amortised.
  mutating func forget(before now: Int) {
    while let key = order.popExpired(now: now) {
      if let record = records[key], record.expires <= now { records[key] = nil }
    }
  }
}

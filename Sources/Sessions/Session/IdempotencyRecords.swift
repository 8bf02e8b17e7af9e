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
  /// How many have no answer yet.
  private var open = 0

  /// How many keys are known.
  var count: Int { records.count }
  /// Whether a request with a key has no answer yet.
  var isBusy: Bool { open > 0 }

  /// How long an answer is kept, in milliseconds.
  static var lifetime: Int { 24 * 3600 * 1000 }

  /// Whether anything is known of a key, expired or not.
  func knows(_ key: Bytes) -> Bool { records[key] != nil }

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
    cancel(key)
    records[key] = Record(fingerprint: fingerprint, answer: nil, expires: expires)
    open += 1
    order.append(key, until: expires)
    return expires / 1000
  }

  /// Keeps the answer.
  ///
  /// O(1).
  mutating func complete(_ key: Bytes, _ answer: Answer) {
    guard var record = records[key] else { return }
    if record.answer == nil { open -= 1 }
    record.answer = answer
    records[key] = record
  }

  /// Takes in what a store has kept; what is known already stands.
  ///
  /// O(1).
  ///
  /// - Parameter expires: milliseconds since 1970.
  mutating func learn(_ key: Bytes, fingerprint: Bytes, _ answer: Answer, expires: Int) {
    guard records[key] == nil else { return }
    records[key] = Record(fingerprint: fingerprint, answer: answer, expires: expires)
    order.append(key, until: expires)
  }

  /// Forgets a key whose request came to nothing that is kept.
  ///
  /// O(1).
  mutating func cancel(_ key: Bytes) {
    if let record = records.removeValue(forKey: key), record.answer == nil { open -= 1 }
  }

  /// Forgets what has expired.
  ///
  /// O(1) amortised.
  mutating func forget(before now: Int) {
    while let key = order.popExpired(now: now) {
      if let record = records[key], record.expires <= now { cancel(key) }
    }
  }
}

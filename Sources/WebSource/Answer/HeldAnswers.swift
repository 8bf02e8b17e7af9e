import JSONText

/// Answers that their upstream can be asked about again (RFC 9110 §13): those used least recently go when all
/// together hold more than `limit` bytes.
struct HeldAnswers {
  /// An answer with what its upstream knows it by.
  struct Held: Sendable {
    var answer: WebAnswer
    /// The fields that ask whether it is still the same.
    var conditions: [WebRequest.Field]
  }

  private struct Entry {
    var held: Held
    var lastUse: UInt64
  }

  private let limit: Int
  private var entries: [Bytes: Entry] = [:]
  private var bytes = 0
  private var uses: UInt64 = 0

  /// Nothing held.
  init(limit: Int) { self.limit = limit }

  /// The answer held for a request's identity.
  ///
  /// O(1).
  mutating func answer(to identity: Bytes) -> Held? {
    uses += 1
    entries[identity]?.lastUse = uses
    return entries[identity]?.held
  }

  /// Holds an answer in the place of any other to this request, if it has a validator and may be kept.
  mutating func hold(_ answer: WebAnswer, to identity: Bytes) {
    forget(identity)
    var conditions: [WebRequest.Field] = []
    if let tag = answer.fields["etag"] {
      conditions.append(WebRequest.Field(name: "If-None-Match", value: tag))
    }
    if let date = answer.fields["last-modified"] {
      conditions.append(WebRequest.Field(name: "If-Modified-Since", value: date))
    }
    let isKept = !answer.fields.values(of: "cache-control").contains {
      $0.string.lowercased().contains("no-store")
    }
    guard !conditions.isEmpty, isKept, answer.status == 200, answer.body.count <= limit / 4 else { return }
    uses += 1
    entries[identity] = Entry(held: Held(answer: answer, conditions: conditions), lastUse: uses)
    bytes += Self.size(identity, answer)
    while bytes > limit, let oldest = entries.min(by: { $0.value.lastUse < $1.value.lastUse })?.key {
      forget(oldest)
    }
  }

  private mutating func forget(_ identity: Bytes) {
    if let entry = entries.removeValue(forKey: identity) { bytes -= Self.size(identity, entry.held.answer) }
  }

  private static func size(_ identity: Bytes, _ answer: WebAnswer) -> Int {
    identity.count + answer.body.count + 1024
  }
}

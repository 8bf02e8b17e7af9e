import HTTP1
import JSONText

extension HeaderFields {
  /// The value of `Idempotency-Key`: 1–255 bytes, taken as they stand, quotes included; nil without the field.
  ///
  /// - Throws: `malformed-request` for an empty or longer one, for control bytes and for a second field.
  public func idempotencyKey() throws(Problem) -> Bytes? {
    guard let value = first("idempotency-key")?.trimmed else { return nil }
    guard !isRepeated("idempotency-key") else {
      throw Problem(.malformedRequest, detail: "Idempotency-Key is given twice")
    }
    guard (1...255).contains(value.count), value.allSatisfy({ $0 >= 32 && $0 != 127 }) else {
      throw Problem(.malformedRequest, detail: "Idempotency-Key is 1 to 255 bytes without control characters")
    }
    return Bytes(Array(value))
  }

  /// The value of `Last-Event-ID` read as a revision; nil without the field or where it is no number.
  public func lastEventID() -> Int? {
    first("last-event-id").flatMap { decimal($0.trimmed) }
  }
}

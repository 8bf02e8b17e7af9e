import JSONText

/// The status and the fields of a response.
public struct ResponseHead: Sendable {
  /// The status code, 100–999.
  public var status: Int
  /// Names in lower case, values without the white space around them, in the order in which they came.
  public var fields: [(name: Bytes, value: Bytes)]

  /// A head.
  public init(status: Int, fields: [(name: Bytes, value: Bytes)] = []) {
    self.status = status
    self.fields = fields
  }

  /// The value of the first field of a name that is given in lower case.
  public func first(_ name: StaticString) -> Bytes? {
    fields.first { $0.name.equals(name) }?.value
  }

  /// The seconds that the server asks to wait (RFC 9110 §10.2.3); nil where it does not, or gives a date.
  public var retryAfterSeconds: Int? {
    first("retry-after").flatMap { Int($0.string) }.flatMap { $0 >= 0 ? $0 : nil }
  }
}

/// A piece of a response, as it becomes known.
public enum ResponsePart: Sendable {
  /// The final response's head; it comes first, and once.
  case head(ResponseHead)
  /// Bytes of the body, freed from their chunks.
  case body(ArraySlice<UInt8>)
  /// The body is complete; nothing follows.
  case end
}

/// Why bytes are no response; the connection is of no further use.
public struct ResponseFault: Error, Equatable, Sendable {
  /// What is wrong, in one clause.
  public let message: String
}

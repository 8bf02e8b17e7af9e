import HTTP1
import JSONText

/// Why a request was refused, as clients read it (RFC 9457, protocol §9).
public struct Problem: Error, Sendable {
  /// The kind, and with it the status and the title.
  public var type: ProblemType
  /// The status code; the type's own but for the few that share a type (408 and 417 are `malformed-request`).
  public var status: Int
  /// What went wrong this time, and what would help.
  public var detail: String
  /// The path of the request, percent-encoded as it came.
  public var instance: Bytes?
  /// The member of the body that is wrong.
  public var pointer: JSONPointer?
  /// The session's committed revision, where a session is concerned.
  public var revision: Int?
  /// Further header field lines, each `Name: value\r\n`.
  public var fieldLines: [UInt8]
  /// Whether the connection must be closed after the answer: nothing sure is known of what follows on it.
  public var closes: Bool

  /// A problem; without a detail it says what its type means.
  ///
  /// `retryAfter` seconds replace the type's own.
  public init(
    _ type: ProblemType, status: Int? = nil, detail: String? = nil, instance: Bytes? = nil,
    pointer: JSONPointer? = nil, revision: Int? = nil, retryAfter: Int? = nil, closes: Bool = false
  ) {
    let entry = type.entry
    self.type = type
    self.status = status ?? entry.status
    self.detail = detail ?? entry.meaning
    self.instance = instance
    self.pointer = pointer
    self.revision = revision
    self.closes = closes
    fieldLines = []
    if let seconds = retryAfter ?? entry.retryAfter {
      fieldLines.append(literal: "Retry-After: ")
      fieldLines.append(decimal: seconds)
      fieldLines.append(literal: "\r\n")
    }
  }

  /// The same with a further header field whose value holds no line break.
  public func adding(_ name: StaticString, _ value: StaticString) -> Problem {
    var problem = self
    problem.fieldLines.append(literal: name)
    problem.fieldLines.append(literal: ": ")
    problem.fieldLines.append(literal: value)
    problem.fieldLines.append(literal: "\r\n")
    return problem
  }
}

extension Problem {
  /// The JSON document: `type title status detail instance pointer revision`, in this order, absent ones left out.
  public func json() -> [UInt8] {
    var json: [UInt8] = []
    json.reserveCapacity(256 + detail.utf8.count)
    json.append(literal: "{\"type\":\"/problems/")
    json.append(contentsOf: type.slug.utf8)
    json.append(literal: "\",\"title\":")
    json.append(jsonString: Bytes(type.title))
    json.append(literal: ",\"status\":")
    json.append(decimal: status)
    json.append(literal: ",\"detail\":")
    json.append(jsonString: Bytes(detail))
    if let instance {
      json.append(literal: ",\"instance\":")
      json.append(jsonString: Bytes(reference(instance)))
    }
    if let pointer {
      json.append(literal: ",\"pointer\":")
      json.append(jsonString: pointer.text)
    }
    if let revision {
      json.append(literal: ",\"revision\":")
      json.append(decimal: revision)
    }
    json.append(UInt8(ascii: "}"))
    return json
  }

  /// The answer: `application/problem+json`, never stored by caches, with the session's tag where it has a revision.
  public func response() -> Response {
    var response = Response(status: status, body: .bytes(json()), closes: closes)
    response.fieldLines.append(
      literal: "Content-Type: application/problem+json\r\nCache-Control: no-store\r\n")
    if let revision {
      response.fieldLines.append(literal: "ETag: \"")
      response.fieldLines.append(decimal: revision)
      response.fieldLines.append(literal: "\"\r\n")
    }
    response.fieldLines.append(contentsOf: fieldLines)
    return response
  }

  /// The answer to `request`, whose path becomes the instance where none is given.
  public func response(to request: Request) -> Response {
    var problem = self
    problem.instance = instance ?? Bytes(request.path)
    return problem.response()
  }

  /// A path as a URI reference: bytes that no URI may hold are percent-encoded, `%` stays.
  ///
  /// O(n).
  private func reference(_ path: Bytes) -> [UInt8] {
    var reference: [UInt8] = []
    reference.reserveCapacity(path.count)
    path.withUnsafeBytes { bytes in
      for byte in bytes {
        if byte > 32 && byte < 127 && !"\"<>\\^`{|}".utf8.contains(byte) {
          reference.append(byte)
        } else {
          reference.append(percentEncoded: byte)
        }
      }
    }
    return reference
  }
}

extension Array where Element == UInt8 {
  /// Appends `%XX`.
  mutating func append(percentEncoded byte: UInt8) {
    append(UInt8(ascii: "%"))
    append(hex: byte)
  }

  /// Appends a byte as two upper-case hexadecimal digits.
  mutating func append(hex byte: UInt8) {
    let digits: StaticString = "0123456789ABCDEF"
    append(digits.buffer[Int(byte >> 4)])
    append(digits.buffer[Int(byte & 15)])
  }
}

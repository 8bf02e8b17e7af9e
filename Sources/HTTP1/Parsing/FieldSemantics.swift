/// What the fields of a head say about the request's framing and the connection (RFC 9112 §6, §9.3).
///
/// Fields are taken one by one; a fault that one field shows, alone or beside those before it, is thrown with it.
/// Everything is read so that no other reader of the same bytes can see another end of the body.
struct FieldSemantics: Sendable {
  /// How the body is delimited.
  enum Framing: Sendable {
    case none
    case length(Int)
    case chunked
  }

  private enum Expectation: Sendable {
    case none, `continue`, other
  }

  /// The first and only value of `Host`.
  private(set) var host: Range<Int>?
  private var contentLength: Int?
  private var codings = TransferCodings()
  private var expectation = Expectation.none
  private var saysClose = false
  private var saysKeepAlive = false

  /// Takes a field into account.
  @inline(__always)
  mutating func take(
    _ field: FieldLine, of input: UnsafeRawBufferPointer, minorVersion: Int
  ) throws(RequestFailure) {
    let name = input[part: field.name]
    switch name.count {
    case 4 where name.isCaseInsensitively("host"): try takeHost(field.value, of: input)
    case 6 where name.isCaseInsensitively("expect"): takeExpect(input[part: field.value])
    case 10 where name.isCaseInsensitively("connection"): takeConnection(input[part: field.value])
    case 14 where name.isCaseInsensitively("content-length"): try takeLength(input[part: field.value])
    case 17 where name.isCaseInsensitively("transfer-encoding"):
      try takeTransferEncoding(input[part: field.value], minorVersion)
    default: break
    }
  }

  private mutating func takeHost(
    _ value: Range<Int>, of input: UnsafeRawBufferPointer
  ) throws(RequestFailure) {
    guard host == nil else { throw RequestFailure(.malformed, "more than one Host field") }
    guard Authority.isValid(input[part: value]) else {
      throw RequestFailure(.malformed, "the Host field is no host with an optional port")
    }
    host = value
  }

  /// A number too large for `Int` stays the largest one: no body limit reaches it.
  private mutating func takeLength(_ value: UnsafeRawBufferPointer) throws(RequestFailure) {
    guard contentLength == nil else { throw RequestFailure(.malformed, "more than one Content-Length field") }
    guard !codings.arePresent else { throw Self.twoFramings }
    guard !value.isEmpty else { throw RequestFailure(.malformed, "an empty Content-Length") }
    var length = 0
    for byte in value {
      guard let digit = byte.decimalDigit else {
        throw RequestFailure(.malformed, "a Content-Length that is not one number of digits alone")
      }
      let (product, overflows) = length.multipliedReportingOverflow(by: 10)
      let (sum, overflowsToo) = product.addingReportingOverflow(Int(digit))
      length = overflows || overflowsToo ? .max : sum
    }
    contentLength = length
  }

  private mutating func takeTransferEncoding(
    _ value: UnsafeRawBufferPointer, _ minorVersion: Int
  ) throws(RequestFailure) {
    guard minorVersion > 0 else { throw RequestFailure(.malformed, "Transfer-Encoding in HTTP/1.0") }
    guard contentLength == nil else { throw Self.twoFramings }
    try codings.take(value)
  }

  private mutating func takeExpect(_ value: UnsafeRawBufferPointer) {
    guard expectation != .other else { return }
    expectation = value.isCaseInsensitively("100-continue") ? .continue : .other
  }

  private mutating func takeConnection(_ value: UnsafeRawBufferPointer) {
    value.forEachListElement { option in
      if option.isCaseInsensitively("close") { saysClose = true }
      if option.isCaseInsensitively("keep-alive") { saysKeepAlive = true }
    }
  }

  private static var twoFramings: RequestFailure {
    RequestFailure(.malformed, "both Content-Length and Transfer-Encoding")
  }

  /// The framing of the body, when all fields were taken and the method is one that is built here.
  func framing(minorVersion: Int, bodyLimit: Int) throws(RequestFailure) -> Framing {
    if codings.areUnknown {
      throw RequestFailure(.notImplemented, "the only transfer coding understood is chunked")
    }
    if expectation == .other, minorVersion > 0 {
      throw RequestFailure(.expectationFailed, "the only expectation that can be met is 100-continue")
    }
    if codings.arePresent { return .chunked }
    guard let contentLength, contentLength > 0 else { return .none }
    guard contentLength <= bodyLimit else {
      throw RequestFailure(.bodyTooLarge, "the body is larger than \(bodyLimit) bytes")
    }
    return .length(contentLength)
  }

  /// Whether the client waits for `100 Continue`, which HTTP/1.0 does not know (RFC 9110 §10.1.1).
  func expectsContinue(minorVersion: Int) -> Bool {
    expectation == .continue && minorVersion > 0
  }

  /// Whether the connection goes on behind the answer (RFC 9112 §9.3).
  func keepsAlive(minorVersion: Int) -> Bool {
    !saysClose && (minorVersion > 0 || saysKeepAlive)
  }
}

/// The list of transfer codings that a request names (RFC 9112 §6.1, §7).
///
/// `chunked`, once and last, is what delimits a request's body. Anywhere else, twice or with parameters it makes the
/// end of the body doubtful (§6.3, §7.1) and is malformed, as is what is no coding at all. Other codings, before
/// `chunked` or without it, are well-formed and not implemented.
struct TransferCodings: Sendable {
  /// Whether there was such a field.
  private(set) var arePresent = false
  /// Whether the list names another coding than `chunked`.
  private(set) var areUnknown = false
  private var endsChunked = false

  /// Takes the value of one field line, which goes on with the list of those before it.
  mutating func take(_ value: UnsafeRawBufferPointer) throws(RequestFailure) {
    arePresent = true
    if !endsChunked, value.isCaseInsensitively("chunked") {
      endsChunked = true
      return
    }
    try value.forEachListElement { (coding) throws(RequestFailure) in
      guard !endsChunked else { throw RequestFailure(.malformed, "chunked is not the last transfer coding") }
      var end = 0
      while end < coding.count, ByteSet.token.contains(coding[end]) { end += 1 }
      let isChunked = coding[part: 0..<end].isCaseInsensitively("chunked")
      guard end > 0,
        end == coding.count || !isChunked && Parameters.areValid(coding[part: end..<coding.count])
      else {
        throw RequestFailure(.malformed, "Transfer-Encoding is no list of transfer codings")
      }
      endsChunked = isChunked
      areUnknown = areUnknown || !isChunked
    }
  }
}

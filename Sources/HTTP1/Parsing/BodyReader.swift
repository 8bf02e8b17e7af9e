/// Reads a body as its bytes come: a counted one (RFC 9112 §6.2) or chunks with their trailer (§7.1).
struct BodyReader: Sendable {
  private enum Stage: Sendable {
    /// A counted body lacks so many bytes, one or more.
    case counted(Int)
    case chunkSize
    /// The chunk lacks so many bytes, one or more.
    case chunkData(Int)
    case chunkEnd
    case trailer
  }

  /// Digits of a chunk size, leading zeros included.
  static let chunkSizeDigits = 16
  /// Room made for a body before its bytes are there.
  private static let trustedLength = 65536

  /// The body so far.
  private(set) var bytes: [UInt8] = []
  private var stage: Stage
  private var lines = LineScanner()
  /// Bytes that chunk extensions and trailer may still take.
  private var overhead: Int

  /// A reader of a body with this framing; nil where it frames none.
  init?(_ framing: FieldSemantics.Framing, limits: RequestParser.Limits) {
    overhead = limits.headerBytes
    switch framing {
    case .none: return nil
    case .length(let count): stage = .counted(count)
    case .chunked: stage = .chunkSize
    }
  }

  /// Takes what there is of the body off the front of `rest` and says whether that was all.
  ///
  /// Costs O(bytes taken). A line that is not complete stays in `rest`.
  mutating func read(_ rest: inout UnsafeRawBufferPointer, bodyLimit: Int) throws(RequestFailure) -> Bool {
    while true {
      switch stage {
      case .counted(let missing):
        let left = takeData(missing, off: &rest)
        stage = .counted(left)
        return left == 0
      case .chunkSize:
        guard let size = try takeChunkSize(off: &rest, bodyLimit: bodyLimit) else { return false }
        stage = size > 0 ? .chunkData(size) : .trailer
      case .chunkData(let missing):
        let left = takeData(missing, off: &rest)
        stage = left > 0 ? .chunkData(left) : .chunkEnd
        if left > 0 { return false }
      case .chunkEnd:
        guard try takeChunkEnd(off: &rest) else { return false }
        stage = .chunkSize
      case .trailer:
        guard let isLast = try takeTrailerLine(off: &rest) else { return false }
        if isLast { return true }
      }
    }
  }

  /// Takes up to `missing` bytes of data and says how many then still lack.
  private mutating func takeData(_ missing: Int, off rest: inout UnsafeRawBufferPointer) -> Int {
    let count = min(missing, rest.count)
    if bytes.isEmpty { bytes.reserveCapacity(max(count, min(missing, Self.trustedLength))) }
    bytes.append(contentsOf: rest[part: 0..<count])
    rest.drop(count)
    return missing - count
  }

  /// Takes `1*HEXDIG [ chunk-ext ] CRLF`, and checks and ignores the extensions.
  private mutating func takeChunkSize(
    off rest: inout UnsafeRawBufferPointer, bodyLimit: Int
  ) throws(RequestFailure) -> Int? {
    guard
      let line = try lines.nextLine(
        in: rest, limit: Self.chunkSizeDigits + overhead + 2, tooLong: .headersTooLarge,
        "chunk extensions and trailer are too large")
    else { return nil }
    var size: UInt64 = 0
    var digits = 0
    while digits < line.count, let digit = rest[digits].hexadecimalDigit {
      guard digits < Self.chunkSizeDigits else {
        throw RequestFailure(.malformed, "a chunk size of more than \(Self.chunkSizeDigits) digits")
      }
      size = size << 4 | UInt64(digit)
      digits += 1
    }
    guard digits > 0, Parameters.areValid(rest[part: digits..<line.count]) else {
      throw RequestFailure(.malformed, "a chunk does not begin with its size in hexadecimal digits")
    }
    overhead -= line.count - digits
    guard overhead >= 0 else {
      throw RequestFailure(.headersTooLarge, "chunk extensions and trailer are too large")
    }
    guard size <= UInt64(bodyLimit - bytes.count) else {
      throw RequestFailure(.bodyTooLarge, "the body is larger than \(bodyLimit) bytes")
    }
    takeLine(off: &rest)
    return Int(size)
  }

  /// Takes the CRLF behind a chunk's data and says whether it was there.
  private func takeChunkEnd(off rest: inout UnsafeRawBufferPointer) throws(RequestFailure) -> Bool {
    guard let first = rest.first else { return false }
    guard first == .carriageReturn, rest.count == 1 || rest[1] == .lineFeed else {
      throw RequestFailure(.malformed, "a chunk's data is not followed by CRLF")
    }
    guard rest.count > 1 else { return false }
    rest.drop(2)
    return true
  }

  /// Takes a line of the trailer, checked like a header field and dropped; true for the empty one at its end.
  private mutating func takeTrailerLine(
    off rest: inout UnsafeRawBufferPointer
  ) throws(RequestFailure) -> Bool? {
    guard
      let line = try lines.nextLine(
        in: rest, limit: overhead + 2, tooLong: .headersTooLarge, "chunk extensions and trailer are too large"
      )
    else { return nil }
    if !line.isEmpty {
      _ = try FieldLine(line, of: rest)
      overhead -= lines.lineStart
      guard overhead >= 0 else {
        throw RequestFailure(.headersTooLarge, "chunk extensions and trailer are too large")
      }
    }
    takeLine(off: &rest)
    return line.isEmpty
  }

  /// Takes off the line that `lines` has just given.
  private mutating func takeLine(off rest: inout UnsafeRawBufferPointer) {
    rest.drop(lines.lineStart)
    lines.rebase()
  }
}

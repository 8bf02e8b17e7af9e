import JSONText

/// Reads one HTTP/1.1 response from bytes that may be cut anywhere (RFC 9112).
///
/// It reads what a client of one server needs: the head, and a body that is chunked, of a stated length, or as long as
/// the connection. It owns no socket and keeps only the line that is not complete yet, at most `headLimit` bytes.
public struct ResponseReader: Sendable {
  /// The most bytes that a head, or a line of a chunked body, may have.
  public static let headLimit = 65_536

  private enum Stage {
    case statusLine, fieldLine
    case length(Int)
    case untilClose
    case chunkSize
    case chunk(Int)
    case chunkEnd
    case trailer
    case complete
  }

  private var stage = Stage.statusLine
  private var line: [UInt8] = []
  private var headBytes = 0
  private var head = ResponseHead(status: 0)

  /// A reader at the start of a response.
  public init() {}

  /// Takes bytes in and gives what they complete; what follows the response is passed over; O(n).
  public mutating func read(_ bytes: ArraySlice<UInt8>) throws(ResponseFault) -> [ResponsePart] {
    var parts: [ResponsePart] = []
    var rest = bytes
    while !rest.isEmpty {
      switch stage {
      case .complete:
        return parts
      case .untilClose:
        parts.append(.body(rest))
        return parts
      case .length(let count):
        let taken = take(count, of: &rest, &parts)
        if taken == count { finish(&parts) } else { stage = .length(count - taken) }
      case .chunk(let count):
        let taken = take(count, of: &rest, &parts)
        stage = taken == count ? .chunkEnd : .chunk(count - taken)
      case .statusLine, .fieldLine, .chunkSize, .chunkEnd, .trailer:
        guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else {
          try keep(rest)
          return parts
        }
        try keep(rest[..<end])
        rest = rest[(end + 1)...]
        if line.last == UInt8(ascii: "\r") { line.removeLast() }
        let complete = line
        line.removeAll(keepingCapacity: true)
        try read(line: complete, &parts)
      }
    }
    return parts
  }

  /// The connection was closed: gives the end where the response lasts as long as that.
  public mutating func close() throws(ResponseFault) -> [ResponsePart] {
    switch stage {
    case .complete: return []
    case .untilClose:
      stage = .complete
      return [.end]
    case .statusLine where line.isEmpty:
      throw ResponseFault(message: "the connection was closed without an answer")
    default:
      throw ResponseFault(message: "the connection was closed within an answer")
    }
  }

  private mutating func keep(_ bytes: ArraySlice<UInt8>) throws(ResponseFault) {
    guard line.count + bytes.count <= Self.headLimit else {
      throw ResponseFault(message: "a line of the answer is too long")
    }
    line += bytes
  }

  private func take(_ count: Int, of rest: inout ArraySlice<UInt8>, _ parts: inout [ResponsePart]) -> Int {
    let taken = rest.prefix(count)
    parts.append(.body(taken))
    rest = rest.dropFirst(taken.count)
    return taken.count
  }

  private mutating func finish(_ parts: inout [ResponsePart]) {
    stage = .complete
    parts.append(.end)
  }

  private mutating func read(line: [UInt8], _ parts: inout [ResponsePart]) throws(ResponseFault) {
    switch stage {
    case .statusLine:
      head = ResponseHead(status: try Self.status(line))
      headBytes = 0
      stage = .fieldLine
    case .fieldLine where line.isEmpty:
      try finishHead(&parts)
    case .fieldLine:
      headBytes += line.count
      guard headBytes <= Self.headLimit else { throw ResponseFault(message: "the answer's head is too long") }
      head.fields.append(try Self.field(line))
    case .chunkSize:
      let count = try Self.chunkSize(line)
      stage = count > 0 ? .chunk(count) : .trailer
    case .chunkEnd:
      guard line.isEmpty else {
        throw ResponseFault(message: "a chunk of the answer is not as long as it says")
      }
      stage = .chunkSize
    case .trailer where line.isEmpty:
      finish(&parts)
    case .trailer:
      headBytes += line.count
      guard headBytes <= Self.headLimit else {
        throw ResponseFault(message: "the answer's trailer is too long")
      }
    case .length, .untilClose, .chunk, .complete:
      break  // these have no lines
    }
  }

  /// How long the body is (RFC 9112 §6.3); an interim response is passed over.
  private mutating func finishHead(_ parts: inout [ResponsePart]) throws(ResponseFault) {
    guard head.status >= 200 else {
      stage = .statusLine
      return
    }
    parts.append(.head(head))
    if let coding = head.first("transfer-encoding") {
      guard coding.string.lowercased() == "chunked" else {
        throw ResponseFault(message: "the answer has a transfer coding that is not understood")
      }
      stage = .chunkSize
      return
    }
    let lengths = head.fields.filter { $0.name.equals("content-length") }.map(\.value)
    guard !lengths.isEmpty || head.status == 204 || head.status == 304 else {
      stage = .untilClose
      return
    }
    let length = lengths.first.map { JSONValue(trusted: $0).integer } ?? 0
    guard let length, length >= 0, Set(lengths).count <= 1 else {
      throw ResponseFault(message: "the answer's Content-Length is no length")
    }
    stage = .length(length)
    if length == 0 || head.status == 204 || head.status == 304 { finish(&parts) }
  }

  private static func status(_ line: [UInt8]) throws(ResponseFault) -> Int {
    let digits = line.dropFirst(9).prefix(3)
    let isHTTP = line.starts(with: "HTTP/1.".utf8) && line.count >= 12 && line[8] == UInt8(ascii: " ")
    guard isHTTP, let status = Int(String(decoding: digits, as: UTF8.self)), 100...999 ~= status,
      line.count == 12 || line[12] == UInt8(ascii: " ")
    else {
      throw ResponseFault(message: "what answers does not speak HTTP/1.1")
    }
    return status
  }

  private static func field(_ line: [UInt8]) throws(ResponseFault) -> (name: Bytes, value: Bytes) {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else {
      throw ResponseFault(message: "a field of the answer has no name")
    }
    let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    let name = line[..<colon].map { 65...90 ~= $0 ? $0 | 0x20 : $0 }
    var value = line[(colon + 1)...].drop(while: isSpace)
    while let last = value.last, isSpace(last) { value.removeLast() }
    return (Bytes(name), Bytes(Array(value)))
  }

  /// The size that begins a chunk; its extensions are passed over (RFC 9112 §7.1.1).
  private static func chunkSize(_ line: [UInt8]) throws(ResponseFault) -> Int {
    let digits = line.prefix {
      $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t")
    }
    let isNumber =
      1...15 ~= digits.count && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    guard isNumber, let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) else {
      throw ResponseFault(message: "a chunk of the answer has no size")
    }
    return size
  }
}

import HTTP1
import Testing

/// What a parser made of a connection's bytes, with all that a test may ask about it.
struct Outcome: Equatable, CustomStringConvertible {
  var requests: [ParsedRequest] = []
  var failure: RequestFailure.Code?
  /// Whether the last bytes left the parser between requests.
  var isIdle = true
  /// Whether the last bytes left the parser in a body.
  var isReadingBody = false

  var description: String {
    "\(requests) failure: \(failure.map { "\($0)" } ?? "none") idle: \(isIdle) in body: \(isReadingBody)"
  }
}

/// A request as plain values.
struct ParsedRequest: Equatable, CustomStringConvertible {
  var method: Method
  var path: [UInt8]
  var query: [UInt8]?
  var authority: [UInt8]
  var minorVersion: Int
  var fields: [[UInt8]]
  var body: [UInt8]
  var hasBody: Bool
  var keepsAlive: Bool

  init(_ request: Request) {
    method = request.method
    path = request.path
    query = request.query
    authority = request.authority
    minorVersion = request.minorVersion
    fields = (0..<request.fields.count).flatMap {
      [Array(request.fields[$0].name), Array(request.fields[$0].value)]
    }
    body = request.body
    hasBody = request.hasBody
    keepsAlive = request.keepsAlive
  }

  var description: String {
    "\(method) \(text(path)) ?\(query.map(text) ?? "-") @\(text(authority)) 1.\(minorVersion) "
      + "\(fields.map(text)) body: \(hasBody) \(text(body)) keepsAlive: \(keepsAlive)"
  }
}

/// Bytes as characters, one each.
func text(_ bytes: [UInt8]) -> String {
  String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
}

/// The byte of each character, all of which are below U+0100.
func bytes(_ text: String) -> [UInt8] {
  text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
}

/// One side of a connection: keeps what the parser did not consume, as a server does.
struct Connection {
  private(set) var parser: RequestParser
  private(set) var outcome = Outcome()
  private(set) var continues = 0
  private var waiting: [UInt8] = []

  init(_ limits: RequestParser.Limits) {
    parser = RequestParser(limits: limits)
  }

  mutating func receive(_ piece: some Sequence<UInt8>) {
    waiting += piece
    while outcome.failure == nil {
      let (consumed, event) = waiting.withUnsafeBytes { parser.parse($0) }
      precondition(consumed >= 0 && consumed <= waiting.count)
      waiting.removeFirst(consumed)
      switch event {
      case .needsMore:
        outcome.isIdle = parser.isIdle
        outcome.isReadingBody = parser.isReadingBody
        return
      case .needsContinue:
        precondition(waiting.isEmpty, "a body that is there needs no 100 Continue")
        continues += 1
      case .request(let request): outcome.requests.append(ParsedRequest(request))
      case .failure(let failure): outcome.failure = failure.code
      }
    }
    outcome.isIdle = parser.isIdle
    outcome.isReadingBody = parser.isReadingBody
  }
}

let roomy = RequestParser.Limits(headerBytes: 4096, bodyBytes: 4096)

/// The outcome of `input` in one piece, after checking that each cut in two and byte by byte give the same.
func outcome(
  of input: [UInt8], limits: RequestParser.Limits = roomy, cuts: some Sequence<Int>,
  _ note: @autoclosure () -> String = "", sourceLocation: SourceLocation = #_sourceLocation
) -> Outcome {
  var whole = Connection(limits)
  whole.receive(input)
  for cut in cuts {
    var halves = Connection(limits)
    halves.receive(input[..<cut])
    halves.receive(input[cut...])
    if halves.outcome != whole.outcome {
      Issue.record(
        "cut at \(cut): \(halves.outcome), whole: \(whole.outcome) \(note()) \(text(input).debugDescription)",
        sourceLocation: sourceLocation)
    }
  }
  var dribble = Connection(limits)
  for byte in input { dribble.receive(CollectionOfOne(byte)) }
  if dribble.outcome != whole.outcome {
    Issue.record(
      "byte by byte: \(dribble.outcome), whole: \(whole.outcome) \(note()) \(text(input).debugDescription)",
      sourceLocation: sourceLocation)
  }
  return whole.outcome
}

/// The outcome of `input`, the same under every cut.
func outcome(
  of input: String, limits: RequestParser.Limits = roomy, sourceLocation: SourceLocation = #_sourceLocation
) -> Outcome {
  let input = bytes(input)
  return outcome(of: input, limits: limits, cuts: 0...input.count, sourceLocation: sourceLocation)
}

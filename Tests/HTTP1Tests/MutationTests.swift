import HTTP1
import Testing
import TestSupport

/// Valid requests with random faults: nothing crashes, and the cut never matters.
@Suite("Mutated requests")
struct MutationTests {
  private static let valid = [
    "GET /v1/sessions?limit=5 HTTP/1.1\r\nHost: localhost:8080\r\nAccept: */*\r\nPrefer: return=minimal\r\n\r\n",
    "POST http://[::1]:80/a?b HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\nhello",
    "PUT /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4;a=\"b\"\r\nwiki\r\nA\r\n0123456789\r\n0\r\nT: u\r\n\r\n",
    "OPTIONS * HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
    "\r\nDELETE /x HTTP/1.1\r\nhost:a\r\nConnection: close, x\r\nIf-Match: \"12\"\r\n\r\n",
  ]
  /// Pieces that faults are made of.
  private static let pieces = [
    "\r", "\n", "\r\n", "\r\n\r\n", " ", "\t", "\0", ":", ",", ";", "\"", "\\", "=", "0", "1", "5", "f", "%",
    "[", "]",
    "#", "?", "/", "*", "\u{80}", "\u{ff}", "\u{7f}", "Host: b\r\n", "Content-Length: 3\r\n", "chunked",
    "gzip, ",
    "Transfer-Encoding: chunked\r\n", "HTTP/1.0", "HTTP/2.0", "FOO ", "close", "Expect: x\r\n",
  ].map(bytes)

  private func mutated(_ seed: UInt64) -> (input: [UInt8], cuts: [Int]) {
    var random = Seeded(seed)
    var input: [UInt8] = []
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      input += bytes(Self.valid.randomElement(using: &random) ?? "")
    }
    for _ in 0..<Int.random(in: 0...4, using: &random) {
      let place = Int.random(in: 0...input.count, using: &random)
      let end = min(input.count, place + Int.random(in: 0...3, using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0: input.removeSubrange(place..<end)
      case 1: input.insert(contentsOf: Self.pieces.randomElement(using: &random) ?? [], at: place)
      case 2: input.replaceSubrange(place..<end, with: Self.pieces.randomElement(using: &random) ?? [])
      case 3: input.replaceSubrange(place..<end, with: [UInt8.random(in: 0...255, using: &random)])
      default: input.insert(contentsOf: input[place..<end], at: place)
      }
    }
    return (input, (0..<8).map { _ in Int.random(in: 0...input.count, using: &random) })
  }

  @Test("Mutations give the same under every cut", arguments: 0..<4)
  func mutations(round: Int) {
    var accepted = 0
    for number in 0..<15_000 {
      let seed = UInt64(round) << 32 | UInt64(number)
      let (input, cuts) = mutated(seed)
      let limits = RequestParser.Limits(
        headerBytes: number % 3 == 0 ? 150 : 4096, bodyBytes: number % 5 == 0 ? 8 : 4096)
      let result = outcome(of: input, limits: limits, cuts: cuts, "seed \(seed)")
      if result.failure == nil { accepted += 1 }
    }
    #expect(accepted > 1000 && accepted < 14_000, "both kinds must be there to compare")
  }

  @Test("Noise of every kind gives the same under every cut", arguments: 0..<2)
  func noise(round: Int) {
    for number in 0..<10_000 {
      let seed = 1 << 63 | UInt64(round) << 32 | UInt64(number)
      var random = Seeded(seed)
      let input =
        round == 0
        ? (0..<Int.random(in: 0...60, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random) }
        : (0..<Int.random(in: 0...30, using: &random)).flatMap { _ in
          Self.pieces.randomElement(using: &random) ?? []
        }
      _ = outcome(of: input, cuts: stride(from: 0, through: input.count, by: 7), "seed \(seed)")
    }
  }
}

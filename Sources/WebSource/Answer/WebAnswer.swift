import JSONText
import ListModel

/// An upstream's answer, whole.
struct WebAnswer: Sendable {
  /// The HTTP status.
  var status: Int
  /// The head's fields, in order.
  var fields: AnswerFields
  /// The body, decompressed.
  var body: [UInt8]
  /// Where it came from, behind any redirects.
  var address: WebAddress
}

/// The header fields of an answer.
struct AnswerFields: Sendable {
  private var all: [(name: Bytes, value: Bytes)] = []

  /// No fields.
  init() {}

  /// Adds a line of a head, `name: value` with or without its line end; false where it is none.
  @discardableResult
  mutating func add(line: UnsafeBufferPointer<UInt8>) -> Bool {
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > 0 else { return false }
    let value = line[(colon + 1)...].drop { $0 <= 0x20 }
    let end = value.lastIndex { $0 > 0x20 }.map { $0 + 1 } ?? value.startIndex
    all.append((Self.lowercased(line[..<colon]), Bytes(Array(value[..<end]))))
    return true
  }

  /// The first value of a field, whose name may be in any case.
  subscript(name: Bytes) -> Bytes? { values(of: name).first }

  /// All values of a field, in order.
  func values(of name: Bytes) -> [Bytes] {
    let wanted = name.withUnsafeBytes { Self.lowercased($0[...]) }
    return all.filter { $0.name == wanted }.map(\.value)
  }

  /// These fields, with those that `newer` has in their place (RFC 9111 §3.2).
  func updated(by newer: AnswerFields) -> AnswerFields {
    var result = newer
    // What describes the body as it was sent is the held body's.
    let kept: Set<Bytes> = ["content-encoding", "content-length", "content-type", "content-range"]
    result.all.removeAll { kept.contains($0.name) }
    let names = Set(result.all.map(\.name))
    result.all += all.filter { !names.contains($0.name) }
    return result
  }

  private static func lowercased(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> Bytes {
    Bytes(name.map { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") ? $0 | 0x20 : $0 })
  }
}

/// A failure with the part of the upstream's answer that caused it, which only the table's author is shown.
struct FaultyAnswer: Error, Sendable {
  var failure: UpstreamFailure
  var evidence: Bytes?
  /// Whether another attempt may help.
  var isTransient = false

  init(_ failure: UpstreamFailure, evidence: Bytes? = nil, isTransient: Bool = false) {
    self.failure = failure
    self.evidence = evidence
    self.isTransient = isTransient
  }
}

import JSONText
import ListModel

/// What a table's configuration keeps to itself, taken out of what an upstream says: some repeat what they were sent.
///
/// That is what the configuration took from the environment, and the values of the header fields that were sent, whole
/// and without the scheme before a credential. What is very short is left, for it stands in any text.
public struct Secrets: Sendable {
  private var texts: [String] = []

  /// Those of a source, with the fields of one request.
  init(_ source: HTTPDefinition, _ fields: [WebRequest.Field]) {
    self.init(source)
    for field in fields {
      let value = field.value.string
      hide([value, value.split(separator: " ").last.map(String.init) ?? ""].filter { $0.utf8.count >= 6 })
    }
  }

  /// Those of a source that stand in the addresses it asks.
  public init(_ source: HTTPDefinition) {
    let values = source.secrets.filter { $0.count >= 4 }
    hide(values.map(\.string))
    hide(
      values.map { value in
        var text: [UInt8] = []
        text.append(percentEncoding: value)
        return String(decoding: text, as: UTF8.self)
      })
  }

  /// A longer text goes before one that is a part of it.
  private mutating func hide(_ more: [String]) {
    texts = (texts + more).sorted { $0.utf8.count > $1.utf8.count }
  }

  /// The text with an ellipsis in the place of every secret.
  ///
  /// O(size × secrets).
  public func hidden(in text: String) -> String { texts.reduce(text) { $0.replacing($1, with: "…") } }

  /// The failure without secrets in what it says.
  func hidden(in faulty: FaultyAnswer) -> FaultyAnswer {
    guard !texts.isEmpty else { return faulty }
    var told = faulty
    told.failure.detail = hidden(in: faulty.failure.detail)
    told.evidence = faulty.evidence.map { Bytes(hidden(in: $0.string)) }
    return told
  }
}

import JSONText
import ListModel

extension FileItems {
  /// The elements of the array at `pointer` in one JSON text (RFC 8259).
  static func elements(
    ofArrayAt pointer: JSONPointer, in text: Bytes
  ) throws(UpstreamFailure) -> [JSONValue] {
    let document: JSONValue
    do {
      document = try JSONValue(parsing: text)
    } catch {
      let offset = text.storageRange.lowerBound + error.offset
      throw UpstreamFailure(.malformed, detail: "no strict JSON at byte \(offset): \(error.message)")
    }
    guard let array = document.value(at: pointer) else {
      throw UpstreamFailure(
        .malformed, detail: "the pointer to the items, \"\(pointer.text)\", leads nowhere")
    }
    guard array.kind == .array else {
      let place = pointer.tokens.isEmpty ? "the whole text" : "what stands at \"\(pointer.text)\""
      throw UpstreamFailure(.malformed, detail: "\(place) is no array of items but \(array.kind.phrase)")
    }
    var elements: [JSONValue] = []
    try array.forEachElement { (_, element) throws(UpstreamFailure) in
      guard elements.count < maximumCount else { throw tooMany }
      elements.append(element)
    }
    return elements
  }

  /// The values of JSON Lines: a JSON text a line, lines ended by LF or CRLF, blank ones passed over.
  static func lines(of text: Bytes) throws(UpstreamFailure) -> [JSONValue] {
    let storage = text.storage
    let end = text.storageRange.upperBound
    var start = text.storageRange.lowerBound
    var number = 1
    var values: [JSONValue] = []
    while start < end {
      let lineEnd = storage[start..<end].firstIndex(of: UInt8(ascii: "\n")) ?? end
      if !storage[start..<lineEnd].allSatisfy(FileFormat.isWhiteSpace) {
        guard values.count < maximumCount else { throw tooMany }
        do {
          values.append(try JSONValue(parsing: Bytes(sharing: storage, in: start..<lineEnd)))
        } catch {
          throw .malformed(
            line: number, "no strict JSON at byte \(error.offset) of the line: \(error.message)")
        }
      }
      start = lineEnd + 1
      number += 1
    }
    return values
  }
}

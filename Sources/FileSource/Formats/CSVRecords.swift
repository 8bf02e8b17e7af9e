import JSONText
import ListModel

/// The records of a CSV text under its header, each read as a JSON object of strings: `{"id":"1","name":"x"}`.
///
/// The text is checked once, as a whole; then only the place of each record is kept.
struct CSVRecords: Sendable {
  private let text: Bytes
  /// The columns' names as they begin the members of an object: `"name":`.
  private let keys: [[UInt8]]
  /// Where each record begins in the text's storage, which is smaller than 4 GiB.
  private var starts: [UInt32] = []

  /// Checks a text and finds its records.
  ///
  /// Where the header names several columns, blank lines are passed over; with one column a blank line is a record
  /// whose field is empty. O(size).
  ///
  /// - Throws: `upstream-malformed` with the line, from 1: no header, a column named twice, no UTF-8, faulty quotes,
  ///   a record with more or fewer fields than the header. `upstream-too-large` over `FileItems.maximumCount`.
  init(of text: Bytes) throws(UpstreamFailure) {
    self.text = text
    try Self.checkEncoding(of: text)
    var scanner = CSVScanner(text.storage, in: text.storageRange)
    keys = try Self.keys(fromHeaderIn: &scanner, of: text.storage)
    while !scanner.isAtEnd {
      let start = UInt32(scanner.position)
      guard try Self.passRecord(&scanner, columns: keys.count) else { continue }
      if starts.count == FileItems.maximumCount { throw FileItems.tooMany }
      starts.append(start)
    }
  }

  /// The number of records, the header not counted.
  var count: Int { starts.count }

  /// Bytes of memory beside the text.
  var indexBytes: Int { starts.capacity * MemoryLayout<UInt32>.stride }

  /// The record at `index`, from 0, as an object with a member for each column: O(size of the record).
  subscript(index: Int) -> JSONValue {
    var scanner = CSVScanner(text.storage, in: Int(starts[index])..<text.storageRange.upperBound)
    var object: [UInt8] = []
    for (column, key) in keys.enumerated() {
      // The whole text was checked when the records were found: no field is faulty here.
      guard let field = try? scanner.nextField() else { return .emptyObject }
      object.append(column == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
      object += key
      object.append(jsonString: Self.value(of: field, in: text.storage))
    }
    object.append(UInt8(ascii: "}"))
    return JSONValue(trusted: Bytes(object))
  }

  /// Refuses text that is no UTF-8.
  private static func checkEncoding(of text: Bytes) throws(UpstreamFailure) {
    do {
      _ = try UTF8Span(validating: text.storage.span.extracting(text.storageRange))
    } catch {
      let offset = text.storageRange.lowerBound + error.byteOffsets.lowerBound
      let line = 1 + text.storage[..<offset].count { $0 == UInt8(ascii: "\n") }
      throw .malformed(line: line, "byte \(offset) of the file is no UTF-8")
    }
  }

  /// Reads the header: a name may be empty, but none may come twice.
  private static func keys(
    fromHeaderIn scanner: inout CSVScanner, of text: [UInt8]
  ) throws(UpstreamFailure) -> [[UInt8]] {
    var keys: [[UInt8]] = []
    var names: Set<Bytes> = []
    var field = try scanner.nextField()
    if field.isBlank, field.end != .comma {
      throw .malformed(line: 1, "there is no header, the line that names the columns")
    }
    while true {
      let name = value(of: field, in: text)
      guard names.insert(name).inserted else {
        throw .malformed(line: 1, "the header names the column \"\(name)\" twice")
      }
      var key: [UInt8] = []
      key.append(jsonString: name)
      key.append(UInt8(ascii: ":"))
      keys.append(key)
      guard field.end == .comma else { return keys }
      field = try scanner.nextField()
    }
  }

  /// Passes a record and checks its number of fields; false for a blank line that is none.
  private static func passRecord(
    _ scanner: inout CSVScanner, columns: Int
  ) throws(UpstreamFailure) -> Bool {
    let line = scanner.line
    var field = try scanner.nextField()
    if field.isBlank, field.end != .comma, columns > 1 { return false }
    var count = 1
    while field.end == .comma {
      field = try scanner.nextField()
      count += 1
    }
    guard count == columns else {
      throw .malformed(
        line: line, "the record has \(count) field\(count == 1 ? "" : "s"), the header has \(columns)")
    }
    return true
  }

  /// A field's content, doubled quotes made single.
  private static func value(of field: CSVScanner.Field, in text: [UInt8]) -> Bytes {
    guard field.hasDoubledQuotes else { return Bytes(sharing: text, in: field.content) }
    var value: [UInt8] = []
    value.reserveCapacity(field.content.count)
    var isSecondQuote = false
    for byte in text[field.content] {
      isSecondQuote = byte == UInt8(ascii: "\"") && !isSecondQuote
      if !isSecondQuote { value.append(byte) }
    }
    return Bytes(value)
  }
}

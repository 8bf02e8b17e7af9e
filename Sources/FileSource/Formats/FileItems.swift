import JSONText
import ListModel

/// The raw items of a file's text, found and validated once, and read by place as often as pages are.
///
/// JSON items are slices of the text. CSV records become JSON objects only when they are asked for: a narrow record
/// under long column names would otherwise grow many times over.
package struct FileItems: Sendable {
  private enum Rows: Sendable {
    case values([JSONValue])
    case records(CSVRecords)
  }

  private let rows: Rows

  /// The most items of a file; more are refused, so that a large file of tiny items cannot fill the memory.
  static let maximumCount = 1 << 24

  /// Finds the items of a file's content.
  ///
  /// A UTF-8 byte order mark before the text is passed over. O(size).
  ///
  /// - Parameters:
  ///   - content: all bytes of the file.
  ///   - name: the file's name, whose extension decides how the content is read.
  ///   - items: the pointer to the array in a JSON text; lines and records have no use for it.
  /// - Throws: `upstream-malformed` with the place of the fault, `upstream-too-large` over `maximumCount`.
  package init(of content: [UInt8], name: String, items: JSONPointer) throws(UpstreamFailure) {
    let mark = content.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    let text = Bytes(sharing: content, in: mark..<content.count)
    switch FileFormat(extensionOf: name) ?? FileFormat(guessedFrom: text, items: items) {
    case .json: rows = .values(try Self.elements(ofArrayAt: items, in: text))
    case .jsonLines: rows = .values(try Self.lines(of: text))
    case .csv: rows = .records(try CSVRecords(of: text))
    }
  }

  /// The number of items.
  package var count: Int {
    switch rows {
    case .values(let values): values.count
    case .records(let records): records.count
    }
  }

  /// The item at `index`, from 0: O(1), for CSV O(size of the record).
  package subscript(index: Int) -> JSONValue {
    switch rows {
    case .values(let values): values[index]
    case .records(let records): records[index]
    }
  }

  /// Bytes of memory that finding the items took, beside the content.
  package var indexBytes: Int {
    switch rows {
    case .values(let values): values.capacity * MemoryLayout<JSONValue>.stride
    case .records(let records): records.indexBytes
    }
  }

  /// The failure of a file that holds more than `maximumCount` items.
  static var tooMany: UpstreamFailure {
    UpstreamFailure(
      .tooLarge, detail: "there are more than \(maximumCount) items, the most that a file may hold")
  }
}

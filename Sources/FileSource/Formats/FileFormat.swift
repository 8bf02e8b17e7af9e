import JSONText

/// How a file's text is to be read.
enum FileFormat: Equatable {
  /// One JSON text that holds an array of items.
  case json
  /// An item a line.
  case jsonLines
  /// A header line, then a record for each item.
  case csv

  /// The format that a name's extension says, whatever its case: `.json`, `.jsonl` or `.ndjson`, `.csv`; nil for any
  /// other and for none.
  init?(extensionOf name: String) {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")) else { return nil }
    switch name[name.index(after: dot)...].lowercased() {
    case "json": self = .json
    case "jsonl", "ndjson": self = .jsonLines
    case "csv": self = .csv
    default: return nil
    }
  }

  /// The format that a text's first byte speaks for, where the name says nothing.
  ///
  /// White space aside: `[` begins a JSON text, and so does `{` where the items are below its root (`items` is not
  /// empty); with the items at the root, `{` begins the first of JSON Lines. All else is CSV.
  init(guessedFrom text: Bytes, items: JSONPointer) {
    let first = text.withUnsafeBytes { bytes in
      bytes.first { !FileFormat.isWhiteSpace($0) }
    }
    switch first {
    case UInt8(ascii: "["): self = .json
    case UInt8(ascii: "{"): self = items.tokens.isEmpty ? .jsonLines : .json
    default: self = .csv
    }
  }

  /// White space of JSON (RFC 8259 §2).
  static func isWhiteSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
  }
}

import ListDiff

/// A row with a string id, as the service has them.
struct Row: ListElement, Equatable, CustomStringConvertible {
  var listID: String
  var content: Int

  init(_ id: String, content: Int = 0) {
    listID = id
    self.content = content
  }

  init(_ id: Int, content: Int = 0) {
    self.init(String(id), content: content)
  }

  func hasSameContent(as other: Row) -> Bool { content == other.content }

  var description: String { content == 0 ? listID : "\(listID)·\(content)" }
}

/// Rows of a literal like `"a b c·1"`.
func rows(_ text: String) -> [Row] {
  text.split(separator: " ").map { word in
    let parts = word.split(separator: "·")
    return Row(String(parts[0]), content: parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
  }
}

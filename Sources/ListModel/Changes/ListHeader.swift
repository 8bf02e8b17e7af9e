import JSONText

/// All that a snapshot says beside its rows.
struct ListHeader: Sendable {
  var state = Bytes.empty
  var loading: FetchKind?
  var hasNext = false
  /// The problem object; nil where the last fetch did not fail.
  var error: JSONValue?
  var selected: Bytes?
  var itemCount = 0
  var rowCount = 0
  /// The session's parameters as a JSON object.
  var params = Bytes.empty

  /// Whether a client would see the same.
  func isSame(as other: ListHeader) -> Bool {
    state == other.state && loading == other.loading && hasNext == other.hasNext
      && error?.text == other.error?.text && selected == other.selected && itemCount == other.itemCount
      && rowCount == other.rowCount && params == other.params
  }

  /// Appends `"state":…,"loading":…,"hasNext":…,"error":…`, which changes and snapshots share in this order.
  func appendProgress(to text: inout TextBuffer) {
    text.append(literal: "\"state\":")
    text.append(jsonString: state)
    text.append(literal: ",\"loading\":")
    if let loading {
      text.append(UInt8(ascii: "\""))
      text.append(literal: loading.literal)
      text.append(UInt8(ascii: "\""))
    } else {
      text.append(literal: "null")
    }
    text.append(literal: hasNext ? ",\"hasNext\":true" : ",\"hasNext\":false")
    text.append(literal: ",\"error\":")
    if let error { text.append(error.text) } else { text.append(literal: "null") }
  }

  /// Appends the selected id, or `null`.
  func appendSelected(to text: inout TextBuffer) {
    if let selected { text.append(jsonString: selected) } else { text.append(literal: "null") }
  }
}

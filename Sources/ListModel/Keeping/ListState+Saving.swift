import JSONText
import ListDiff

// A list as texts that a store keeps: now and then the whole, and for each change what its own text leaves out.
//
// Rows of a refresh that has read some of its pages are in neither: it begins again from its first page
// (protocol §7, `retry`), and `holdsPages` says where that would show.
extension ListState {
  /// The list as a JSON text, from which `init(saved:rules:)` makes it again; O(size of the rows).
  public func saved() -> Bytes {
    var text = TextBuffer(capacity: 1024 + items.count * 128)
    text.append(literal: "{\"revision\":")
    text.append(decimal: revision)
    text.append(literal: ",\"params\":")
    text.append(params)
    // All are told, for what is missing would be looked for among the items.
    text.append(literal: ",\"hasNext\":")
    text.append(literal: hasNext ? "true" : "false")
    text.append(literal: ",\"error\":")
    text.append(error?.text ?? "null")
    text.append(literal: ",\"selected\":")
    if let selected { text.append(jsonString: selected) } else { text.append(literal: "null") }
    text.append(literal: ",\"memo\":")
    appendMemo(withData: true, to: &text)
    if let edits = fetch?.edits {
      for kind in ConcurrentEdits.Kind.allCases {
        let ids = edits.ids(kind)
        if !ids.isEmpty { text.appendMember(kind.rawValue, ids) }
      }
    }
    text.append(literal: ",\"items\":[")
    var isFirst = true
    items.list.forEach(in: 0..<items.count) { item in
      if isFirst { isFirst = false } else { text.append(UInt8(ascii: ",")) }
      text.append(item.row)
    }
    text.append(literal: "]}")
    return Bytes(text.array())
  }

  /// What the list has to remember beside what clients see and its items; O(1).
  ///
  /// A command without a change may alter it: a list whose memo is another than that of its last saved text or delta
  /// is to be saved anew.
  public var memo: Bytes {
    var text = TextBuffer(capacity: 256)
    appendMemo(withData: false, to: &text)
    return Bytes(text.array())
  }

  /// What a change's own text does not tell, for `replay`; O(1), where items are hidden O(what happened to them).
  ///
  /// - Parameter outcome: what the last command or the end of a fetch came to; this list is as that left it.
  public func delta(of outcome: Outcome) -> Bytes {
    let isTransition = outcome.change?.cause == .transition
    guard let hidden = outcome.hidden?.batch else {
      var text = TextBuffer(capacity: 256)
      appendMemo(withData: isTransition, to: &text)
      return Bytes(text.array())
    }
    var text = TextBuffer(capacity: 320 + hidden.textSize)
    text.append(literal: "{\"items\":")
    hidden.appendOps(to: &text)
    text.append(literal: ",\"memo\":")
    appendMemo(withData: isTransition, to: &text)
    text.append(UInt8(ascii: "}"))
    return Bytes(text.array())
  }

  /// Whether pages are held that a saved text leaves out: restored from it, the list would read them again.
  public var holdsPages: Bool {
    fetch?.reading.hasBegunRefresh ?? false || failed?.reading.hasBegunRefresh ?? false
  }

  /// The data of a transition stands in the delta of that alone: it may be large.
  private func appendMemo(withData: Bool, to text: inout TextBuffer) {
    text.append(literal: "{\"generation\":")
    text.append(decimal: generation)
    switch mode {
    case .natural: break
    case .forced(let kind): text.appendMember("forced", Bytes(kind.rawValue))
    case .custom(let name, let data):
      text.appendMember("state", name)
      if withData {
        text.append(literal: ",\"data\":")
        text.append(data.text)
      }
    }
    if transitions != 0 {
      text.append(literal: ",\"transitions\":")
      text.append(decimal: transitions)
    }
    if hasBegun { text.append(literal: ",\"hasBegun\":true") }
    if isLoaded { text.append(literal: ",\"isLoaded\":true") }
    if place != .top {
      text.append(literal: ",\"place\":")
      place.append(to: &text)
    }
    if loadedPages != 0 {
      text.append(literal: ",\"loadedPages\":")
      text.append(decimal: loadedPages)
    }
    if let failed {
      text.append(literal: ",\"failed\":")
      failed.reading.append(to: &text)
    }
    if let fetch {
      text.append(literal: ",\"fetch\":")
      fetch.append(to: &text)
    }
    text.append(UInt8(ascii: "}"))
  }
}

extension Fetch {
  /// The kind is that of the reading; the edits are kept elsewhere.
  fileprivate func append(to text: inout TextBuffer) {
    text.append(literal: "{\"cause\":\"")
    text.append(literal: cause.literal)
    text.append(literal: "\",\"generation\":")
    text.append(decimal: generation)
    text.append(literal: ",\"name\":")
    text.append(decimal: name)
    if let startRevision {
      text.append(literal: ",\"start\":")
      text.append(decimal: startRevision)
    }
    text.append(literal: ",\"reading\":")
    reading.append(to: &text)
    text.append(UInt8(ascii: "}"))
  }
}

extension Reading {
  fileprivate var hasBegunRefresh: Bool { kind == .refresh && place != .top }

  fileprivate func append(to text: inout TextBuffer) {
    text.append(literal: "{\"kind\":\"")
    text.append(literal: kind.literal)
    text.append(UInt8(ascii: "\""))
    // A refresh keeps no pages, so it begins again.
    if kind != .refresh {
      text.append(literal: ",\"place\":")
      place.append(to: &text)
      text.append(literal: ",\"emptyPages\":")
      text.append(decimal: emptyPages)
    }
    switch extent {
    case .firstPage: break
    case .loadedPages: text.append(literal: ",\"loaded\":true")
    case .through(let id): text.appendMember("through", id)
    }
    text.append(literal: ",\"pagesAtMost\":")
    text.append(decimal: pagesAtMost)
    text.append(UInt8(ascii: "}"))
  }
}

extension Place {
  fileprivate func append(to text: inout TextBuffer) {
    text.append(literal: "{\"read\":")
    text.append(decimal: read)
    text.append(literal: ",\"pages\":")
    text.append(decimal: pages)
    if let token { text.appendMember("token", token) }
    text.append(UInt8(ascii: "}"))
  }
}

extension TextBuffer {
  /// Appends a member behind others.
  fileprivate mutating func appendMember(_ name: StaticString, _ value: Bytes) {
    append(literal: ",\"")
    append(literal: name)
    append(literal: "\":")
    append(jsonString: value)
  }

  /// Appends a list of strings as a member behind others.
  fileprivate mutating func appendMember(_ name: String, _ values: [Bytes]) {
    append(literal: ",\"")
    append(Bytes(name))
    append(literal: "\":[")
    for (index, value) in values.enumerated() {
      if index > 0 { append(UInt8(ascii: ",")) }
      append(jsonString: value)
    }
    append(UInt8(ascii: "]"))
  }
}

import JSONText

/// A row that is not data: the placeholder, or a row that a custom state brings (protocol §2).
public struct StatusRow: Sendable {
  /// Which status row this is, whatever it says: the placeholder, or the n-th row of a custom state.
  public enum Identity: Hashable, Sendable {
    case placeholder
    case custom(state: Bytes, index: Int)
  }

  /// What selecting it does.
  public enum Action: Sendable {
    case none, loadMore, retry
  }

  /// Which status row it is.
  public let identity: Identity
  /// What selecting it does.
  public let action: Action
  /// The row as it is sent.
  public let text: Bytes

  /// The placeholder row of a kind.
  ///
  /// `error` fills what the kind binds.
  init(kind: PlaceholderKind, template: StatusRowTemplate?, error: JSONValue?) {
    identity = .placeholder
    action =
      switch kind {
      case .more: .loadMore
      case .retry, .error: .retry
      default: .none
      }
    text = StatusRow.render(
      kind: Bytes(kind.rawValue), cell: template?.cell ?? kind.defaultCell, isVisible: kind != .hidden,
      isSelectable: action != .none, template: template, source: error)
  }

  /// A custom state's row.
  ///
  /// `data` is what the transition was given; `identity` says whose place it takes.
  init(state: Bytes, template: StatusRowTemplate, data: JSONValue, identity: Identity) {
    self.identity = identity
    action = .none
    text = StatusRow.render(
      kind: state, cell: template.cell ?? "Cell", isVisible: true, isSelectable: false, template: template,
      source: data)
  }

  private static func render(
    kind: Bytes, cell: Bytes, isVisible: Bool, isSelectable: Bool, template: StatusRowTemplate?,
    source: JSONValue?
  ) -> Bytes {
    var text: [UInt8] = []
    text.append(literal: "{\"placeholder\":")
    text.append(jsonString: kind)
    text.append(literal: ",\"cell\":")
    text.append(jsonString: cell)
    text.append(literal: isVisible ? ",\"visible\":true" : ",\"visible\":false")
    text.append(literal: isSelectable ? ",\"selectable\":true" : ",\"selectable\":false")
    text.append(literal: ",\"data\":")
    text.append(template?.boundData(from: source).text ?? "{}")
    if let presentation = template?.presentation {
      text.append(literal: ",\"presentation\":")
      text.append(presentation.text)
    }
    text.append(UInt8(ascii: "}"))
    return Bytes(text)
  }
}

extension StatusRowTemplate {
  /// The data with its bound members filled from `source`: where they stand, else at the end; `null` where the
  /// pointer does not resolve (protocol §3).
  func boundData(from source: JSONValue?) -> JSONValue {
    guard !bind.isEmpty else { return data }
    var text: [UInt8] = [UInt8(ascii: "{")]
    func add(_ name: Bytes, _ value: JSONValue) {
      if text.count > 1 { text.append(UInt8(ascii: ",")) }
      text.append(jsonString: name)
      text.append(UInt8(ascii: ":"))
      text.append(value.text)
    }
    func bound(_ pointer: JSONPointer) -> JSONValue {
      source?.value(at: pointer)?.minified() ?? .null
    }
    var rest = bind
    data.forEachMember { name, value in
      if let index = rest.firstIndex(where: { $0.member == name }) {
        add(name, bound(rest.remove(at: index).pointer))
      } else {
        add(name, value)
      }
    }
    for (member, pointer) in rest { add(member, bound(pointer)) }
    text.append(UInt8(ascii: "}"))
    return JSONValue(trusted: Bytes(text))
  }
}

extension PlaceholderKind {
  /// The cell where the table names none (protocol §2).
  var defaultCell: Bytes {
    switch self {
    case .loading, .loadingMore: "LoadingCell"
    case .empty: "EmptyCell"
    case .error, .retry: "RetryCell"
    case .more: "MoreCell"
    case .end: "EndCell"
    case .hidden: "HiddenCell"
    }
  }
}

import JSONText

/// How a list of one table looks and moves, with the status rows that never differ already written.
public final class ListRules: Sendable {
  /// The table's look.
  public let look: TableLook
  /// By the kind's `ordinal`; empty where a row depends on the error.
  private let constantRows: [[StatusRow]]

  /// The rules of a look.
  public init(look: TableLook) {
    self.look = look
    constantRows = PlaceholderKind.allCases.map { kind in
      let template = look.placeholder.kinds[kind]
      guard template?.bind.isEmpty ?? true else { return [] }
      return [StatusRow(kind: kind, template: template, error: nil)]
    }
  }

  /// The one row of a placeholder that is there.
  func placeholder(_ kind: PlaceholderKind, error: JSONValue?) -> [StatusRow] {
    let constant = constantRows[kind.ordinal]
    guard constant.isEmpty else { return constant }
    return [StatusRow(kind: kind, template: look.placeholder.kinds[kind], error: error)]
  }

  /// The status rows that a custom state brings (protocol §3).
  func rows(ofState name: Bytes, data: JSONValue) -> [StatusRow] {
    let templates = look.states[name]?.rows ?? []
    guard look.placeholder.mode == .resident else {
      return templates.enumerated().map { index, template in
        StatusRow(state: name, template: template, data: data, identity: .custom(state: name, index: index))
      }
    }
    return templates.first.map { [StatusRow(state: name, template: $0, data: data, identity: .placeholder)] }
      ?? placeholder(.hidden, error: nil)
  }
}

/// What a command needs to know of the world: the configuration as it is now.
public struct ListContext: Sendable {
  /// Whether the rows come from clients.
  public var isClient: Bool
  /// The most items that a session holds.
  public var itemsPerSession: Int
  /// The most bytes of a row's minified data.
  public var rowBytes: Int
  /// The table's parameters.
  public var params: [ParameterDefinition]

  /// A context of these values.
  public init(
    isClient: Bool, itemsPerSession: Int = 100_000, rowBytes: Int = 65_536, params: [ParameterDefinition] = []
  ) {
    self.isClient = isClient
    self.itemsPerSession = itemsPerSession
    self.rowBytes = rowBytes
    self.params = params
  }
}

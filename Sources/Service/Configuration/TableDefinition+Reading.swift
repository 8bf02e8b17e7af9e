import JSONText
import ListModel

/// What a table takes from around it.
struct TableContext {
  /// Where relative paths start: the folder of the configuration file, absolute, with a `/` at its end.
  let folder: String
  /// `limits.idleSeconds`, for tables that do not say.
  let idleSeconds: Int
}

/// What a table's source takes from around it.
struct SourceContext {
  /// Where relative paths start.
  let folder: String
  /// The names of the table's parameters, also of those that are wrong inside.
  let parameters: [Bytes]
}

extension TableDefinition {
  /// Reads an entry of `tables`.
  init?(_ name: Bytes, _ value: ConfigurationValue, _ context: TableContext) {
    guard value.check(name, NameRule.table) else { return nil }
    let table: TableDefinition? = value.object { table in
      let title = table["title"]?.string() ?? name
      let params = table["params"]
      let sourceContext = SourceContext(folder: context.folder, parameters: params?.memberNames ?? [])
      let client = SourceDefinition.client(timeoutSeconds: nil)
      let source = table["source"].map { SourceDefinition($0, sourceContext) ?? client } ?? client
      let isClient = if case .client = source { true } else { false }
      return TableDefinition(
        name: name, title: title, source: source,
        params: params?.entries(of: "parameters", ParameterDefinition.init)?.map(\.value) ?? [],
        pageSize: table["pageSize"]?.integer(in: 1...1_000_000) ?? 20,
        maxItems: table["maxItems"]?.integer(in: Limits.count),
        idleSeconds: table["idleSeconds"]?.integer(in: Limits.idle) ?? (isClient ? 0 : context.idleSeconds),
        look: TableLook(&table, isClient: isClient))
    }
    guard let table else { return nil }
    self = table
  }
}

extension ParameterDefinition {
  /// Reads an entry of `params`; its name may stand in braces in an address.
  fileprivate init?(_ name: Bytes, _ value: ConfigurationValue) {
    guard value.check(name, NameRule(noun: "parameter", maximumLength: 128, forbidden: "{}")) else {
      return nil
    }
    let parameter: ParameterDefinition? = value.object { parameter in
      let maxLength = parameter["maxLength"]?.integer(in: Limits.count)
      let standard = parameter["default"]
      let text = standard?.string()
      if let text, let maxLength {
        let length = text.string.unicodeScalars.count
        if length > maxLength {
          standard?.report("is \(length) code points long", right: "maxLength, \(maxLength), at most")
        }
      }
      return ParameterDefinition(name: name, defaultValue: text, maxLength: maxLength)
    }
    guard let parameter else { return nil }
    self = parameter
  }
}

extension SourceDefinition {
  private enum Kind: String, CaseIterable {
    case client, file, http
  }

  /// Reads `source`.
  fileprivate init?(_ value: ConfigurationValue, _ context: SourceContext) {
    let source: SourceDefinition? = value.object { source in
      switch source.required("kind", right: "\"client\", \"file\" or \"http\"")?.choice(of: Kind.self) {
      case .client: return .client(timeoutSeconds: source["timeoutSeconds"]?.seconds())
      case .file: return FileDefinition(&source, folder: context.folder).map { .file($0) }
      case .http: return HTTPDefinition(&source, context).map { .http($0) }
      case nil:
        source.ignoreOthers()
        return nil
      }
    }
    guard let source else { return nil }
    self = source
  }
}

extension FileDefinition {
  fileprivate init?(_ source: inout ConfigurationObject, folder: String) {
    let path = source.required("path", right: "the path of a JSON, JSON Lines or CSV file")?.setting(
      Settings.path)
    let items = source["items"]?.pointer() ?? JSONPointer()
    let id = source["id"]?.pointer() ?? JSONPointer(tokens: ["id"])
    guard let path else { return nil }
    self.init(path: path.hasPrefix("/") ? path : folder + path, items: items, id: id)
  }
}

extension ConfigurationValue {
  /// The names of an object's members, as they stand.
  fileprivate var memberNames: [Bytes] {
    var names: [Bytes] = []
    if json.kind == .object { json.forEachMember { name, _ in names.append(name) } }
    return names
  }
}

import JSONText
import ListModel

extension TableLook {
  /// Reads a table's `cell`, `cells`, `placeholder`, `states`, `initialState`, `transitions` and `presentation`.
  init(_ table: inout ConfigurationObject, isClient: Bool) {
    self.init(initialState: isClient ? "empty" : "loading")
    if let value = table["cell"] {
      cell = CellRule(value) ?? cell
      texts.cell = value.json.minified()
    }
    if let value = table["cells"] {
      cells = dictionary(value.entries(of: "cells", CellDefinition.init))
      texts.cells = value.json.minified()
    }
    if let value = table["placeholder"] {
      placeholder = value.object { PlaceholderDefinition(&$0) } ?? placeholder
      texts.placeholder = value.json.minified()
    }
    var names = StateNames()
    if let value = table["states"] {
      let mode = placeholder.mode
      states = dictionary(value.entries(of: "states") { StateDefinition($0, $1, mode, &names) })
      texts.states = value.json.minified()
    }
    if let value = table["initialState"] {
      initialState = names.state(value) ?? initialState
    }
    if let value = table["transitions"] {
      transitions = dictionary(value.entries(of: "lists of states") { names.targets(from: $0, $1) })
      texts.transitions = value.json.minified()
    }
    texts.presentation = table["presentation"]?.json.minified() ?? .null
  }
}

/// The states of a table by name: the built-in ones and its own, also those that are wrong inside.
private struct StateNames {
  static let builtIn = ["loading", "empty", "error", "populated"]
  private static let reserved = Set(builtIn).union(PlaceholderKind.allCases.map(\.rawValue))
  private static let rule = NameRule(noun: "state", maximumLength: 128)

  private var all = builtIn.map { Bytes($0) }

  /// Takes a state of the table's own; false where its name may not be one.
  mutating func add(_ name: Bytes, _ value: ConfigurationValue) -> Bool {
    guard value.check(name, Self.rule) else { return false }
    guard !Self.reserved.contains(name.string) else {
      value.report("\(name.quoted) is a built-in name", right: "a name of its own")
      return false
    }
    all.append(name)
    return true
  }

  /// The state that a string names.
  func state(_ value: ConfigurationValue) -> Bytes? {
    guard let name = value.string(right: "the name of a state") else { return nil }
    return check(name, value) ? name : nil
  }

  /// The states that an entry of `transitions` lists.
  func targets(from name: Bytes, _ value: ConfigurationValue) -> [Bytes]? {
    guard check(name, value) else { return nil }
    return value.array(of: "states", state)
  }

  private func check(_ name: Bytes, _ value: ConfigurationValue) -> Bool {
    guard !all.contains(name) else { return true }
    let names = all.map(\.string)
    value.report(
      "state \(value.unknown(name, among: names))", right: "one of \(names.joined(separator: ", "))")
    return false
  }
}

extension StateDefinition {
  /// Reads an entry of `states`.
  fileprivate init?(
    _ name: Bytes, _ value: ConfigurationValue, _ mode: PlaceholderMode, _ names: inout StateNames
  ) {
    guard names.add(name, value) else { return nil }
    let state: StateDefinition? = value.object { state in
      let rows = state["rows"]
      if let rows, mode == .resident, rows.json.kind == .array, rows.json.count > 1 {
        rows.report("\(rows.json.count) rows, where the placeholder is resident", right: "one row at most")
      }
      return StateDefinition(
        showsItems: state["items"]?.bool() ?? false, isSelectable: state["selectable"]?.bool() ?? false,
        rows: rows?.array(of: "rows") { row in row.object { StatusRowTemplate(&$0, canBind: true) } } ?? [])
    }
    guard let state else { return nil }
    self = state
  }
}

extension PlaceholderDefinition {
  /// Reads `placeholder`.
  fileprivate init(_ placeholder: inout ConfigurationObject) {
    self.init()
    mode = placeholder["mode"]?.choice(of: PlaceholderMode.self) ?? mode
    for kind in PlaceholderKind.allCases {
      let canBind = kind == .error || kind == .retry
      kinds[kind] = placeholder[kind.rawValue]?.object { StatusRowTemplate(&$0, canBind: canBind) }
    }
  }
}

extension StatusRowTemplate {
  /// Reads a kind of the placeholder, or a row of a state; only some have something to `bind` to.
  fileprivate init(_ row: inout ConfigurationObject, canBind: Bool) {
    self.init()
    cell = row["cell"]?.name(.cell)
    data = row["data"]?.anyObject() ?? data
    if canBind { bind = row["bind"]?.memberPointers() ?? bind }
    presentation = row["presentation"]?.json.minified()
  }
}

extension CellRule {
  /// Reads `cell`: a name, or a rule.
  fileprivate init?(_ value: ConfigurationValue) {
    guard value.json.kind == .object else {
      guard let name = value.name(.cell) else { return nil }
      self = .name(name)
      return
    }
    let rule: CellRule? = value.object { rule in
      let pointer = rule.required("pointer", right: "the pointer to the member that chooses")?.pointer()
      let map = dictionary(rule["map"]?.entries(of: "cells") { $1.name(.cell) })
      let fallback = rule["default"]?.name(.cell) ?? "Cell"
      return pointer.map { .choice(pointer: $0, map: map, fallback: fallback) }
    }
    guard let rule else { return nil }
    self = rule
  }
}

extension CellDefinition {
  /// Reads an entry of `cells`.
  fileprivate init?(_ name: Bytes, _ value: ConfigurationValue) {
    guard value.check(name, .cell) else { return nil }
    let cell: CellDefinition? = value.object { cell in
      _ = cell["presentation"]
      let data = cell["data"]
      let required = cell["required"]?.entries(of: "types") { member, type in
        if let data, data.json.kind == .object, data.json.member(member) == nil {
          type.report("\(member.quoted) is required, and data does not give it", right: "a member of data")
        }
        return type.choice(of: JSONType.self)
      }
      return CellDefinition(
        projection: data?.memberPointers(),
        required: required?.map { (member: $0.name, type: $0.value) } ?? [])
    }
    guard let cell else { return nil }
    self = cell
  }
}

extension ConfigurationValue {
  /// Members of `data`, each with the pointer to where its value comes from.
  fileprivate func memberPointers() -> [(member: Bytes, pointer: JSONPointer)]? {
    entries(of: "pointers") { $1.pointer() }?.map { (member: $0.name, pointer: $0.value) }
  }
}

extension NameRule {
  /// A cell's name stands in every row.
  fileprivate static let cell = NameRule(noun: "cell", maximumLength: Item.maximumCellLength)
}

/// Entries by name; JSON has refused a name that stands twice.
private func dictionary<Value>(_ entries: [(name: Bytes, value: Value)]?) -> [Bytes: Value] {
  Dictionary(entries?.map { ($0.name, $0.value) } ?? [], uniquingKeysWith: { first, _ in first })
}

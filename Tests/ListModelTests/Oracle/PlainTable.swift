/// A table as the second model reads it: configuration.md in the plainest types there are.
struct PlainTable {
  /// A pointer's tokens, unescaped.
  typealias Pointer = [Text]

  enum Mode: String { case resident, transient, none }

  /// A status row as the configuration gives it.
  struct Template {
    var cell: Text?
    var data = PlainJSON.object([:])
    var bind: [(member: Text, pointer: Pointer)] = []
    var presentation: PlainJSON?
  }

  struct State {
    var items = false
    var selectable = false
    var rows: [Template] = []
  }

  enum Rule {
    case always(Text)
    case choice(Pointer, map: [Text: Text], fallback: Text)
  }

  struct Parameter {
    var name: Text
    var fallback: Text?
    var maxLength: Int?
  }

  var mode = Mode.resident
  var kinds: [Text: Template] = [:]
  var states: [Text: State] = [:]
  var initialState: Text = "loading"
  var transitions: [Text: [Text]] = [:]
  var rule = Rule.always("Cell")
  /// Members that a cell's data must have, with the names of their types.
  var required: [Text: [(member: Text, type: Text)]] = [:]
  var params: [Parameter] = []
  var isClient = false
  var itemsPerSession = 100_000
  var rowBytes = 65_536

  static let builtInStates: [Text] = ["loading", "empty", "error", "populated"]

  /// "One of the four built-in states, or a table's own".
  func knows(state: Text) -> Bool { PlainTable.builtInStates.contains(state) || states[state] != nil }

  /// The cell of an item that does not name one.
  func cell(for data: PlainJSON) -> Text {
    switch rule {
    case .always(let cell): cell
    case .choice(let pointer, let map, let fallback):
      data.value(at: pointer)?.text.flatMap { map[$0] } ?? fallback
    }
  }

  /// Where data is off what its cell requires, from the data's root; nil where it fits.
  func fault(in data: PlainJSON, cell: Text) -> String? {
    guard let required = required[cell], !required.isEmpty else { return nil }
    guard case .object = data else { return "" }
    for (member, type) in required {
      guard let value = data[member], value.isOf(type: type) else { return "/\(member)" }
    }
    return nil
  }
}

extension PlainJSON {
  func isOf(type: Text) -> Bool {
    switch self {
    case .null: type == "null"
    case .bool: type == "boolean"
    case .number(let number): type == "number" || type == "integer" && !number.contains { ".eE".contains($0) }
    case .string: type == "string"
    case .array: type == "array"
    case .object: type == "object"
    }
  }
}

extension PlainTable.Template {
  /// "`bind` fills members of `data` …, by JSON Pointer; what does not resolve is `null`".
  func filled(from source: PlainJSON?) -> PlainJSON {
    var result = data
    for (member, pointer) in bind { result.set(member, source?.value(at: pointer) ?? .null) }
    return result
  }
}

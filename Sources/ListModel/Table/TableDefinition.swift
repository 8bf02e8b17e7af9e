import JSONText

/// A table of the configuration (configuration.md): where rows come from and how a list of them behaves.
public struct TableDefinition: Sendable {
  /// The table's name: the key in `tables`.
  public var name: Bytes
  /// A title for people; the name where none is given.
  public var title: Bytes
  /// Where the rows come from.
  public var source: SourceDefinition
  /// Session parameters, in the order of the file.
  public var params: [ParameterDefinition]
  /// Items a page.
  public var pageSize: Int
  /// The most items that fetches read from the top; nil for no cap.
  public var maxItems: Int?
  /// Seconds without use after which a session ends; 0 for never.
  public var idleSeconds: Int
  /// What a session keeps from the moment of its creation.
  public var look: TableLook

  /// A table of these values.
  public init(
    name: Bytes, title: Bytes, source: SourceDefinition, params: [ParameterDefinition] = [],
    pageSize: Int = 20,
    maxItems: Int? = nil, idleSeconds: Int = 0, look: TableLook
  ) {
    self.name = name
    self.title = title
    self.source = source
    self.params = params
    self.pageSize = pageSize
    self.maxItems = maxItems
    self.idleSeconds = idleSeconds
    self.look = look
  }
}

/// Where a table's rows come from.
public enum SourceDefinition: Sendable {
  /// Rows come in commands. `timeoutSeconds` fails what is awaited for too long; nil: never.
  case client(timeoutSeconds: Double?)
  /// A local file.
  case file(FileDefinition)
  /// A web API.
  case http(HTTPDefinition)

  /// The value of `source.kind`.
  public var kind: Bytes {
    switch self {
    case .client: "client"
    case .file: "file"
    case .http: "http"
    }
  }
}

/// A source of kind `file`.
public struct FileDefinition: Sendable {
  /// The path, made absolute against the configuration file's folder.
  public var path: String
  /// The pointer to the array of items in a JSON text; empty for the whole.
  public var items: JSONPointer
  /// The pointer to an item's id within the item.
  public var id: JSONPointer

  /// A file source.
  public init(path: String, items: JSONPointer, id: JSONPointer) {
    self.path = path
    self.items = items
    self.id = id
  }
}

/// A session parameter of a table: a string that commands may give.
public struct ParameterDefinition: Sendable {
  /// Its name.
  public var name: Bytes
  /// Its value where none is given; nil: it must be given.
  public var defaultValue: Bytes?
  /// The most Unicode code points of a value; nil for no limit.
  public var maxLength: Int?

  /// A parameter.
  public init(name: Bytes, defaultValue: Bytes?, maxLength: Int?) {
    self.name = name
    self.defaultValue = defaultValue
    self.maxLength = maxLength
  }
}

/// How a table's list looks and moves: what a session keeps of its table although the configuration may change.
public struct TableLook: Sendable {
  /// Which cell an item gets that does not name one.
  public var cell: CellRule
  /// Cells by name.
  public var cells: [Bytes: CellDefinition]
  /// The placeholder.
  public var placeholder: PlaceholderDefinition
  /// Custom states by name.
  public var states: [Bytes: StateDefinition]
  /// The state of a session until a load has completed, items were given, or the list was entered.
  public var initialState: Bytes
  /// For states that are keys: the states to which `transition` may leave them.
  public var transitions: [Bytes: [Bytes]]
  /// The members `cell`, `cells`, `placeholder`, `states`, `transitions`, `presentation` as the file gives them
  /// (minified; `{}`, `"Cell"` or `null` where it is silent), for `GET /v1/tables/{table}`.
  public var texts: LookTexts

  /// A look of these values.
  public init(
    cell: CellRule = .name("Cell"), cells: [Bytes: CellDefinition] = [:],
    placeholder: PlaceholderDefinition = PlaceholderDefinition(), states: [Bytes: StateDefinition] = [:],
    initialState: Bytes = "loading", transitions: [Bytes: [Bytes]] = [:], texts: LookTexts = LookTexts()
  ) {
    self.cell = cell
    self.cells = cells
    self.placeholder = placeholder
    self.states = states
    self.initialState = initialState
    self.transitions = transitions
    self.texts = texts
  }
}

/// The look's members as JSON texts.
public struct LookTexts: Sendable {
  /// The cell rule: a name, or an object that chooses one.
  public var cell: JSONValue = JSONValue(trusted: "\"Cell\"")
  /// What cells show, by name.
  public var cells: JSONValue = .emptyObject
  /// The placeholder: its mode and its kinds.
  public var placeholder: JSONValue = .emptyObject
  /// The custom states, by name.
  public var states: JSONValue = .emptyObject
  /// For states that are keys, where they may be left for.
  public var transitions: JSONValue = .emptyObject
  /// Hints for clients, any JSON.
  public var presentation: JSONValue = .null

  /// The texts of a table that says nothing.
  public init() {}
}

/// Which cell draws an item.
public enum CellRule: Sendable {
  /// Always this one.
  case name(Bytes)
  /// By the string at `pointer` in the raw item: `map[string]`, else `fallback`.
  case choice(pointer: JSONPointer, map: [Bytes: Bytes], fallback: Bytes)
}

/// What a cell shows.
public struct CellDefinition: Sendable {
  /// The members of the projected data and where each comes from in the raw item; nil: the whole item.
  public var projection: [(member: Bytes, pointer: JSONPointer)]?
  /// Members that the data must have, with their JSON types.
  public var required: [(member: Bytes, type: JSONType)]

  /// A cell.
  public init(
    projection: [(member: Bytes, pointer: JSONPointer)]? = nil,
    required: [(member: Bytes, type: JSONType)] = []
  ) {
    self.projection = projection
    self.required = required
  }
}

/// A JSON type as `required` names it.
public enum JSONType: String, Sendable, CaseIterable {
  case string, number, integer, boolean, object, array, null
}

/// When the placeholder row is there.
public enum PlaceholderMode: String, Sendable, CaseIterable {
  case resident, transient, none
}

/// A table's placeholder.
public struct PlaceholderDefinition: Sendable {
  /// When the row is there.
  public var mode: PlaceholderMode
  /// How each kind looks that the table describes; the others have the protocol's defaults.
  public var kinds: [PlaceholderKind: StatusRowTemplate]

  /// A placeholder.
  public init(mode: PlaceholderMode = .resident, kinds: [PlaceholderKind: StatusRowTemplate] = [:]) {
    self.mode = mode
    self.kinds = kinds
  }
}

/// What the placeholder says (protocol §2).
public enum PlaceholderKind: String, Sendable, CaseIterable {
  case loading, empty, error, more
  case loadingMore = "loading-more"
  case retry, end, hidden

  /// Its place among `allCases`.
  var ordinal: Int {
    switch self {
    case .loading: 0
    case .empty: 1
    case .error: 2
    case .more: 3
    case .loadingMore: 4
    case .retry: 5
    case .end: 6
    case .hidden: 7
    }
  }
}

/// A status row as the configuration gives it.
public struct StatusRowTemplate: Sendable {
  /// The cell; nil: the kind's default (custom states: `Cell`).
  public var cell: Bytes?
  /// The data, an object.
  public var data: JSONValue
  /// Members of `data` and where their values come from: the error object, or the data of the transition.
  public var bind: [(member: Bytes, pointer: JSONPointer)]
  /// Hints for clients, as given; nil where there are none.
  public var presentation: JSONValue?

  /// A template.
  public init(
    cell: Bytes? = nil, data: JSONValue = .emptyObject, bind: [(member: Bytes, pointer: JSONPointer)] = [],
    presentation: JSONValue? = nil
  ) {
    self.cell = cell
    self.data = data
    self.bind = bind
    self.presentation = presentation
  }
}

/// A custom state.
public struct StateDefinition: Sendable {
  /// Whether the items are shown in it.
  public var showsItems: Bool
  /// Whether rows can be selected in it.
  public var isSelectable: Bool
  /// The status rows that it brings; at most one in mode `resident`.
  public var rows: [StatusRowTemplate]

  /// A custom state.
  public init(showsItems: Bool = false, isSelectable: Bool = false, rows: [StatusRowTemplate] = []) {
    self.showsItems = showsItems
    self.isSelectable = isSelectable
    self.rows = rows
  }
}

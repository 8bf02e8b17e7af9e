import JSONText
import ListModel

// The same table for the machine that is tested.
extension PlainTable {
  var look: TableLook {
    TableLook(
      cell: cellRule,
      cells: dictionary(required) { cell in
        CellDefinition(
          required: cell.compactMap { name, type in JSONType(rawValue: type.string).map { (name.bytes, $0) } }
        )
      },
      placeholder: PlaceholderDefinition(
        mode: PlaceholderMode(rawValue: mode.rawValue) ?? .resident,
        kinds: Dictionary(
          uniqueKeysWithValues: kinds.compactMap { name, template in
            PlaceholderKind(rawValue: name.string).map { ($0, template.look) }
          })),
      states: dictionary(states) { state in
        StateDefinition(showsItems: state.items, isSelectable: state.selectable, rows: state.rows.map(\.look))
      },
      initialState: initialState.bytes,
      transitions: dictionary(transitions) { targets in targets.map(\.bytes) })
  }

  private func dictionary<T, U>(_ entries: [Text: T], _ value: (T) -> U) -> [Bytes: U] {
    Dictionary(uniqueKeysWithValues: entries.map { ($0.bytes, value($1)) })
  }

  private var cellRule: CellRule {
    switch rule {
    case .always(let cell): .name(cell.bytes)
    case .choice(let pointer, let map, let fallback):
      .choice(
        pointer: JSONPointer(tokens: pointer.map(\.bytes)), map: dictionary(map) { $0.bytes },
        fallback: fallback.bytes)
    }
  }

  var context: ListContext {
    ListContext(
      isClient: isClient, itemsPerSession: itemsPerSession, rowBytes: rowBytes,
      params: params.map {
        ParameterDefinition(name: $0.name.bytes, defaultValue: $0.fallback?.bytes, maxLength: $0.maxLength)
      })
  }
}

extension PlainTable.Template {
  var look: StatusRowTemplate {
    StatusRowTemplate(
      cell: cell?.bytes, data: JSONValue(trusted: Bytes(data.description)),
      bind: bind.map { ($0.bytes, JSONPointer(tokens: $1.map(\.bytes))) },
      presentation: presentation.map { JSONValue(trusted: Bytes($0.description)) })
  }
}

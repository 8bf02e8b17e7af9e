import JSONText

// `select` and `transition`.
extension ListState {
  mutating func select(_ selection: Selection, _ context: ListContext, _ step: inout Step) throws(Refusal) {
    switch selection {
    case .nothing:
      selected = nil
    case .id(let id):
      _ = try index(of: id, "id")
      guard isSelectable else {
        throw Refusal(
          .notSelectable, at: JSONPointer(tokens: ["id"]), "rows cannot be selected in this state")
      }
      selected = id
    case .row(let index):
      try select(row: index, context, &step)
    }
  }

  private mutating func select(row index: Int, _ context: ListContext, _ step: inout Step) throws(Refusal) {
    let pointer = JSONPointer(tokens: ["index"])
    let sight = self.sight
    guard index >= 0, index < sight.header.rowCount else {
      throw Refusal(
        .indexOutOfRange, at: pointer, "there are \(sight.header.rowCount) rows, counted from 0")
    }
    let shown = sight.showsItems ? items.count : 0
    if index < shown {
      guard isSelectable else {
        throw Refusal(.notSelectable, at: pointer, "rows cannot be selected in this state")
      }
      selected = items.list[index].id
      return
    }
    switch sight.statusRows[index - shown].action {
    case .none:
      throw Refusal(.notSelectable, at: pointer, "this status row does nothing when it is selected")
    case .loadMore:
      step.cause = .loadMore
      try loadMore(nil, context, &step)
    case .retry:
      try retry(nil, context, &step)
    }
  }

  mutating func transition(to target: Bytes, data: JSONValue, _ step: inout Step) throws(Refusal) {
    let pointer = JSONPointer(tokens: ["to"])
    let goal: Mode
    switch target {
    case BuiltInState.populated, BuiltInState.empty: goal = .natural
    case BuiltInState.loading: goal = .forced(.loading)
    case BuiltInState.error: goal = .forced(.error)
    default:
      guard rules.look.states[target] != nil else {
        throw Refusal(.invalidBody, at: pointer, "the table has no state of this name")
      }
      goal = .custom(name: target, data: data)
    }
    let current = stateName
    var draft = self
    draft.mode = goal
    if case .natural = goal { draft.hasBegun = true }
    switch (mode, goal) {
    case (.custom(let name, let old), .custom) where name == target:
      if old.isEqual(to: data) { return }
      mode = goal
      transitions += 1
      return
    case (_, .forced) where current == target, (.natural, .natural) where draft.stateName == current:
      return
    default: break
    }
    if let allowed = rules.look.transitions[current], !allowed.contains(target) {
      throw Refusal(
        .transitionNotAllowed, at: pointer, "the table does not let \(current.string) go to this state")
    }
    self = draft
    transitions += 1
  }
}

// Commands, and what becomes of the list by them: protocol §3 and §7.
extension PlainList {
  enum Effect: Equatable {
    case read(Place)
    case awaitClient
  }

  /// What a command did beside altering the list.
  struct Answer {
    var cause: Text
    var effect: Effect?
    var hasStarted = false
    var hasJoined = false
    /// The name of the fetch that it made void.
    var voided: Int?
    var ids: [Text]?

    init(_ cause: Text) { self.cause = cause }
  }

  /// "A refused command changes nothing at all".
  mutating func perform(_ command: PlainCommand) throws(PlainRefusal) -> Answer {
    var list = self
    var answer = Answer(command.cause)
    switch command {
    case .load(let delivery): try list.load(delivery, &answer)
    case .refresh(let immediately, let extent, let params, let delivery):
      try list.refresh(immediately: immediately, extent, params, delivery, &answer)
    case .loadMore(let delivery): try list.loadMore(delivery, &answer)
    case .retry(let delivery): try list.retry(delivery, &answer)
    case .fail(let title, let detail, let name): try list.fail(title, detail, name)
    case .edit(_, let edit): try list.apply(edit, "", &answer)
    case .batch(let edits): try list.apply(edits, &answer)
    case .selectID, .selectRow, .selectNothing: try list.select(command, &answer)
    case .transition(let state, let data): try list.transition(to: state, data)
    }
    list.conclude(since: self, &answer)
    self = list
    return answer
  }

  /// Counts the revision where anything altered, and names the fetch that was started.
  mutating func conclude(since before: PlainList, _ answer: inout Answer) {
    if let id = selected, index(of: id) == nil { selected = nil }
    let isAltered = !isUnaltered(since: before)
    if isAltered { revision += 1 }
    if answer.hasStarted {
      fetch?.name = isAltered ? revision : answer.voided ?? revision
      fetch?.start = isAltered ? revision : nil
    }
  }

  // MARK: Selecting

  private mutating func select(_ command: PlainCommand, _ answer: inout Answer) throws(PlainRefusal) {
    switch command {
    case .selectID(let id):
      guard index(of: id) != nil else { throw PlainRefusal("unknown-row", "/id") }
      guard isSelectable, showsItems else { throw PlainRefusal("not-selectable", "/id") }
      selected = id
    case .selectRow(let index):
      let rows = rows
      guard rows.indices.contains(index) else { throw PlainRefusal("index-out-of-range", "/index") }
      if case .item(let id) = rows[index].identity {
        guard isSelectable else { throw PlainRefusal("not-selectable", "/index") }
        selected = id
        return
      }
      guard rows[index].document["selectable"] == .bool(true) else {
        throw PlainRefusal("not-selectable", "/index")
      }
      if kind == "more" {
        answer.cause = "load-more"
        try loadMore(nil, &answer)
      } else {
        answer.cause = "retry"
        try retry(nil, &answer)
      }
    default: selected = nil
    }
  }

  // MARK: Transitions

  private mutating func transition(to state: Text, _ data: PlainJSON) throws(PlainRefusal) {
    guard table.knows(state: state) else { throw PlainRefusal("invalid-body", "/to") }
    let target: Entered
    switch state {
    case "populated", "empty": target = .byItself
    case "loading", "error": target = .forced(state)
    default: target = .custom(state, data)
    }
    var list = self
    list.entered = target
    if target == .byItself { list.hasBegun = true }
    // "To the same state with the same data: no change."
    switch (entered, target) {
    case (.custom(state, let present), .custom):
      if present.isSame(as: data) { return }
    case (_, .forced), (.byItself, .byItself):
      if list.state == self.state { return }
    default: break
    }
    if let allowed = table.transitions[self.state], state != self.state, !allowed.contains(state) {
      throw PlainRefusal("transition-not-allowed", "/to")
    }
    self = list
  }
}

extension PlainCommand {
  /// "The cause of the command".
  var cause: Text {
    switch self {
    case .load: "load"
    case .refresh: "refresh"
    case .loadMore: "load-more"
    case .retry: "retry"
    case .fail: "fail"
    case .edit(let name, _): name
    case .batch: "batch"
    case .selectID, .selectRow, .selectNothing: "select"
    case .transition: "transition"
    }
  }
}

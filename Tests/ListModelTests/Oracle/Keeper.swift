import JSONText
import ListModel

/// What a store would hold of a list on a walk: its last saved text, and the changes and deltas behind it.
struct Keeper {
  private let rules: ListRules
  private var saved: Bytes
  private var changes: [(text: Bytes, delta: Bytes)] = []
  /// Some changes before the saved text, which are kept for those who ask for them.
  private var older: [Bytes] = []
  private var memo: Bytes
  /// The list as the kept texts make it, change by change.
  private var twin: ListState
  private var steps = 0
  /// Whether the fetch in flight has read a page and goes on to another: how far it is, is not kept.
  private var hasPassed = false

  init(_ list: ListState) {
    rules = list.rules
    saved = list.saved()
    memo = list.memo
    twin = list
  }

  /// Keeps what a step came to.
  mutating func note(_ outcome: Outcome, _ list: ListState) throws {
    let hasStarted = outcome.fetch != nil && outcome.effect != nil
    if list.fetchInFlight == nil || hasStarted { hasPassed = false }
    if let change = outcome.change {
      let delta = list.delta(of: outcome)
      changes.append((change.text, delta))
      try twin.replay(change.text, delta: delta)
      memo = list.memo
    } else if case .read = outcome.effect, outcome.fetch == nil {
      // A page of several: nothing of it is kept.
      memo = list.memo
      hasPassed = true
    } else if list.memo != memo {
      try save(list)
    }
  }

  private mutating func save(_ list: ListState) throws {
    saved = list.saved()
    older = (older + changes.map(\.text)).suffix(20)
    changes = []
    memo = list.memo
    twin = try ListState(saved: saved, rules: rules)
  }

  /// Compares the list with what is kept of it.
  mutating func check(_ list: ListState) throws {
    steps += 1
    guard !hasPassed else { return }
    let text = list.saved().string
    guard twin.saved().string == text else {
      throw Difference("kept is    \(twin.saved().string)\nand not    \(text)")
    }
  }

  /// Every few steps, the list as it is read back from the texts; nil where that may differ: pages are held.
  mutating func restored(insteadOf list: ListState) throws -> ListState? {
    guard steps.isMultiple(of: 5), !list.holdsPages, !hasPassed else { return nil }
    var restored = try ListState(saved: saved, rules: rules)
    do {
      try restored.confirm(saved: saved)
      guard try restored.changes(before: older).map(\.text) == older else {
        throw Difference("the older changes are others")
      }
    } catch let error as DamagedText {
      throw Difference("what was kept lacks \(error.what)")
    }
    for change in changes { try restored.replay(change.text, delta: change.delta) }
    guard restored.saved().string == list.saved().string else {
      throw Difference("restored is \(restored.saved().string)\nand not     \(list.saved().string)")
    }
    if steps.isMultiple(of: 15) { try save(list) }
    return restored
  }
}

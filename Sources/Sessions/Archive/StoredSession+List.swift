import JSONText
import ListModel

/// What a store's texts about a session come to.
struct RestoredList {
  /// The list at the last revision.
  var list: ListState
  /// All changes that are kept.
  var changes: [Change] = []
  /// The size of those behind the snapshot, with what else is kept of them.
  var deltaBytes = 0
}

extension StoredSession {
  /// The list, from the snapshot through all changes behind it; O(size of both).
  func restored(_ rules: ListRules) throws(DamagedText) -> RestoredList {
    var restored = RestoredList(list: try ListState(saved: snapshot, rules: rules))
    guard restored.list.revision == snapshotRevision else {
      throw DamagedText(what: "the snapshot's revision")
    }
    for stored in changes {
      guard let change = Change(stored: stored.text), change.revision == stored.revision else {
        throw DamagedText(what: "a change")
      }
      restored.changes.append(change)
      guard change.revision > restored.list.revision else { continue }
      guard change.revision == restored.list.revision + 1 else { throw DamagedText(what: "all changes") }
      try restored.list.replay(stored.text, delta: stored.delta)
      restored.deltaBytes += stored.text.count + stored.delta.count
    }
    return restored
  }

  /// Makes sure that a session can be made of this, before a store takes it from elsewhere; O(size).
  ///
  /// - Throws: what is missing.
  public func verify(_ coding: StoreCoding) throws(DamagedText) {
    guard let look = coding.readLook(head.look) else { throw DamagedText(what: "a look") }
    let list = try restored(ListRules(look: look)).list
    let version = list.version
    var ids: Set<Bytes> = []
    for index in 0..<version.itemCount {
      let item = version.items[index]
      guard item.isWhole else { throw DamagedText(what: "rows of an id, a cell and data") }
      guard ids.insert(item.id).inserted else { throw DamagedText(what: "ids that are unique") }
    }
    let params = JSONValue(trusted: list.params)
    guard params.kind == .object, params.members.allSatisfy({ $0.value.kind == .string }) else {
      throw DamagedText(what: "parameters that are strings")
    }
    guard list.revision == state.revision else { throw DamagedText(what: "the changes up to its revision") }
    guard version.itemCount == state.itemCount, version.state == state.state else {
      throw DamagedText(what: "the number of items and the state that it is said to have")
    }
  }
}

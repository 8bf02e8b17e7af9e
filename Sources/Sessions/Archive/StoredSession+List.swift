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
  ///
  /// Nothing is trusted: every text is validated, and every change must lead to what it says. A store's file may have
  /// been damaged, and an archive may come from anywhere.
  ///
  /// - Throws: what is missing.
  func restored(_ rules: ListRules) throws(DamagedText) -> RestoredList {
    try confirmHead()
    let text = try JSONValue(kept: snapshot, "a list").text
    var restored = RestoredList(list: try ListState(saved: text, rules: rules))
    try restored.list.confirm(saved: text)
    guard restored.list.revision == snapshotRevision else { throw DamagedText(what: "the list's revision") }
    let older = changes.prefix { $0.revision <= snapshotRevision }
    for change in older where !change.delta.isEmpty {
      _ = try JSONValue(kept: change.delta, "what belongs to a change")
    }
    restored.changes = try restored.list.changes(before: older.map(\.text))
    for stored in changes.dropFirst(older.count) {
      restored.changes.append(try restored.list.replay(stored.text, delta: stored.delta))
      restored.deltaBytes += stored.text.count + stored.delta.count
    }
    guard zip(restored.changes, changes).allSatisfy({ $0.revision == $1.revision }) else {
      throw DamagedText(what: "changes under their revisions")
    }
    let version = restored.list.version
    guard version.itemCount == state.itemCount, version.state == state.state else {
      throw DamagedText(what: "the number of items and the state that it is said to have")
    }
    return restored
  }

  private func confirmHead() throws(DamagedText) {
    guard StoredSummary(head: head, state: state).isSound else { throw DamagedText(what: "a head in order") }
    guard KeptNumber.range.contains(snapshotRevision), isWhole else { throw DamagedText(what: "all changes") }
  }

  /// Makes sure that a session can be made of this, before a store takes it from elsewhere; O(size).
  ///
  /// - Throws: what is missing.
  public func verify(_ coding: StoreCoding) throws(DamagedText) {
    guard let look = coding.readLook(head.look) else {
      throw DamagedText(what: "a look")
    }
    let list = try restored(ListRules(look: look)).list
    guard list.hasRoomForNumbers else { throw DamagedText(what: "numbers that can be counted on from") }
  }
}

extension StoredSummary {
  /// Whether the head can be told, and counted with: nothing in it is damaged beyond that.
  var isSound: Bool {
    let numbers = [
      head.sequence, head.created, head.firstRevision, state.revision, state.itemCount, state.touched,
    ]
    return numbers.allSatisfy(KeptNumber.range.contains) && !head.table.isEmpty
      && [head.session, head.table, state.state].allSatisfy(\.isUTF8)
  }
}

extension StoredRecord {
  /// The answer, as whoever wrote it encodes it; nil where that is no JSON, or the time cannot be told.
  var text: JSONValue? {
    expires >= 0 ? try? JSONValue(kept: answer, "an answer") : nil
  }
}

extension StoredTombstone {
  /// Whether it can be counted with.
  var isSound: Bool { KeptNumber.range.contains(revision) && KeptNumber.range.contains(until) }
}

extension Bytes {
  fileprivate var isUTF8: Bool { String(validating: array, as: UTF8.self) != nil }
}

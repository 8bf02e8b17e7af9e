import JSONText
import ListDiff

// Whether kept texts are those that this list writes: what was changed in them, by a fault of the disk or by a hand, is
// noticed here, unless it makes another list of the same form.
//
// A text is compared with the one that the list would write now. So how changes, deltas and saved lists are written
// is part of the store's schema.
extension ListState {
  /// Makes sure that the list, read from this text, would be saved as it; O(size of the rows).
  public func confirm(saved text: Bytes) throws(DamagedText) {
    guard JSONValue(trusted: text).isEqual(to: JSONValue(trusted: saved())) else {
      throw DamagedText(what: "a list as lists are saved")
    }
    var ids: Set<ItemID> = []
    ids.reserveCapacity(items.count)
    var areSound = true
    items.list.forEach(in: 0..<items.count) { item in
      if !item.isWhole || !ids.insert(ItemID(item)).inserted { areSound = false }
    }
    guard areSound else { throw DamagedText(what: "rows of a unique id, a cell and data") }
    try confirmSight()
  }

  /// Makes sure that a change that was replayed says what the list has come to, and its delta too.
  ///
  /// - Parameters:
  ///   - batch: what it did to the items.
  ///   - before: what clients saw before it.
  /// - Returns: what caused it.
  func confirm(
    _ change: JSONValue, _ delta: JSONValue, _ batch: Batch<Item>, since before: Sight
  ) throws(DamagedText) -> Cause {
    let items = Batch<Row>(
      deletes: batch.deletes, moves: batch.moves,
      inserts: batch.inserts.map { Batch<Row>.Insert(to: $0.to, element: .item($0.element)) },
      updates: batch.updates.map { Batch<Row>.Update(from: $0.from, to: $0.to, element: .item($0.element)) })
    var again = Change(
      revision: revision, cause: try change.cause(), header: shown.header,
      paramsChanged: before.header.params != shown.header.params,
      batch: rowBatch(from: before, to: shown, items: items))
    if let tag = try change.tag() { again = again.tagged(tag) }
    guard change.isEqual(to: JSONValue(trusted: again.text)) else {
      throw DamagedText(
        what: "a change \(revision) that says what the list has come to\(change.difference(from: again.text))"
      )
    }
    var outcome = Outcome(change: again)
    if !before.showsItems || !shown.showsItems { outcome.hidden = HiddenOps(items) }
    guard delta.isEqual(to: JSONValue(trusted: self.delta(of: outcome))) else {
      throw DamagedText(what: "a change \(revision) that comes with what the list has to remember")
    }
    try confirmSight()
    return again.cause
  }

  /// Makes sure of what a list takes from a text without working it out.
  private func confirmSight() throws(DamagedText) {
    if let selected, !items.contains(selected) { throw DamagedText(what: "the item that is selected") }
    guard (error == nil) == (failed == nil) else {
      throw DamagedText(what: "an error and the fetch that failed")
    }
    try error?.confirmError()
    try JSONValue(trusted: params).confirmParams()
  }

  /// Whether the list can go on for ever with the numbers that it has: they were not counted up to the end.
  public var hasRoomForNumbers: Bool {
    let places = [place, fetch?.reading.place, failed?.reading.place].compactMap { $0 }
    return ([revision, generation, transitions, loadedPages] + places.flatMap { [$0.read, $0.pages] })
      .allSatisfy(KeptNumber.start.contains)
  }
}

extension JSONValue {
  /// The cause that a change names.
  func cause() throws(DamagedText) -> Cause {
    guard let cause = member(named: "cause")?.string.flatMap({ Cause(rawValue: $0.string) }) else {
      throw DamagedText(what: "a cause")
    }
    return cause
  }

  /// The client's mark of a change, where it has one.
  func tag() throws(DamagedText) -> Bytes? {
    guard let value = member(named: "tag") else { return nil }
    guard value.isTag else { throw DamagedText(what: "a tag of 1 to 64 of A–Z a–z 0–9 _ -") }
    return value.string
  }

  /// Whether this is a client's mark (protocol §7).
  var isTag: Bool { string?.isClientName ?? false }

  /// Makes sure that this is a problem object as a list's `error` is (protocol §6, §9).
  func confirmError() throws(DamagedText) {
    for (name, value) in members {
      let isRight =
        switch name {
        case "type", "title", "detail": value.kind == .string
        case "during": value.string.flatMap { FetchKind(rawValue: $0.string) } != nil
        case "status", "upstreamStatus", "retryAfter": value.integer.map { $0 >= 0 } ?? false
        default: false
        }
      guard isRight else { throw DamagedText(what: "an error that is a problem") }
    }
    let names = members.map(\.name)
    for name: Bytes in ["type", "title", "status", "detail", "during"] where !names.contains(name) {
      throw DamagedText(what: "an error with a \(name.string)")
    }
  }

  /// Makes sure that these are a session's parameters.
  func confirmParams() throws(DamagedText) {
    guard kind == .object, members.allSatisfy({ $0.value.kind == .string }) else {
      throw DamagedText(what: "parameters that are strings")
    }
  }

  /// Where a change's members differ from those of another, for a person.
  fileprivate func difference(from other: Bytes) -> String {
    let other = JSONValue(trusted: other)
    let names = members.map(\.name) + other.members.map(\.name)
    let name = names.first { name in
      guard let mine = member(name), let its = other.member(name) else { return true }
      return !mine.isEqual(to: its)
    }
    return name.map { " (\($0.string))" } ?? ""
  }
}

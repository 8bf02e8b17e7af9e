/// The laws of protocol §4 for the ops of one change; the first that is broken.
struct OpsLaws {
  let before: [PlainList.Row]
  let after: [PlainList.Row]
  let ops: [PlainJSON]

  func fault() -> String? {
    var deletes: [Int] = []
    var moves: [(from: Int, to: Int)] = []
    var inserts: [(to: Int, row: PlainJSON)] = []
    var updates: [(from: Int, to: Int, row: PlainJSON)] = []
    var stages: [Int] = []
    for op in ops {
      let names = op.members.map(\.name)
      switch (op["op"]?.text, op["from"]?.integer, op["to"]?.integer, op["row"]) {
      case ("delete", let from?, nil, nil) where names.count == 2:
        deletes.append(from)
        stages.append(0)
      case ("move", let from?, let to?, nil) where names.count == 3:
        moves.append((from, to))
        stages.append(1)
      case ("insert", nil, let to?, let row?) where names.count == 3:
        inserts.append((to, row))
        stages.append(2)
      case ("update", let from?, let to?, let row?) where names.count == 4:
        updates.append((from, to, row))
        stages.append(3)
      default: return "no op of the protocol: \(op)"
      }
    }
    guard stages == stages.sorted(), rise(deletes.reversed()), rise(moves.map(\.to)), rise(inserts.map(\.to)),
      rise(updates.map(\.to))
    else { return "the ops are out of order" }
    if let fault = minimalityFault(deletes, moves, inserts.map(\.to), updates.map { ($0.from, $0.to) }) {
      return fault
    }
    return literalFault(deletes, moves, inserts, updates)
  }

  private func rise(_ numbers: [Int]) -> Bool { zip(numbers, numbers.dropFirst()).allSatisfy { $0 < $1 } }

  /// "Take out every row named by a delete's or move's `from`, highest first; put moved and inserted rows in by
  /// rising `to`, both kinds together; then set updated rows at `to`".
  private func literalFault(
    _ deletes: [Int], _ moves: [(from: Int, to: Int)], _ inserts: [(to: Int, row: PlainJSON)],
    _ updates: [(from: Int, to: Int, row: PlainJSON)]
  ) -> String? {
    var rows = before.map(\.document)
    var taken: [Int: PlainJSON] = [:]
    for from in (deletes + moves.map(\.from)).sorted(by: >) {
      guard rows.indices.contains(from), taken[from] == nil else { return "from \(from) cannot be taken out" }
      taken[from] = rows.remove(at: from)
    }
    let coming = moves.map { ($0.to, taken[$0.from] ?? .null) } + inserts.map { ($0.to, $0.row) }
    for (to, row) in coming.sorted(by: { $0.0 < $1.0 }) {
      guard (0...rows.count).contains(to) else { return "to \(to) lies outside" }
      rows.insert(row, at: to)
    }
    for update in updates {
      guard rows.indices.contains(update.to) else { return "update \(update.to) lies outside" }
      rows[update.to] = update.row
    }
    return rows == after.map(\.document) ? nil : "applied to the old rows, the ops give \(rows)"
  }

  /// "No op for a row that only shifted, the fewest possible moves, never delete+insert of the same id, no update
  /// where nothing changed".
  private func minimalityFault(
    _ deletes: [Int], _ moves: [(from: Int, to: Int)], _ inserts: [Int], _ updates: [(from: Int, to: Int)]
  ) -> String? {
    let old = Dictionary(uniqueKeysWithValues: before.enumerated().map { ($1.identity, $0) })
    let new = Dictionary(uniqueKeysWithValues: after.enumerated().map { ($1.identity, $0) })
    let gone = before.indices.filter { new[before[$0].identity] == nil }
    let fresh = after.indices.filter { old[after[$0].identity] == nil }
    if deletes != gone.reversed() { return "deletes \(deletes), but \(gone) are gone" }
    if inserts != fresh { return "inserts \(inserts), but \(fresh) are new" }
    let kept = after.indices.compactMap { to in old[after[to].identity].map { (from: $0, to: to) } }
    for pair in moves + updates where old[after[safe: pair.to]?.identity ?? .placeholder] != pair.from {
      return "\(pair.from) and \(pair.to) are not the same row"
    }
    let fewest = kept.count - longestRise(kept.map(\.from))
    if moves.count != fewest { return "\(moves.count) moves, but \(fewest) are enough" }
    let changed = kept.filter { before[$0.from].document != after[$0.to].document }.map(\.to)
    return updates.map(\.to) == changed ? nil : "updates at \(updates.map(\.to)), but \(changed) differ"
  }

  /// The length of the longest increasing subsequence, by patience.
  private func longestRise(_ numbers: [Int]) -> Int {
    var tops: [Int] = []
    for number in numbers {
      var low = 0
      var high = tops.count
      while low < high {
        let middle = (low + high) / 2
        if tops[middle] < number { low = middle + 1 } else { high = middle }
      }
      if low == tops.count { tops.append(number) } else { tops[low] = number }
    }
    return tops.count
  }
}

extension Array {
  subscript(safe index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}

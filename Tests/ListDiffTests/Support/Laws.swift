import ListDiff
import Testing

/// Every law of a diff between lists whose ids are unique.
///
/// `note` tells where the lists came from.
func expectLaws(
  of batch: Batch<Row>, from old: [Row], to new: [Row], _ note: @autoclosure () -> String,
  sourceLocation: SourceLocation = #_sourceLocation
) throws {
  func expect(_ holds: Bool, _ law: String) {
    // Most runs make a million checks: `#expect` only where one fails.
    if !holds { Issue.record("\(law): \(note())", sourceLocation: sourceLocation) }
  }
  expect(try applyLiterally(batch, to: old) == new, "the ops, taken literally, give the new rows")
  var applied = old
  try batch.apply(to: &applied)
  expect(applied == new, "apply gives the new rows")
  let patch = batch.patch()
  expect(try applyLiterally(patch, to: old) == new, "the patch gives the new rows")
  expect(patch.count <= batch.count, "the patch has no more operations than the batch")
  expect(hasOrder(batch), "the ops stand in order")

  var places: [String: Int] = [:]
  for (place, row) in new.enumerated() { places[row.listID] = place }
  let kept = old.indices.compactMap { from in places[old[from].listID].map { (from: from, to: $0) } }
  let changed = kept.filter { old[$0.from].content != new[$0.to].content }
  expect(batch.deletes.count == old.count - kept.count, "one delete for each id that went")
  expect(batch.inserts.count == new.count - kept.count, "one insert for each id that came")
  expect(batch.moves.count == kept.count - longestRise(kept.map(\.to)), "the fewest possible moves")
  expect(batch.updates.count == changed.count, "one update for each change of content")
  expect(batch.updates.allSatisfy { old[$0.from].listID == $0.element.listID }, "updates name the row before")
}

/// Whether each array stands as the protocol orders it.
func hasOrder<Element>(_ batch: Batch<Element>) -> Bool {
  func rises(_ indexes: [Int]) -> Bool { zip(indexes, indexes.dropFirst()).allSatisfy { $0 < $1 } }
  return rises(batch.deletes.reversed()) && rises(batch.moves.map(\.to)) && rises(batch.inserts.map(\.to))
    && rises(batch.updates.map(\.to))
}

/// The length of a longest rising subsequence of distinct numbers: by patience sorting, itself held against
/// `longestRiseByTrial`.
func longestRise(_ numbers: [Int]) -> Int {
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

/// The same by looking at every subsequence.
func longestRiseByTrial(_ numbers: [Int]) -> Int {
  (0..<(1 << numbers.count)).reduce(0) { longest, choice in
    let chosen = numbers.indices.filter { choice >> $0 & 1 == 1 }.map { numbers[$0] }
    return zip(chosen, chosen.dropFirst()).allSatisfy { $0 < $1 } ? max(longest, chosen.count) : longest
  }
}

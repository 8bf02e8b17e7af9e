import ListDiff
import Testing
import TestSupport

@Suite("A run of batches as one")
struct CompositionTests {
  @Test("does what the batches do, one after the other", arguments: 0..<40)
  func randomRuns(seed: Int) throws {
    var generator = Seeded(seed)
    for round in 0..<60 {
      let first = generator.list(upTo: round % 15 == 14 ? 1_000 : 30)
      var lists = [first]
      for step in 0..<Int.random(in: 0...9, using: &generator) {
        let gone = first.filter { row in !lists[lists.count - 1].contains { $0.listID == row.listID } }
        lists.append(generator.edited(lists[lists.count - 1], prefix: "n\(step).", gone: gone))
      }
      try expectComposition(of: lists, "seed \(seed), round \(round)")
    }
  }

  @Test("does what two batches do, for all small lists")
  func allPairs() throws {
    let lists = selections(of: Array(0..<4), upTo: 3)
    for first in lists where first == first.sorted() {
      for second in lists {
        for third in lists {
          try expectComposition(
            of: [
              first.map { Row($0) }, second.map { Row($0, content: $0 % 2) },
              third.map { Row($0, content: $0 == 3 ? 1 : 0) },
            ], "\(first), \(second), \(third)")
        }
      }
    }
  }

  @Test("is empty for no batches and for those that undo each other")
  func undone() throws {
    let none: [Batch<Row>] = []
    #expect(Batch.composing(none, rowCountBefore: 5).isEmpty)
    #expect(Batch.composing(none, rowCountBefore: 0).isEmpty)
    let there = Batch(from: rows("a b c"), to: rows("c x b a"))
    let back = Batch(from: rows("c x b a"), to: rows("a b c"))
    #expect(Batch.composing([there, back], rowCountBefore: 3).isEmpty)
  }

  @Test("keeps no trace of what came and went, and the last content of what changed twice")
  func traces() {
    let steps = ["a b", "a x b", "a x·1 b·1", "x·2 b·2"].map(rows)
    let batches = zip(steps, steps.dropFirst()).map { Batch(from: $0, to: $1) }
    #expect(
      Batch.composing(batches, rowCountBefore: 2)
        == Batch(
          deletes: [0], inserts: [.init(to: 0, element: Row("x", content: 2))],
          updates: [.init(from: 1, to: 1, element: Row("b", content: 2))]))
    let passing = [
      Batch(from: rows("a"), to: rows("a x")), Batch(from: rows("a x"), to: rows("a")),
    ]
    #expect(Batch.composing(passing, rowCountBefore: 1).isEmpty)
  }

  @Test("knows a row that went and came again only with the rows at hand")
  func returned() {
    let batches = [
      Batch(from: rows("a b c"), to: rows("a c·1")), Batch(from: rows("a c·1"), to: rows("b a c")),
    ]
    let blind = Batch.composing(batches, rowCountBefore: 3)
    #expect(blind.deletes == [1] && blind.inserts.count == 1 && blind.updates.count == 1)
    let seeing = Batch.composing(batches, over: rows("a b c"))
    #expect(seeing == Batch(from: rows("a b c"), to: rows("b a c")))
  }

  /// Composes the diffs between neighbours of `lists` and holds the outcome against every law.
  private func expectComposition(of lists: [[Row]], _ note: @autoclosure () -> String) throws {
    func expect(_ holds: Bool, _ law: String) {
      if !holds { Issue.record("\(law): \(note())") }
    }
    let (first, last) = (lists[0], lists[lists.count - 1])
    let batches = zip(lists, lists.dropFirst()).map { Batch(from: $0, to: $1) }
    let composed = Batch.composing(batches, rowCountBefore: first.count)
    expect(try applyLiterally(composed, to: first) == last, "the composed batch gives the last rows")
    expect(try applyLiterally(composed.patch(), to: first) == last, "so does its patch")
    expect(hasOrder(composed), "its ops stand in order")
    var applied = first
    try composed.apply(to: &applied)
    expect(applied == last, "so does apply")

    // The history that counts and ops tell: which rows of the first list were never deleted, and which were updated.
    var history = first.indices.map { Trace(origin: $0) }
    for batch in batches {
      history = try applyLiterally(
        batch, to: history, make: { _ in Trace() },
        change: { kept, _ in Trace(origin: kept.origin, isUpdated: true) })
    }
    let kept = history.compactMap(\.origin)
    expect(composed.deletes.count == first.count - kept.count, "a delete for each row that went")
    expect(composed.inserts.count == last.count - kept.count, "an insert for each row that came")
    expect(composed.moves.count == kept.count - longestRise(kept), "the fewest possible moves")
    let updated = history.count { $0.isUpdated && $0.origin != nil }
    expect(composed.updates.count == updated, "an update for each old row that was updated")

    let seeing = Batch.composing(batches, over: first)
    expect(seeing == Batch(from: first, to: last), "with the rows at hand it is their diff")
  }

  private struct Trace {
    var origin: Int?
    var isUpdated = false
  }
}

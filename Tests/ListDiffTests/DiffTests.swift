import ListDiff
import Testing
import TestSupport

@Suite("The diff of two lists")
struct DiffTests {
  @Test("obeys every law on random lists and edits", arguments: 0..<40)
  func randomLists(seed: Int) throws {
    var generator = Seeded(seed)
    for round in 0..<120 {
      let old = generator.list(upTo: round % 20 == 19 ? 2_000 : 60)
      let new = generator.edited(old)
      try expectLaws(of: Batch(from: old, to: new), from: old, to: new, "seed \(seed), round \(round)")
    }
  }

  @Test("obeys every law on all permutations", arguments: 0...7)
  func allPermutations(count: Int) throws {
    let old = (0..<count).map { Row($0) }
    for order in permutations(of: Array(0..<count)) {
      if longestRise(order) != longestRiseByTrial(order) { Issue.record("the oracle is wrong: \(order)") }
      let new = order.map { Row($0, content: $0 == order.count / 2 ? 1 : 0) }
      try expectLaws(of: Batch(from: old, to: new), from: old, to: new, "\(new)")
    }
  }

  @Test("obeys every law from any small list to any other", arguments: 0...5)
  func allSelections(count: Int) throws {
    let old = (0..<count).map { Row($0) }
    for choice in selections(of: Array(0..<(count + 2)), upTo: min(5, count + 2)) {
      for changed in 0...choice.count {
        let new = choice.enumerated().map { Row($1, content: $0 < changed ? 1 : 0) }
        try expectLaws(of: Batch(from: old, to: new), from: old, to: new, "\(old) to \(new)")
      }
    }
  }

  @Test("has nothing to say about a list and itself", arguments: [0, 1, 2, 1_000])
  func identicalLists(count: Int) {
    let list = (0..<count).map { Row($0) }
    #expect(Batch(from: list, to: list).isEmpty)
    #expect(Batch(from: list, to: list) == .empty)
    #expect(Batch(from: list, to: list).patch().isEmpty)
  }

  @Test("reads as the protocol's examples do")
  func examples() {
    #expect(
      Batch(from: rows("a b c d"), to: rows("d x a c·1"))
        == Batch(
          deletes: [1], moves: [.init(from: 3, to: 0)], inserts: [.init(to: 1, element: Row("x"))],
          updates: [.init(from: 2, to: 3, element: Row("c", content: 1))]))
    #expect(Batch(from: rows("a b"), to: rows("b·1 a")).updates.map(\.from) == [1])
    #expect(Batch(from: rows("a b c"), to: rows("c b a")).moves.count == 2)
  }

  @Test("can move a row to the index that it had")
  func moveToTheSameIndex() throws {
    // Taken out, c closes the gap that a left; put back in at 1, b stands behind it.
    let batch = Batch<Row>(deletes: [0], moves: [.init(from: 1, to: 1)])
    var list = rows("a b c")
    try batch.apply(to: &list)
    #expect(list == rows("c b"))
    #expect(try applyLiterally(batch.patch(), to: rows("a b c")) == list)
    #expect(Batch<Row>(moves: [.init(from: 1, to: 1)]).patch().isEmpty)
  }

  @Test("takes any random-access collection")
  func otherCollections() throws {
    let list = (0..<50).map { Row($0) }
    let batch = Batch(from: list[10...], to: list.reversed())
    try expectLaws(of: batch, from: Array(list[10...]), to: list.reversed(), "slice to reversed")
  }

  @Test("tells ids apart whose hashes are all the same")
  func clashingHashes() {
    var generator = Seeded(1)
    for _ in 0..<200 {
      let old = generator.list(upTo: 60)
      let new = generator.edited(old)
      let clashing = Batch(from: old.map(ClashingRow.init), to: new.map(ClashingRow.init))
      let plain = Batch(from: old, to: new)
      #expect(clashing.deletes == plain.deletes && clashing.moves == plain.moves, "\(old) to \(new)")
      #expect(clashing.inserts.map(\.to) == plain.inserts.map(\.to), "\(old) to \(new)")
    }
  }

  @Test("gives a batch that fits even where ids come twice", arguments: 0..<60)
  func duplicateIDs(seed: Int) throws {
    var generator = Seeded(seed)
    for count in 0..<40 {
      let lists = [0, 1].map { _ in
        (0..<Int.random(in: 0...count, using: &generator)).map { _ in
          let id = Int.random(in: 0...(count / 2), using: &generator)
          return Row(id, content: Int.random(in: 0...1, using: &generator))
        }
      }
      let batch = Batch(from: lists[0], to: lists[1])
      #expect(try applyLiterally(batch, to: lists[0]) == lists[1], "seed \(seed), count \(count)")
      #expect(try applyLiterally(batch.patch(), to: lists[0]) == lists[1], "seed \(seed), count \(count)")
      #expect(hasOrder(batch), "seed \(seed), count \(count)")
      #expect(throws: Never.self) { try batch.validate(rowCountBefore: lists[0].count) }
    }
  }
}

/// A row whose id gives the hash table nothing to go by.
private struct ClashingRow: ListElement {
  struct ID: Hashable {
    var text: String
    func hash(into hasher: inout Hasher) {}
  }

  var row: Row
  var listID: ID { ID(text: row.listID) }
  func hasSameContent(as other: ClashingRow) -> Bool { row.hasSameContent(as: other.row) }
}

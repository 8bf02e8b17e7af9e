import ListDiff
import Testing
import TestSupport

@Suite("A batch that does not fit")
struct ValidationTests {
  typealias Ops = Batch<Row>

  static let misfits: [(Ops, String)] = [
    (Ops(deletes: [3]), "delete 0: index out of range"),
    (Ops(deletes: [-1]), "delete 0: index out of range"),
    (Ops(deletes: [Int.max, 0]), "delete 0: index out of range"),
    (Ops(deletes: [0, 1]), "delete 0: op out of order"),
    (Ops(deletes: [1, 1]), "delete 0: op out of order"),
    (Ops(moves: [.init(from: 3, to: 0)]), "move 0: index out of range"),
    (Ops(moves: [.init(from: Int.min, to: 0)]), "move 0: index out of range"),
    (Ops(moves: [.init(from: 0, to: 3)]), "move 0: index out of range"),
    (Ops(deletes: [2], moves: [.init(from: 0, to: 2)]), "move 0: index out of range"),
    (Ops(moves: [.init(from: 0, to: 1), .init(from: 1, to: 0)]), "move 1: op out of order"),
    (Ops(moves: [.init(from: 0, to: 1), .init(from: 0, to: 2)]), "move 1: row taken twice"),
    (Ops(deletes: [0], moves: [.init(from: 0, to: 1)]), "move 0: row taken twice"),
    (Ops(inserts: [.init(to: 4, element: Row("x"))]), "insert 0: index out of range"),
    (Ops(inserts: [.init(to: Int.max, element: Row("x"))]), "insert 0: index out of range"),
    (
      Ops(moves: [.init(from: 0, to: 2)], inserts: [.init(to: 2, element: Row("x"))]),
      "insert 0: place taken twice"
    ),
    (
      Ops(inserts: [.init(to: 1, element: Row("x")), .init(to: 1, element: Row("y"))]),
      "insert 1: op out of order"
    ),
    (Ops(updates: [.init(from: 0, to: 1, element: Row("a"))]), "update 0: not the same row before and after"),
    (Ops(updates: [.init(from: 9, to: 1, element: Row("a"))]), "update 0: index out of range"),
    (Ops(updates: [.init(from: 0, to: -1, element: Row("a"))]), "update 0: index out of range"),
    (
      Ops(
        inserts: [.init(to: 0, element: Row("x"))], updates: [.init(from: 0, to: 0, element: Row("a"))]),
      "update 0: not the same row before and after"
    ),
  ]

  @Test("is refused with the op at fault, and the rows stay", arguments: misfits)
  func refused(batch: Ops, words: String) {
    var list = rows("a b c")
    let error = #expect(throws: BatchError.self) { try batch.apply(to: &list) }
    #expect(error?.description == words)
    #expect(list == rows("a b c"))
    #expect(throws: BatchError.self) { try batch.validate(rowCountBefore: 3) }
  }

  @Test("is refused or does what its words say, wherever an index was bent", arguments: 0..<30)
  func bentIndexes(seed: Int) throws {
    var generator = Seeded(seed)
    for round in 0..<150 {
      let old = generator.list(upTo: 12)
      var batch = Batch(from: old, to: generator.edited(old))
      bend(&batch, rowCount: old.count, with: &generator)
      var applied = old
      do {
        try batch.apply(to: &applied)
        #expect(try applyLiterally(batch, to: old) == applied, "seed \(seed), round \(round)")
        #expect(try applyLiterally(batch.patch(), to: old) == applied, "seed \(seed), round \(round)")
      } catch is BatchError {
        #expect(applied == old, "seed \(seed), round \(round)")
      }
    }
  }

  private func bend(_ batch: inout Ops, rowCount: Int, with generator: inout Seeded) {
    let index = Int.random(in: -1...(rowCount + 2), using: &generator)
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: batch.deletes.indices.randomElement(using: &generator).map { batch.deletes[$0] = index }
    case 1: batch.moves.indices.randomElement(using: &generator).map { batch.moves[$0].from = index }
    case 2: batch.moves.indices.randomElement(using: &generator).map { batch.moves[$0].to = index }
    case 3: batch.inserts.indices.randomElement(using: &generator).map { batch.inserts[$0].to = index }
    case 4: batch.updates.indices.randomElement(using: &generator).map { batch.updates[$0].to = index }
    default: batch.updates.indices.randomElement(using: &generator).map { batch.updates[$0].from = index }
    }
  }
}

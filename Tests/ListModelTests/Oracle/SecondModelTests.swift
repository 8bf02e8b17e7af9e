import Foundation
import ListModel
import Testing

/// The list against its second model: random commands on random tables, compared after every step.
///
/// A failure prints its seed and the shortest script that shows it. `ROWCAST_SEED=N swift test --filter
/// SecondModelTests` takes the one walk of that seed again.
@Suite("The list goes the way of its second model")
struct SecondModelTests {
  /// The seed to take again, instead of all others.
  static let again = ProcessInfo.processInfo.environment["ROWCAST_SEED"].flatMap { UInt64($0) }

  static func seeds(_ range: Range<UInt64>) -> [UInt64] { again.map { [$0] } ?? Array(range) }

  @Test("on short lists of few ids", arguments: seeds(0..<64))
  func shortLists(group: UInt64) {
    let walks = Self.again == nil ? 64 : 1
    for walk in 0..<walks {
      let seed = Self.again ?? (group * 64 + UInt64(walk))
      guard take(60, seed: seed, pool: 14, rows: 4) else { return }
    }
  }

  @Test("on lists of some hundred items", arguments: seeds(100_000..<100_008))
  func longLists(seed: UInt64) { _ = take(60, seed: seed, pool: 400, rows: 90) }

  /// Commands taken with one seed; whether list and model agree to the end.
  private func take(_ commands: Int, seed: UInt64, pool: Int, rows: Int) -> Bool {
    var generator = SeededGenerator(seed: seed)
    var script = Script(
      table: .random(&generator), revision: generator.one(of: [0, 7, 1_700_000_000_000]))
    if rows > 20 { script.table.itemsPerSession = generator.one(of: [300, 100_000]) }
    var random = RandomSteps(generator: generator, pool: pool, rowsAtMost: rows)
    do {
      var walk = try Walk(script.table, revision: script.revision)
      var count = 0
      while count < commands {
        let step = random.next(walk.model)
        script.steps.append(step)
        if case .command = step { count += 1 }
        walk.isThorough = script.steps.count.isMultiple(of: 4)
        try walk.take(step)
      }
      return true
    } catch {
      Issue.record("seed \(seed): \(script.shrunk())")
      return false
    }
  }
}

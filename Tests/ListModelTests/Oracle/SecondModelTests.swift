import Foundation
import ListModel
import Testing
import TestSupport

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
      guard Self.take(60, seed: seed, pool: 14, rows: 4) else { return }
    }
  }

  @Test("on lists of some hundred items", arguments: seeds(100_000..<100_008))
  func longLists(seed: UInt64) { _ = Self.take(60, seed: seed, pool: 400, rows: 90) }

  @Test("and the walks leave nothing out")
  func coverage() {
    var seen = Coverage()
    for seed in 0..<500 as Range<UInt64> {
      guard Self.take(60, seed: seed, pool: 14, rows: 4, &seen) else { return }
    }
    #expect(Set(Refusal.Code.allCases.map(\.rawValue)).subtracting(seen.refusals) == [])
    #expect(Set(Cause.allCases.map(\.rawValue)).subtracting(seen.causes) == ["recover"])
    #expect(Coverage.pages.subtracting(seen.pages) == [])
    for mode in ["resident", "transient"] {
      let kinds = Set(PlaceholderKind.allCases.map { "\(mode) \($0.rawValue)" })
      #expect(kinds.subtracting(seen.kinds) == (mode == "resident" ? [] : ["transient hidden"]))
    }
  }

  /// Commands taken with one seed; whether list and model agree to the end.
  static func take(_ commands: Int, seed: UInt64, pool: Int, rows: Int) -> Bool {
    var seen = Coverage()
    return take(commands, seed: seed, pool: pool, rows: rows, &seen)
  }

  private static func take(
    _ commands: Int, seed: UInt64, pool: Int, rows: Int, _ seen: inout Coverage
  ) -> Bool {
    var generator = Seeded(seed)
    var script = Script(
      table: .random(&generator), revision: generator.one(of: [0, 7, 1_700_000_000_000]))
    if rows > 20 { script.table.itemsPerSession = rows * generator.one(of: [3, 1_000]) }
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
        seen.note(step, walk)
      }
      return true
    } catch {
      Issue.record("seed \(seed): \(script.shrunk())")
      return false
    }
  }
}

/// What walks have met.
private struct Coverage {
  var refusals: Set<String> = []
  var causes: Set<String> = []
  var kinds: Set<String> = []
  var pages: Set<String> = []

  /// The pages that are rare: of items that came before, that repeat, of nothing for the tenth time.
  static let pages: Set<String> = ["again", "repeats", "repeats, empty", "tenth empty"]

  mutating func note(_ step: Step, _ walk: Walk) {
    if case .page(let page, back: 0) = step, case .change = walk.last {
      if !page.again.isEmpty { pages.insert("again") }
      let isEmpty = page.items.isEmpty && page.again.isEmpty
      if page.repeats { pages.insert(isEmpty ? "repeats, empty" : "repeats") }
      if isEmpty, page.hasNext, !page.repeats, walk.model.hasNext { pages.insert("tenth empty") }
    }
    switch walk.last {
    case .refusal(let refusal): refusals.insert(refusal.code)
    case .change(let cause): causes.insert(cause.string)
    case .nothing: break
    }
    guard walk.table.mode != .none, let kind = walk.model.kind, walk.model.hasPlaceholder else { return }
    kinds.insert("\(walk.table.mode.rawValue) \(kind)")
  }
}

import JSONText
import ListModel
import Testing
import TestSupport

/// Lists far longer than the nodes of the tree that holds them, against a plain array of ids.
@Suite("A list of thousands of items")
struct LongListTests {
  @Test(
    "keeps every item in its place and findable, through growth and decay", arguments: [1, 2, 3] as [UInt64])
  func growthAndDecay(seed: UInt64) throws {
    var generator = Seeded(seed)
    var list = TestList(PlainTable(isClient: true))
    var ids: [String] = []
    var made = 0
    for round in 0..<6_000 {
      // It grows to about ten thousand in steps, and falls back in the last third.
      let isFalling = round > 4_000
      switch generator.below(isFalling ? 4 : 6) {
      case 0:
        guard let id = ids.randomElement(using: &generator) else { continue }
        let to = generator.below(ids.count)
        try list.take("move", #"{"id":"\#(id)","to":\#(to)}"#)
        ids.removeAll { $0 == id }
        ids.insert(id, at: to)
      case 1, 2, 3:
        guard !ids.isEmpty else { continue }
        let start = generator.below(ids.count)
        let end = min(ids.count, start + (isFalling ? generator.below(18) : generator.below(3)))
        try list.take("delete", #"{"indexes":[\#((start..<end).map(String.init).joined(separator: ","))]}"#)
        ids.removeSubrange(start..<end)
      default:
        let count = generator.once(in: 50) ? 300 : generator.below(9)
        let new = (0..<count).map { "i\(made + $0)" }
        made += count
        let at = generator.once(in: 3) ? ids.count : generator.below(ids.count + 1)
        let rows = new.map { #"{"id":"\#($0)","data":0}"# }.joined(separator: ",")
        try list.take("insert", #"{"rows":[\#(rows)],"at":\#(at)}"#)
        ids.insert(contentsOf: new, at: at)
      }
      if round.isMultiple(of: 500) || round == 5_999 {
        let version = list.list.version
        #expect(version.items.array.map(\.id.string) == ids, "seed \(seed), round \(round)")
        for index in ids.indices where index.isMultiple(of: 7) {
          // Only an item that is found by its id can be moved to where it stands, and then nothing alters.
          let change = try list.take("move", #"{"id":"\#(ids[index])","to":\#(index)}"#)
          #expect(change == nil, "seed \(seed), round \(round): \(ids[index])")
          #expect(version.items[index].id.string == ids[index])
        }
      }
    }
  }

  @Test("goes the way of its second model", arguments: SecondModelTests.seeds(200_000..<200_003))
  func secondModel(seed: UInt64) {
    _ = SecondModelTests.take(12, seed: seed, pool: 9_000, rows: 3_000)
  }
}

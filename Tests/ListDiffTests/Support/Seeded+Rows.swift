import TestSupport

extension Seeded {
  /// A list of up to `count` rows.
  mutating func list(upTo count: Int) -> [Row] {
    (0..<Int.random(in: 0...count, using: &self)).map { Row($0) }
  }

  /// A list that a few edits of random kinds make of `rows`.
  ///
  /// New ids begin with `prefix`, and ids that went may come again.
  mutating func edited(_ rows: [Row], prefix: String = "n", gone: [Row] = []) -> [Row] {
    var rows = rows
    var gone = gone
    for round in 0..<Int.random(in: 1...4, using: &self) {
      edit(&rows, gone: &gone, prefix: "\(prefix)\(round).")
    }
    return rows
  }

  private mutating func edit(_ rows: inout [Row], gone: inout [Row], prefix: String) {
    let range = part(of: rows)
    switch Int.random(in: 0..<13, using: &self) {
    case 0:
      rows.shuffle(using: &self)
    case 1:
      rows[range].shuffle(using: &self)
    case 2:
      rows[range].reverse()
    case 3:
      let block = Array(rows[range])
      rows.removeSubrange(range)
      rows.insert(contentsOf: block, at: Int.random(in: 0...rows.count, using: &self))
    case 4:
      rows = Array(rows[range.lowerBound...] + rows[..<range.lowerBound])
    case 5:
      gone += rows[range]
      rows.removeSubrange(range)
    case 6:
      let block = (0..<Int.random(in: 0...range.count, using: &self)).map { Row("\(prefix)\($0)") }
      rows.insert(contentsOf: block, at: range.lowerBound)
    case 7:
      for index in range { rows[index].content = Int.random(in: 0...2, using: &self) }
    case 8:
      gone += rows[range.upperBound...]
      rows.removeSubrange(range.upperBound...)
    case 9:
      let block = gone.prefix(Int.random(in: 0...5, using: &self))
      gone.removeFirst(block.count)
      rows.insert(contentsOf: block, at: range.lowerBound)
    case 10:
      gone += rows[range]
      rows.replaceSubrange(range, with: range.map { Row("\(prefix)\($0)") })
    default:
      scatter(over: &rows, gone: &gone, prefix: prefix)
    }
  }

  /// Many small edits, everywhere.
  private mutating func scatter(over rows: inout [Row], gone: inout [Row], prefix: String) {
    let rate = Int.random(in: 2...40, using: &self)
    var result: [Row] = []
    for (index, row) in rows.enumerated() {
      switch Int.random(in: 0..<rate, using: &self) {
      case 0: gone.append(row)
      case 1: result += [Row("\(prefix)\(index)"), row]
      case 2: result.append(Row(row.listID, content: Int.random(in: 0...2, using: &self)))
      case 3: result.insert(row, at: Int.random(in: 0...result.count, using: &self))
      default: result.append(row)
      }
    }
    rows = result
  }

  private mutating func part(of rows: [Row]) -> Range<Int> {
    let ends = [0, 0].map { _ in Int.random(in: 0...rows.count, using: &self) }
    return min(ends[0], ends[1])..<max(ends[0], ends[1])
  }
}

/// Every order of `items`.
func permutations<Item>(of items: [Item]) -> [[Item]] {
  if items.isEmpty { return [[]] }
  return items.indices.flatMap { index in
    var rest = items
    let first = rest.remove(at: index)
    return permutations(of: rest).map { [first] + $0 }
  }
}

/// Every order of every choice of up to `count` of `items`.
func selections<Item>(of items: [Item], upTo count: Int) -> [[Item]] {
  if count == 0 { return [[]] }
  return [[]]
    + items.indices.flatMap { index in
      var rest = items
      let first = rest.remove(at: index)
      return selections(of: rest, upTo: count - 1).map { [first] + $0 }
    }
}

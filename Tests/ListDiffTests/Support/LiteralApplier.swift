import ListDiff

/// The words of protocol §4, one after the other, over any kind of row.
///
/// It shares no code with the module, takes no short cut, and refuses whatever the words do not cover.
///
/// `make` makes a row of an inserted element, `change` one of a row and its new content.
func applyLiterally<Element, Kept>(
  _ batch: Batch<Element>, to rows: [Kept], make: (Element) -> Kept, change: (Kept, Element) -> Kept
) throws -> [Kept] {
  // "take out every row named by a delete's or move's `from`, highest first"
  var rows = rows
  let before = rows.count
  var moving: [Int: Kept] = [:]
  let named = batch.deletes + batch.moves.map(\.from)
  guard Set(named).count == named.count else { throw Misfit(words: "a row is named twice") }
  for from in named.sorted(by: >) {
    guard rows.indices.contains(from) else { throw Misfit(words: "from \(from) of \(rows.count)") }
    moving[from] = rows.remove(at: from)
  }
  // "put moved and inserted rows in by rising `to`, both kinds together"
  var arriving: [(to: Int, row: Kept)] = []
  for move in batch.moves {
    guard let row = moving[move.from] else { throw Misfit(words: "no row") }
    arriving.append((move.to, row))
  }
  for insert in batch.inserts { arriving.append((insert.to, make(insert.element))) }
  guard Set(arriving.map(\.to)).count == arriving.count else { throw Misfit(words: "a place is named twice") }
  for (to, row) in arriving.sorted(by: { $0.to < $1.to }) {
    guard (0...rows.count).contains(to) else { throw Misfit(words: "to \(to) of \(rows.count)") }
    rows.insert(row, at: to)
  }
  // "then set updated rows at `to`"
  for update in batch.updates {
    guard rows.indices.contains(update.to) else { throw Misfit(words: "update \(update.to)") }
    rows[update.to] = change(rows[update.to], update.element)
  }
  // "Always: rows before − deletes + inserts = rows after."
  guard rows.count == before - batch.deletes.count + batch.inserts.count else { throw Misfit(words: "count") }
  return rows
}

func applyLiterally<Element>(_ batch: Batch<Element>, to rows: [Element]) throws -> [Element] {
  try applyLiterally(batch, to: rows, make: { $0 }, change: { $1 })
}

/// RFC 6902 §4 on an array: "Operations are applied sequentially".
func applyLiterally<Element>(_ patch: [PatchOperation<Element>], to rows: [Element]) throws -> [Element] {
  var rows = rows
  for operation in patch {
    switch operation {
    case .remove(let index):
      guard rows.indices.contains(index) else { throw Misfit(words: "remove \(index)") }
      rows.remove(at: index)
    case .add(let index, let element):
      guard (0...rows.count).contains(index) else { throw Misfit(words: "add \(index)") }
      rows.insert(element, at: index)
    case .move(let from, let to):
      guard rows.indices.contains(from) else { throw Misfit(words: "move from \(from)") }
      let row = rows.remove(at: from)
      guard (0...rows.count).contains(to) else { throw Misfit(words: "move to \(to)") }
      rows.insert(row, at: to)
    case .replace(let index, let element):
      guard rows.indices.contains(index) else { throw Misfit(words: "replace \(index)") }
      rows[index] = element
    }
  }
  return rows
}

/// An op that the words do not cover.
struct Misfit: Error {
  var words: String
}

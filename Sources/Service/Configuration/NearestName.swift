/// The one of `names` that `written` was most likely meant to be; nil where none is near.
///
/// Names are near when they agree but for case, `-` and `_`, or when a third of their letters at most are wrong
/// (one at least), a swap of neighbours counting as one. O(names × length²), and nothing for names past 64 bytes.
func nearestName(to written: String, among names: some Sequence<String>) -> String? {
  guard written.utf8.count <= 64 else { return nil }
  let folded = foldedLetters(of: written)
  var best: (name: String, distance: Int)?
  for name in names {
    let candidate = foldedLetters(of: name)
    let distance = editDistance(folded, candidate)
    let allowed = max(1, min(folded.count, candidate.count) / 3)
    if distance <= allowed && distance < candidate.count && distance < best?.distance ?? .max {
      best = (name, distance)
    }
  }
  return best?.name
}

private func foldedLetters(of name: String) -> [UInt8] {
  Array(name.lowercased().utf8).filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
}

/// The number of inserted, deleted, replaced and swapped bytes between two names (optimal string alignment).
private func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in a.indices {
    var row = [i + 1]
    row.reserveCapacity(b.count + 1)
    for j in b.indices {
      var distance = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
      if i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j] {
        distance = min(distance, beforeLast[j - 1] + 1)
      }
      row.append(distance)
    }
    beforeLast = last
    last = row
  }
  return last[b.count]
}

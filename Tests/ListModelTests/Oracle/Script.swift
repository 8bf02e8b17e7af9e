import ListModel

/// A table and the steps that a list of it takes: what a failure is shrunk to, and printed as.
struct Script: CustomStringConvertible {
  var table: PlainTable
  var revision: Int
  var steps: [Step] = []

  /// Where the list and its second model part, taking every step; nil where they do not.
  func difference() -> (step: Int, words: String)? {
    do {
      var walk = try Walk(table, revision: revision)
      for (index, step) in steps.enumerated() {
        do { try walk.take(step) } catch { return (index, "\(error)") }
      }
      return nil
    } catch {
      return (-1, "\(error)")
    }
  }

  /// The shortest script found by leaving steps out, ever smaller groups of them, that still fails.
  func shrunk() -> Script {
    guard var best = truncated() else { return self }
    var size = best.steps.count / 2
    while size > 0 {
      var start = 0
      var isSmaller = false
      while start < best.steps.count {
        var shorter = best
        shorter.steps.removeSubrange(start..<min(start + size, best.steps.count))
        if let failing = shorter.truncated() {
          best = failing
          isSmaller = true
        } else {
          start += size
        }
      }
      if !isSmaller || size > 1 { size /= 2 }
    }
    return best
  }

  private func truncated() -> Script? {
    guard let (step, _) = difference() else { return nil }
    var script = self
    script.steps.removeSubrange((step + 1)...)
    return script
  }

  var description: String {
    var lines = ["a list from revision \(revision) of \(table)"]
    for (index, step) in steps.enumerated() { lines.append("  \(index). \(step)") }
    if let (_, words) = difference() { lines.append(words) }
    return lines.joined(separator: "\n")
  }
}

extension Step: CustomStringConvertible {
  var description: String {
    func read(_ back: Int) -> String { back == 0 ? "the latest read" : "the read \(back) before the latest" }
    switch self {
    case .command(let name, let body): return "\(name.rawValue) \(body ?? "")"
    case .page(let page, let back):
      func rows(_ items: [PlainList.Item]) -> String {
        items.map { PlainList.row($0).document.description }.joined(separator: ",")
      }
      let again = page.again.isEmpty ? "" : ", again [\(rows(page.again))]"
      return "\(read(back)) gives [\(rows(page.items))]\(again), \(page.leftOut) left out, "
        + (page.repeats ? "repeats" : "hasNext \(page.hasNext)")
    case .failure(let code, let back): return "\(read(back)) fails: \(code.rawValue)"
    }
  }
}

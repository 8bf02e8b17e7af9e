/// Which rows of two lists are the same, found by comparing neighbours first and hashing only what is left.
///
/// Most changes leave most rows where they were, so: the common head and tail are trimmed; the middle is walked
/// in step, and where it falls out of step by a few rows it is brought back; only the strays that none of this
/// paired are looked up by id. As ids are unique every pair found is the pair, whichever step finds it.
@usableFromInline
struct Pairing<Element: ListElement> {
  @usableFromInline let old: [Element]
  @usableFromInline let new: [Element]
  /// The paired rows, by rising `to`; neighbours may be split between runs.
  @usableFromInline var runs: [Run] = []
  /// Those of them whose content differs, by rising `to`.
  @usableFromInline var changed: [RowMove] = []

  /// Pairs the rows of `old` and `new`.
  ///
  /// Expected O(n); one comparison a row where little has changed.
  @inlinable
  init(old: [Element], new: [Element]) {
    self.old = old
    self.new = new
    let head = pairRun(0, 0, oldEnd: old.count, newEnd: new.count)
    var tail = 0
    var changedInTail: [RowMove] = []
    while tail < min(old.count, new.count) - head {
      let last = RowMove(from: old.count - 1 - tail, to: new.count - 1 - tail)
      guard isPair(last.from, last.to) else { break }
      if isChanged(last.from, last.to) { changedInTail.append(last) }
      tail += 1
    }

    let oldMiddle = head..<(old.count - tail)
    let newMiddle = head..<(new.count - tail)
    if !oldMiddle.isEmpty && !newMiddle.isEmpty {
      walk(oldMiddle, newMiddle)
      pairStrays(oldMiddle, newMiddle)
    }
    if tail > 0 {
      runs.append(Run(from: oldMiddle.upperBound, to: newMiddle.upperBound, count: tail))
      changed.append(contentsOf: changedInTail.reversed())
    }
  }

  /// Whether the old row at `from` and the new one at `to` are the same row.
  @inlinable
  func isPair(_ from: Int, _ to: Int) -> Bool {
    old[from].hasSameID(as: new[to])
  }

  /// Whether the row that was at `from` has other content at `to`.
  @inlinable
  func isChanged(_ from: Int, _ to: Int) -> Bool {
    !old[from].hasSameContent(as: new[to])
  }

  /// Pairs rows from `from` and `to` on for as long as they are the same, and says how many were.
  @inlinable
  mutating func pairRun(_ from: Int, _ to: Int, oldEnd: Int, newEnd: Int) -> Int {
    let limit = min(oldEnd - from, newEnd - to)
    var count = 0
    while count < limit, isPair(from + count, to + count) {
      if isChanged(from + count, to + count) {
        changed.append(RowMove(from: from + count, to: to + count))
      }
      count += 1
    }
    if count > 0 { runs.append(Run(from: from, to: to, count: count)) }
    return count
  }
}

// MARK: - Walking in step

extension Pairing {
  /// How far, in rows of both sides together, the walk looks for a way back into step.
  @inlinable static var window: Int { 5 }
  /// The most rows that the walk leaves to the strays before it looks again.
  @inlinable static var longestStride: Int { 64 }

  /// Walks two ranges side by side and pairs what it meets; runs found rise on both sides.
  ///
  /// Out of step with no way back within the window, it goes on by strides that double, so that lists with
  /// little in common cost little, and reaches back over them once it is in step again.
  @inlinable
  mutating func walk(_ oldRange: Range<Int>, _ newRange: Range<Int>) {
    var (from, to) = (oldRange.lowerBound, newRange.lowerBound)
    var (fromFloor, toFloor) = (from, to)
    var stride = 1
    while from < oldRange.upperBound && to < newRange.upperBound {
      guard let step = stepBack(from, to, oldEnd: oldRange.upperBound, newEnd: newRange.upperBound) else {
        from += stride
        to += stride
        stride = min(stride * 2, Self.longestStride)
        continue
      }
      from += step.from
      to += step.to
      while from > fromFloor, to > toFloor, isPair(from - 1, to - 1) {
        from -= 1
        to -= 1
      }
      let count = pairRun(from, to, oldEnd: oldRange.upperBound, newEnd: newRange.upperBound)
      from += count
      to += count
      (fromFloor, toFloor) = (from, to)
      stride = 1
    }
  }

  /// How many rows to pass over on each side to stand on a pair, as few as possible; nil beyond the window.
  @inlinable
  func stepBack(_ from: Int, _ to: Int, oldEnd: Int, newEnd: Int) -> (from: Int, to: Int)? {
    for distance in 0...Self.window {
      for skipped in max(0, distance - (newEnd - to - 1))...distance {
        guard from + skipped < oldEnd else { break }
        if isPair(from + skipped, to + distance - skipped) { return (skipped, distance - skipped) }
      }
    }
    return nil
  }
}

// MARK: - Strays

extension Pairing {
  /// Pairs by id what the walk over these ranges left on both sides.
  ///
  /// Expected O(strays).
  @inlinable
  mutating func pairStrays(_ oldRange: Range<Int>, _ newRange: Range<Int>) {
    let oldStrays = Self.gaps(in: oldRange, between: runs.map { $0.from..<$0.fromEnd })
    let newStrays = Self.gaps(in: newRange, between: runs.map { $0.to..<$0.toEnd })
    let oldCount = oldStrays.reduce(0) { $0 + $1.count }
    let newCount = newStrays.reduce(0) { $0 + $1.count }
    guard oldCount > 0 && newCount > 0 else { return }

    // The smaller side is held in the table, and the search ends once all of it is found: a refresh that keeps
    // the first page of a long list looks at that page.
    let runCount = runs.count
    if oldCount <= newCount {
      Self.search(for: newStrays, of: new, among: oldStrays, of: old, holding: oldCount) {
        record(Run(from: $0, to: $1, count: $2))
      }
    } else {
      Self.search(for: oldStrays, of: old, among: newStrays, of: new, holding: newCount) {
        record(Run(from: $1, to: $0, count: $2))
      }
    }
    if runs.count > runCount {
      runs.sort { $0.to < $1.to }
      changed.sort { $0.to < $1.to }
    }
  }

  /// Adds a run known to be pairs.
  @inlinable
  mutating func record(_ run: Run) {
    runs.append(run)
    for offset in 0..<run.count where isChanged(run.from + offset, run.to + offset) {
      changed.append(RowMove(from: run.from + offset, to: run.to + offset))
    }
  }

  /// Calls `found` with (held index, sought index, length) for each run that is in both sets of strays.
  ///
  /// Expected O(sought + held strays), less where all that is held is found early.
  @inlinable
  static func search(
    for soughtStrays: [Range<Int>], of sought: [Element],
    among heldStrays: [Range<Int>], of held: [Element], holding heldCount: Int,
    found: (Int, Int, Int) -> Void
  ) {
    guard let first = heldStrays.first, let last = heldStrays.last else { return }
    var table = IDTable(of: held, capacity: heldCount)
    // Held rows not paired yet; a second row of an id never is.
    var free = Bits(in: first.lowerBound..<last.upperBound)
    for index in heldStrays.joined() where table.insert(index) { free[index] = true }
    var remaining = table.count
    for strays in soughtStrays {
      var index = strays.lowerBound
      while index < strays.upperBound {
        guard remaining > 0 else { return }
        guard let match = table.index(of: sought[index]), free[match] else {
          index += 1
          continue
        }
        // Neighbours tend to stay neighbours: comparing is cheaper than looking up.
        let limit = min(strays.upperBound - index, last.upperBound - match)
        var count = 0
        repeat {
          free[match + count] = false
          count += 1
        } while count < limit && free[match + count]
          && held[match + count].hasSameID(as: sought[index + count])
        found(match, index, count)
        remaining -= count
        index += count
      }
    }
  }

  /// What of `range` lies in none of `covered`, which rise.
  @inlinable
  static func gaps(in range: Range<Int>, between covered: [Range<Int>]) -> [Range<Int>] {
    var gaps: [Range<Int>] = []
    var start = range.lowerBound
    for cover in covered {
      if start < cover.lowerBound { gaps.append(start..<cover.lowerBound) }
      start = cover.upperBound
    }
    if start < range.upperBound { gaps.append(start..<range.upperBound) }
    return gaps
  }
}

/// A set of integers in a range, a bit each.
@usableFromInline
struct Bits {
  @usableFromInline let lower: Int
  @usableFromInline var words: [UInt64]

  /// None of `range`.
  @inlinable
  init(in range: Range<Int>) {
    lower = range.lowerBound
    words = [UInt64](repeating: 0, count: (range.count + 63) / 64)
  }

  /// Whether `member`, which lies in the range, is in the set; setting it adds or removes it.
  @inlinable
  subscript(member: Int) -> Bool {
    get { words[(member - lower) / 64] & (1 << UInt64((member - lower) % 64)) != 0 }
    set {
      let bit: UInt64 = 1 << UInt64((member - lower) % 64)
      if newValue { words[(member - lower) / 64] |= bit } else { words[(member - lower) / 64] &= ~bit }
    }
  }

  /// For each word, how many members the words before it hold.
  var countsBeforeWords: [Int] {
    var count = 0
    return words.map { word in
      defer { count += word.nonzeroBitCount }
      return count
    }
  }

  /// How many members lie below `bound`, which lies in the range, given `countsBeforeWords`.
  func count(before bound: Int, _ countsBeforeWords: [Int]) -> Int {
    let (word, bit) = (bound - lower).quotientAndRemainder(dividingBy: 64)
    return countsBeforeWords[word] + (words[word] & ((1 << UInt64(bit)) - 1)).nonzeroBitCount
  }
}

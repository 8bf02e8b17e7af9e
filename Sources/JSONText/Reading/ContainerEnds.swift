/// Where the longer arrays and objects of one text end, so that one is passed in O(log n) and not in its length.
///
/// Whoever indexes an object and then an object inside it, and so on, would pass the innermost text once for each
/// level. One pass beforehand, which fills this table, saves that.
struct ContainerEnds {
  /// Shorter ones are passed as fast as they are looked up.
  private static let minimumLength = 64

  /// Rising; `ends` has each container's end at the same index.
  private var starts: [UInt32] = []
  private var ends: [UInt32] = []

  /// The containers of the whole text that `cursor` walks; O(n), without recursion.
  init(_ cursor: JSONCursor) {
    guard cursor.end >= Self.minimumLength else { return }
    var cursor = cursor
    cursor.position = 0
    var open: [Int] = []
    while cursor.position < cursor.end {
      switch cursor.byte {
      case ASCII.quote:
        _ = cursor.string()
        continue
      case ASCII.openBrace, ASCII.openBracket:
        open.append(starts.count)
        starts.append(UInt32(truncatingIfNeeded: cursor.position))
        ends.append(0)
      case ASCII.closeBrace, ASCII.closeBracket:
        guard let index = open.popLast() else { return }
        let end = cursor.position &+ 1
        if end &- Int(starts[index]) < Self.minimumLength {
          // What is inside is shorter still and already gone, so this one is the last.
          starts.removeLast()
          ends.removeLast()
        } else {
          ends[index] = UInt32(truncatingIfNeeded: end)
        }
      default: break
      }
      cursor.position &+= 1
    }
  }

  /// Passes the value at the cursor and gives its place.
  func passValue(_ cursor: inout JSONCursor) -> Range<Int> {
    let start = cursor.position
    let isContainer = cursor.byte == ASCII.openBrace || cursor.byte == ASCII.openBracket
    guard isContainer, let end = end(of: start) else { return cursor.value() }
    cursor.position = end
    return start..<end
  }

  private func end(of start: Int) -> Int? {
    var low = 0
    var high = starts.count
    while low < high {
      let middle = (low &+ high) / 2
      if Int(starts[middle]) < start { low = middle &+ 1 } else { high = middle }
    }
    // Text that leaves a container open, which is no JSON, has no end for it.
    guard low < starts.count, Int(starts[low]) == start, Int(ends[low]) > start else { return nil }
    return Int(ends[low])
  }
}

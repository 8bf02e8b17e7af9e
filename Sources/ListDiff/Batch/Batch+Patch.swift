/// One operation of a JSON Patch (RFC 6902 §4) on an array: it acts on what the one before it left.
public enum PatchOperation<Element: Sendable>: Sendable {
  /// Takes out the element at an index.
  case remove(Int)
  /// Puts an element in before the one at an index, which may be the count.
  case add(Int, Element)
  /// Takes out the element at `from`, then puts it in at `to` of what is left.
  case move(from: Int, to: Int)
  /// Puts an element in place of the one at an index.
  case replace(Int, Element)
}

extension PatchOperation: Equatable where Element: Equatable {}

extension Batch {
  /// The batch as a script for RFC 6902, with the same outcome as `apply(to:)`.
  ///
  /// It has one operation for each op, and none for a move that leaves its row where it is (a minimal batch has no
  /// such move). The batch must fit the rows that it is meant for. O(k log k) for k ops.
  @inlinable
  public func patch() -> [PatchOperation<Element>] {
    var operations: [PatchOperation<Element>] = []
    operations.reserveCapacity(count)
    operations.append(contentsOf: deletes.lazy.map { .remove($0) })

    var script = MoveScript(deletes: deletes, moves: moves, places: inserts.map(\.to))
    var inserts = inserts[...]
    for move in moves {
      while let insert = inserts.first, insert.to < move.to {
        operations.append(.add(script.add(at: insert.to), insert.element))
        inserts.removeFirst()
      }
      let (from, to) = script.move(move)
      if from != to { operations.append(.move(from: from, to: to)) }
    }
    operations.append(contentsOf: inserts.map { .add(script.add(at: $0.to), $0.element) })

    operations.append(contentsOf: updates.lazy.map { .replace($0.to, $0.element) })
    return operations
  }
}

/// Works out the indexes of moves and adds that are done one after the other by rising `to`.
///
/// While that goes on, the array (its deletes done) is the rows after, still without those to come, with the rows
/// that wait for their move strewn in. Kept rows, which neither move nor go, cut it into gaps: gap g lies behind
/// the first g of them. A row goes in at the end of those that arrived in its gap, ahead of those that wait there.
/// So its index is its place, plus the rows that wait in earlier gaps.
@usableFromInline
struct MoveScript {
  /// The rows to move by rising `from`.
  private let origins: [Int]
  /// The gap in which each of them waits, rising.
  private let waitingGaps: [Int]
  /// The gap of each place that a move or an insert fills, by rising place.
  private let arrivalGaps: [Int]
  /// How many of those are filled.
  private var arrived = 0
  /// Which of `origins` still wait.
  private var waiting: PrefixCount

  @usableFromInline
  init(deletes: [Int], moves: [RowMove], places: [Int]) {
    let origins = moves.map(\.from).sorted()
    self.origins = origins
    waiting = PrefixCount(of: origins.count)

    var deleted = 0
    waitingGaps = origins.enumerated().map { (movedBefore, origin) in
      while deleted < deletes.count, deletes[deletes.count - 1 - deleted] < origin { deleted += 1 }
      return origin - deleted - movedBefore
    }

    let filled = (moves.map(\.to) + places).sorted()
    arrivalGaps = filled.enumerated().map { (filledBefore, place) in place - filledBefore }
  }

  /// The index at which the row that comes next, an inserted one, goes in.
  ///
  /// O(log k).
  @usableFromInline
  mutating func add(at place: Int) -> Int {
    defer { arrived += 1 }
    return index(of: place)
  }

  /// The index of the row that comes next, a moved one, and the index to which it goes.
  ///
  /// O(log k).
  @usableFromInline
  mutating func move(_ move: RowMove) -> (from: Int, to: Int) {
    defer { arrived += 1 }
    let row = origins.partitionPoint { $0 >= move.from }
    let gap = waitingGaps[row]
    let arrivedBefore = min(arrived, arrivalGaps.partitionPoint { $0 > gap })
    let from = gap + arrivedBefore + waiting.count(before: row)
    waiting.remove(row)
    return (from, index(of: move.to))
  }

  private func index(of place: Int) -> Int {
    let gap = arrivalGaps[arrived]
    return place + waiting.count(before: waitingGaps.partitionPoint { $0 >= gap })
  }
}

/// A set that starts as `0..<count` and only shrinks, and counts its members below a bound: a Fenwick tree.
struct PrefixCount {
  private var nodes: [Int]

  /// All of `0..<count`.
  init(of count: Int) {
    nodes = (0...count).map { $0 & -$0 }
  }

  /// The number of members below `bound`.
  ///
  /// O(log n).
  func count(before bound: Int) -> Int {
    var sum = 0
    var node = bound
    while node > 0 {
      sum += nodes[node]
      node &= node - 1
    }
    return sum
  }

  /// Takes out `member`, which is in the set.
  ///
  /// O(log n).
  mutating func remove(_ member: Int) {
    var node = member + 1
    while node < nodes.count {
      nodes[node] -= 1
      node += node & -node
    }
  }
}

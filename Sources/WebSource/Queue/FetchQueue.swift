import JSONText

/// Whose turn it is when more pages are wanted than may be fetched at a time.
///
/// Tables take turns, and within a table lists do, in the order in which they asked: a list waits once, and what it
/// asks for later takes the place of what it asked for before. One table never has all of the places while there are
/// enough of them to keep some back for the others, so that an upstream that hangs delays its own lists only.
///
/// A value without clock or thread. The queue's bound is the number of lists.
package struct FetchQueue<Job> {
  private struct Line {
    /// Lists in the order of their turns, from `head` on.
    var lists: [Int] = []
    var head = 0
    var running = 0

    var isWaiting: Bool { head < lists.count }

    mutating func popFirst() -> Int {
      let list = lists[head]
      head += 1
      if head == lists.count {
        lists = []
        head = 0
      } else if head > 1024, head > lists.count / 2 {
        lists.removeFirst(head)
        head = 0
      }
      return list
    }
  }

  /// The most jobs at a time.
  package let limit: Int
  private var lines: [Bytes: Line] = [:]
  /// The tables that have a line, in the order of their turns.
  private var turns: [Bytes] = []
  private var waiting: [Int: Job] = [:]
  private var running = 0

  /// An empty queue of `limit` places.
  package init(limit: Int) { self.limit = max(limit, 1) }

  /// The most jobs of one table at a time: seven eighths of the places where there are 16 or more, else all.
  package var share: Int { limit < 16 ? limit : limit - limit / 8 }

  /// Adds a job of a list; gives the one whose place it takes.
  package mutating func add(_ job: Job, table: Bytes, list: Int) -> Job? {
    if let replaced = waiting.updateValue(job, forKey: list) { return replaced }
    if lines[table] == nil { turns.append(table) }
    lines[table, default: Line()].lists.append(list)
    return nil
  }

  /// The job of a list that waits.
  package func job(of list: Int) -> Job? { waiting[list] }

  /// Takes the job whose turn it is, where there is a place for it; `end` gives the place back.
  ///
  /// O(tables).
  package mutating func next() -> Job? {
    guard running < limit else { return nil }
    for (index, table) in turns.enumerated() {
      guard var line = lines[table], line.isWaiting, line.running < share else { continue }
      let list = line.popFirst()
      line.running += 1
      lines[table] = line
      turns.remove(at: index)
      turns.append(table)
      running += 1
      return waiting.removeValue(forKey: list)
    }
    return nil
  }

  /// Gives the place of a job of this table back.
  package mutating func end(table: Bytes) {
    guard var line = lines[table], line.running > 0 else { return }
    running -= 1
    line.running -= 1
    if line.running == 0, !line.isWaiting {
      lines[table] = nil
      turns.removeAll { $0 == table }
    } else {
      lines[table] = line
    }
  }

  /// Takes all jobs that wait.
  package mutating func takeAll() -> [Job] {
    let jobs = Array(waiting.values)
    waiting = [:]
    for table in turns { lines[table]?.lists = []; lines[table]?.head = 0 }
    return jobs
  }
}

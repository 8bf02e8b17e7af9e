import JSONText
import ListModel

/// The newest changes of a session, oldest first: what `since` and the change feed read.
///
/// Bounded by number and by bytes; what is older is forgotten, and clients that need it start over from a snapshot.
struct ChangeLog {
  private var changes: [Change] = []
  private var first = 0
  /// Bytes of the changes that are kept.
  private(set) var byteCount = 0
  /// Bytes of the forgotten changes before `first`.
  private var dead = 0
  private let countLimit: Int
  private let byteLimit: Int

  init(countLimit: Int, byteLimit: Int) {
    self.countLimit = countLimit
    self.byteLimit = byteLimit
  }

  /// Adds the newest change.
  ///
  /// O(1) amortised.
  mutating func append(_ change: Change) {
    changes.append(change)
    byteCount += change.text.count
    while changes.count - first > countLimit || (byteCount > byteLimit && changes.count - first > 1) {
      byteCount -= changes[first].text.count
      dead += changes[first].text.count
      first += 1
    }
    if (first > 32 && first * 2 > changes.count) || dead > byteLimit {
      changes.removeFirst(first)
      first = 0
      dead = 0
    }
  }

  /// The changes that are kept, oldest first.
  var kept: ArraySlice<Change> { changes[first...] }

  /// The revision of the oldest change that is kept.
  var oldest: Int? { first < changes.count ? changes[first].revision : nil }

  /// The changes after `revision`, where all of them are kept; nil where some are not, or where `revision` is
  /// above `present`.
  ///
  /// O(log n + result).
  func changes(after revision: Int, present: Int) -> ArraySlice<Change>? {
    guard revision <= present else { return nil }
    guard let oldest = changes[first...].first else { return revision == present ? [] : nil }
    guard revision >= oldest.revision - 1 else { return nil }
    return changes[(first + (revision - oldest.revision + 1))...]
  }

  /// The change that led to `revision`, where it is kept.
  ///
  /// O(1).
  func change(_ revision: Int) -> Change? {
    guard let oldest = changes[first...].first, revision >= oldest.revision else { return nil }
    let index = first + (revision - oldest.revision)
    return index < changes.count ? changes[index] : nil
  }
}

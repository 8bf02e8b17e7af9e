import JSONText

/// Edits made while a fetch is in flight; its pages do not undo them (protocol §7).
///
/// A copy is cheap and stays as it is: what was noted lies in layers that are never altered, and only the newest, of a
/// bounded size, is copied at the next edit. So the committed list and the one that commands build on share them.
struct ConcurrentEdits: Sendable {
  /// What was done to an item last.
  enum Kind: String, Sendable, CaseIterable {
    case inserted, deleted, updated
  }

  private typealias Layer = [Bytes: Kind]

  private var newest: Layer = [:]
  /// Oldest first, each more than twice as large as the next.
  private var layers: [Layer] = []
  /// How many items count as inserted.
  private(set) var insertedCount = 0

  /// The most entries of the layer that is altered.
  private static let newestAtMost = 64

  /// What was done to the item with this id last; nil: nothing; O(log n).
  subscript(id: Bytes) -> Kind? {
    if newest.isEmpty { return nil }
    if let kind = newest[id] { return kind }
    for layer in layers.reversed() {
      if let kind = layer[id] { return kind }
    }
    return nil
  }

  mutating func insert(_ id: Bytes) { note(.inserted, id) }

  mutating func delete(_ id: Bytes) { note(.deleted, id) }

  mutating func update(_ id: Bytes) {
    if self[id] != .inserted { note(.updated, id) }
  }

  /// Whether the client's content stands against a page's.
  func keepsContent(of id: Bytes) -> Bool {
    switch self[id] {
    case .inserted, .updated: true
    case .deleted, nil: false
    }
  }

  /// Notes what was done; O(log n) amortised.
  mutating func note(_ kind: Kind, _ id: Bytes) {
    let before = self[id]
    guard before != kind else { return }
    if before == .inserted { insertedCount -= 1 }
    if kind == .inserted { insertedCount += 1 }
    // The newest layer is never left empty: whoever asks an edit-free fetch learns it from that alone.
    if newest.count == Self.newestAtMost, newest[id] == nil {
      push(newest)
      newest = [:]
    }
    newest[id] = kind
  }

  private mutating func push(_ layer: Layer) {
    var layer = layer
    while let older = layers.last, older.count <= 2 * layer.count {
      layer = older.merging(layer) { $1 }
      layers.removeLast()
    }
    layers.append(layer)
  }

  /// All items of a kind, by rising id; O(n log n).
  func ids(_ kind: Kind) -> [Bytes] {
    var all: Layer = [:]
    for layer in layers { all.merge(layer) { $1 } }
    all.merge(newest) { $1 }
    return all.filter { $0.value == kind }.keys.sorted { $0.precedes($1) }
  }
}

extension Bytes {
  /// Whether these bytes come before others, compared one by one; O(n).
  fileprivate func precedes(_ other: Bytes) -> Bool {
    withUnsafeBytes { left in other.withUnsafeBytes { left.lexicographicallyPrecedes($0) } }
  }
}

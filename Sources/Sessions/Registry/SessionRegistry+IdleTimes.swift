import JSONText
import ListModel

// What a store remembers of tables, so that sessions of one that is gone from the configuration end all the same.
extension SessionRegistry {
  /// The place of the record: no session has such an id, no creation such a scope.
  private static var place: (scope: Bytes, key: Bytes) { ("/tables", "idleSeconds") }

  /// Takes in the idle times that an earlier configuration has left.
  func learnIdleTimes(_ keeping: Keeping) {
    let (scope, key) = Self.place
    keeping.store.record(scope: scope, key: key, now: house.world.now()) { [weak self] result in
      // What cannot be read now is read again with the next sweep: until then such sessions rest.
      guard let self, case .success(let record) = result else { return }
      var seconds: [Bytes: Int] = [:]
      // What is damaged is as good as lost, and written anew.
      for (table, value) in record?.text?.members ?? [] { seconds[table] = value.keptNumber }
      self.house.learn(idleSeconds: seconds)
      self.state.withLock { $0.keptIdleTimes = record?.answer ?? "{}" }
      self.keepIdleTimes(keeping)
    }
  }

  /// Has the store keep the idle times where it has others; best effort, the next sweep tries again.
  func keepIdleTimes(_ keeping: Keeping) {
    guard let kept = state.withLock({ $0.keptIdleTimes }) else { return learnIdleTimes(keeping) }
    var writer = JSONWriter()
    writer.beginObject()
    for (table, seconds) in house.idleSeconds.sorted(by: {
      $0.key.array.lexicographicallyPrecedes($1.key.array)
    }) {
      writer.key(escaping: table)
      writer.integer(seconds)
    }
    writer.endObject()
    let text = writer.text
    guard text != kept else { return }
    let (scope, key) = Self.place
    let record = StoredRecord(fingerprint: .empty, answer: text, expires: .max)
    keeping.store.commit([.record(scope: scope, key: key, record)]) { [weak self] failure in
      if failure == nil { self?.state.withLock { $0.keptIdleTimes = text } }
    }
  }
}

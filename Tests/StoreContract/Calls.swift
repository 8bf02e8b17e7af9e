import Dispatch
import JSONText
import Sessions
import Synchronization

/// What does not hold of a store that should.
package struct Violation: Error, CustomStringConvertible {
  package let description: String
}

/// Throws unless a condition holds.
package func require(
  _ holds: Bool, _ what: @autoclosure () -> String, line: Int = #line
) throws {
  if !holds { throw Violation(description: "line \(line): \(what())") }
}

/// Throws unless both are equal.
package func require<Value: Equatable>(
  _ value: Value, equals expected: Value, _ what: @autoclosure () -> String = "", line: Int = #line
) throws {
  try require(value == expected, "\(what()): \(value) is not \(expected)", line: line)
}

/// An answer that comes once, from any thread.
package final class Answer<Value: Sendable>: Sendable {
  private let values = Mutex<[Value]>([])
  private let arrival = DispatchSemaphore(value: 0)

  package init() {}

  package func come(_ value: Value) {
    values.withLock { $0.append(value) }
    arrival.signal()
  }

  /// The answer, which must come within a minute, and once.
  package func wait() throws -> Value {
    guard arrival.wait(timeout: .now() + 60) == .success else {
      throw Violation(description: "no answer came")
    }
    let values = values.withLock { $0 }
    guard let value = values.first, values.count == 1 else {
      throw Violation(description: "\(values.count) answers came")
    }
    return value
  }
}

/// The calls of a store, each waited for.
extension ChangeStore {
  package func outcome(_ writes: StoreWrite...) throws -> StoreFailure? { try outcome(of: writes) }

  package func outcome(of writes: [StoreWrite]) throws -> StoreFailure? {
    let answer = Answer<StoreFailure?>()
    commit(writes, answer.come)
    return try answer.wait()
  }

  /// Commits what must work.
  package func write(_ writes: StoreWrite..., line: Int = #line) throws {
    let failure = try outcome(of: writes)
    try require(failure == nil, "a commit failed: \(failure.map { "\($0)" } ?? "")", line: line)
  }

  package func session(_ id: Bytes) throws -> StoredSession? {
    let answer = Answer<Result<StoredSession?, StoreFailure>>()
    restore(id, answer.come)
    return try answer.wait().get()
  }

  package func page(after cursor: Int = 0, limit: Int = 1000) throws -> [StoredSummary] {
    let answer = Answer<Result<[StoredSummary], StoreFailure>>()
    list(after: cursor, limit: limit, answer.come)
    return try answer.wait().get()
  }

  package func tomb(_ id: Bytes) throws -> StoredTombstone? {
    let answer = Answer<Result<StoredTombstone?, StoreFailure>>()
    tombstone(id, answer.come)
    return try answer.wait().get()
  }

  package func kept(_ scope: Bytes, _ key: Bytes, now: Int = 0) throws -> StoredRecord? {
    let answer = Answer<Result<StoredRecord?, StoreFailure>>()
    record(scope: scope, key: key, now: now, answer.come)
    return try answer.wait().get()
  }

  package func unused(_ usedBefore: [Bytes: Int], limit: Int = 1000) throws -> [Bytes] {
    let answer = Answer<Result<[Bytes], StoreFailure>>()
    expired(usedBefore, limit: limit, answer.come)
    return try answer.wait().get()
  }
}

// MARK: - Samples

extension StoreWrite {
  /// A new session of table `t`.
  package static func new(
    _ id: Bytes, _ sequence: Int, table: Bytes = "t", look: Bytes = "{}", revision: Int = 0, touched: Int = 10
  ) -> StoreWrite {
    .create(
      StoredHead(
        session: id, sequence: sequence, table: table, look: look, created: 10, firstRevision: revision),
      StoredState(revision: revision, state: "loading", itemCount: 0, touched: touched), snapshot: "[]")
  }

  /// A change whose texts tell its revision.
  package static func step(_ id: Bytes, _ revision: Int, touched: Int = 20) -> StoreWrite {
    .change(
      .sample(id, revision),
      summary: StoredState(revision: revision, state: "populated", itemCount: revision, touched: touched))
  }
}

extension StoredChange {
  package static func sample(_ id: Bytes, _ revision: Int) -> StoredChange {
    StoredChange(
      session: id, revision: revision, text: Bytes("{\"revision\":\(revision)}"), delta: Bytes("d\(revision)")
    )
  }
}

extension StoredRecord {
  package static func sample(_ answer: Bytes, expires: Int = 100) -> StoredRecord {
    StoredRecord(fingerprint: "f", answer: answer, expires: expires)
  }
}

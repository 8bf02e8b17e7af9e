import JSONText
import Sessions
import Synchronization
import Threads

/// What waits for the thread that writes, in the order of the calls.
///
/// Whoever adds never waits: a full queue refuses. A read of something that is still to be written waits here behind
/// it, so that it sees what was called before it.
final class WriteQueue: Sendable {
  /// One call.
  enum Call: Sendable {
    case commit([StoreWrite], Completion)
    case read(Reader.Job, place: Bytes)
    case forget(before: Int)
  }

  typealias Completion = @Sendable (StoreFailure?) -> Void

  fileprivate struct State {
    var calls: [Call] = []
    var bytes = 0
    /// How many calls that are not done yet are about a session or a scope of records.
    var places: [Bytes: Int] = [:]
    var isClosed = false
    /// Whether the taker waits and nobody has said yet that he will be woken.
    var sleeps = false
  }

  private let state = Mutex(State())
  private let bell = Bell()
  private let turns: Turns

  /// Bytes that may wait.
  private static let limit = 64 << 20
  /// Bytes beyond which nothing more goes into one transaction: so each is short, and the log stays small.
  fileprivate static let batchBytes = 4 << 20
  /// Calls that go into one transaction.
  fileprivate static let batchCalls = 1024

  /// - Parameter turns: those of who adds.
  init(turns: Turns) { self.turns = turns }

  // MARK: Adding

  /// Adds what is to be written together; false where the queue is full or closed.
  func add(_ writes: [StoreWrite], _ completion: @escaping Completion) -> Bool {
    let call = Call.commit(writes, completion)
    let bytes = call.bytes
    return add(call, bytes: bytes) { state in
      !state.isClosed && (state.bytes == 0 || state.bytes + bytes <= Self.limit)
    }
  }

  /// Adds a read where something about `place` is still to be written; false where there is nothing to wait for.
  func add(_ job: @escaping Reader.Job, behindWritesTo place: Bytes) -> Bool {
    // What it waits behind is not done yet, so the writer will come back to the queue, closed or not.
    add(.read(job, place: place), bytes: 0) { state in state.places[place] != nil }
  }

  /// Adds a wish to forget what was over before a moment.
  func forget(before now: Int) {
    _ = add(.forget(before: now), bytes: 0) { state in !state.isClosed }
  }

  private func add(_ call: Call, bytes: Int, where isWelcome: (borrowing State) -> Bool) -> Bool {
    let (isAdded, wakes) = state.withLock { state -> (Bool, Bool) in
      guard isWelcome(state) else { return (false, false) }
      state.enter(call, bytes: bytes)
      defer { state.sleeps = false }
      return (true, state.sleeps)
    }
    // What else the caller's turn brings goes into the same transaction.
    if wakes { turns.afterThis { [bell] in bell.ring() } }
    return isAdded
  }

  /// Refuses further calls and lets the taker end behind the last one.
  func close() {
    state.withLock { $0.isClosed = true }
    bell.ring()
  }

  // MARK: Taking

  /// Takes what goes into the next transaction, and waits for something first.
  ///
  /// - Parameter seconds: how long to wait; nil for ever.
  /// - Returns: nothing where the time is over (or a little before); nil when the queue is closed and empty.
  func takeBatch(waiting seconds: Int?) -> [Call]? {
    var hasWaited = false
    while true {
      let (batch, isClosed) = state.withLock { state in
        let batch = state.takeBatch()
        state.sleeps = batch.isEmpty
        return (batch, state.isClosed)
      }
      if !batch.isEmpty { return batch }
      if isClosed { return nil }
      if hasWaited, seconds != nil { return [] }
      if let seconds { _ = bell.wait(seconds: seconds) } else { bell.wait() }
      hasWaited = true
    }
  }

  /// Notes that calls which were taken are done.
  func finish(_ batch: [Call]) {
    state.withLock { state in
      for call in batch { state.leave(call) }
    }
  }
}

extension WriteQueue.State {
  mutating func enter(_ call: WriteQueue.Call, bytes added: Int) {
    calls.append(call)
    bytes += added
    call.forEachPlace { places[$0, default: 0] += 1 }
  }

  mutating func leave(_ call: WriteQueue.Call) {
    call.forEachPlace { place in
      let count = (places[place] ?? 0) - 1
      places[place] = count > 0 ? count : nil
    }
  }

  mutating func takeBatch() -> [WriteQueue.Call] {
    var (count, taken) = (0, 0)
    while count < min(calls.count, WriteQueue.batchCalls) {
      let size = calls[count].bytes
      if count > 0, taken + size > WriteQueue.batchBytes { break }
      taken += size
      count += 1
    }
    bytes -= taken
    if count == calls.count {
      var all: [WriteQueue.Call] = []
      swap(&all, &calls)
      return all
    }
    let batch = Array(calls[..<count])
    calls.removeFirst(count)
    return batch
  }
}

extension WriteQueue.Call {
  /// About as many bytes as it will write.
  var bytes: Int {
    guard case .commit(let writes, _) = self else { return 0 }
    return writes.reduce(0) { $0 + $1.bytes }
  }

  /// The sessions and scopes that it is about, some perhaps more than once.
  func forEachPlace(_ body: (Bytes) -> Void) {
    switch self {
    case .commit(let writes, _): for write in writes { body(write.place) }
    case .read(_, let place): body(place)
    case .forget: break
    }
  }
}

extension StoreWrite {
  /// The session, or the scope of the record, that it is about.
  fileprivate var place: Bytes {
    switch self {
    case .create(let head, _, _): head.session
    case .adopt(let session): session.head.session
    case .change(let change, _): change.session
    case .snapshot(let session, _, _), .trim(let session, _), .touch(let session, _), .end(let session, _):
      session
    case .record(let scope, _, _): scope
    }
  }

  fileprivate var bytes: Int {
    // What a row costs beside its content.
    let row = 64
    return switch self {
    case .create(let head, _, let snapshot): head.look.count + snapshot.count + row
    case .adopt(let session):
      session.changes.reduce(session.snapshot.count) { $0 + $1.text.count + $1.delta.count + row }
    case .change(let change, _): change.text.count + change.delta.count + row
    case .snapshot(_, _, let text): text.count + row
    case .record(_, let key, let record): key.count + record.fingerprint.count + record.answer.count + row
    case .trim, .touch, .end: row
    }
  }
}

import CLibevent
import Glibc
import HTTP1
import Synchronization

/// One loop's share of a server: its listener, its connections and what they have in common for one turn.
///
/// Unchecked: the inbox is locked, `loop` and `state` are safe by themselves, and every `var` is touched on
/// the loop's thread only, or before it runs.
final class Worker: @unchecked Sendable {
  let loop: Loop
  let state: ServerState
  /// Accepts on this worker's socket and closes it; freed by `stopListening`.
  var listener: OpaquePointer?
  /// The connections; the reference that each one's C callbacks count on.
  private(set) var connections: [Connection] = []
  private var deadlines = Deadlines()
  private var alarm: OpaquePointer?
  /// What goes out this turn.
  ///
  /// Nothing that its methods call comes back to it, so access needs no check at run time.
  @exclusivity(unchecked)
  var outbox = Outbox()
  /// Whose bytes the outbox holds; nil where it is empty.
  var outboxOwner: Connection?
  private var dateSecond = -1
  private var dateText: [UInt8] = []

  /// Frames from any thread, with their streams.
  ///
  /// Emptied by the loop on its next turn, so that what bounds it is how much the callers send in one.
  private let inbox = Mutex<[Delivery]>([])
  private var deliveries: [Delivery] = []
  private var listed: [BodyStream] = []

  private struct Delivery: Sendable {
    let stream: BodyStream
    let frame: BodyStream.Frame
  }

  /// A worker that accepts on `socket`, which is the worker's from now on, once its loop runs.
  init(_ state: ServerState, listeningOn socket: Int32) throws(ServerError) {
    self.state = state
    do throws(ServerError) {
      loop = try Loop()
    } catch {
      Glibc.close(socket)
      throw error
    }
    alarm = event_new(loop.base, -1, 0, alarmRang, Unmanaged.passUnretained(self).toOpaque())
    guard alarm != nil, listen(on: socket) else {
      Glibc.close(socket)
      throw .noLoop
    }
  }

  deinit {
    stopListening()
    if let alarm { event_free(alarm) }
  }

  /// Runs the loop on this thread until it is stopped, then closes what is left.
  func run() {
    loop.run()
    stopListening()
    closeAll()
    loop.freeHandles()
  }

  /// The present second as the Date field has it.
  var date: [UInt8] {
    let second = Clock.wall
    if second != dateSecond {
      dateSecond = second
      dateText = imfFixdate(secondsSince1970: second)
    }
    return dateText
  }

  /// Makes the outbox `connection`'s, after what it holds of another's has gone out.
  func claimOutbox(for connection: Connection) {
    if let owner = outboxOwner {
      if owner === connection { return }
      owner.flush()
    }
    outboxOwner = connection
  }
}

// MARK: Connections

extension Worker {
  /// Takes a connection in.
  func add(_ connection: Connection) {
    connection.slot = connections.count
    connections.append(connection)
    deadlines.append()
  }

  /// Lets a closed connection go.
  func remove(_ connection: Connection) {
    let slot = connection.slot
    guard slot < connections.count, connections[slot] === connection else { return }
    deadlines.remove(slot)
    let last = connections.removeLast()
    if last !== connection {
      last.slot = slot
      connections[slot] = last
    }
    if connection.isAdmitted { state.leave() }
  }

  /// Closes every connection whatever it is doing; streams end as finished.
  func closeAll() {
    while let connection = connections.last {
      connection.stream?.end(.finished)
      connection.close()
    }
  }

  /// Closes the connections that carry no request.
  func closeIdle() {
    for connection in connections.reversed() where connection.isIdle { connection.close() }
  }

  /// Sets the one deadline of a connection, in place of what was set before; `infinity` for none.
  func setDeadline(_ time: Double, of connection: Connection) {
    guard connection.phase != .closed else { return }
    if deadlines.set(connection.slot, to: time) { setAlarm() }
  }

  /// Whether a deadline is set.
  func hasDeadline(_ connection: Connection) -> Bool {
    connection.phase != .closed && deadlines[connection.slot] < .infinity
  }

  private func setAlarm() {
    guard let alarm, deadlines.alarm < .infinity else { return }
    var span = timeval(span: deadlines.alarm - Clock.monotonic)
    event_add(alarm, &span)
  }

  fileprivate func lookAtDeadlines() {
    let now = Clock.monotonic
    // From the end: a connection that closes gives its place to one that was looked at.
    for slot in (0..<connections.count).reversed() where deadlines.take(slot, at: now) {
      connections[slot].deadlinePassed(now)
    }
    deadlines.rewind(at: now)
    setAlarm()
  }
}

// MARK: Frames of streams

extension Worker {
  /// Brings a frame to a stream of this loop; from any thread, in the order of the calls.
  func post(_ frame: BodyStream.Frame, to stream: BodyStream) {
    let isFirst = inbox.withLock { inbox in
      inbox.append(Delivery(stream: stream, frame: frame))
      return inbox.count == 1
    }
    if isFirst { loop.execute { self.deliver() } }
  }

  /// Has a stream pumped on the next turn.
  func list(_ stream: BodyStream) {
    if listed.isEmpty { loop.execute { self.pumpListed() } }
    guard !stream.isListed else { return }
    stream.isListed = true
    listed.append(stream)
  }

  /// Gives each stream its frames, then writes each stream once.
  private func deliver() {
    inbox.withLock { swap(&$0, &deliveries) }
    for delivery in deliveries {
      delivery.stream.enqueue(delivery.frame)
      if !delivery.stream.isListed {
        delivery.stream.isListed = true
        listed.append(delivery.stream)
      }
    }
    deliveries.removeAll(keepingCapacity: deliveries.capacity <= 16_384)
    pumpListed()
  }

  private func pumpListed() {
    let now = Clock.monotonic
    let streams = listed
    listed.removeAll(keepingCapacity: true)
    for stream in streams {
      stream.isListed = false
      stream.pump(at: now)
    }
  }
}

/// The worker frees its alarm in `deinit`, so this pointer is not retained.
private func alarmRang(_: Int32, _: Int16, worker: UnsafeMutableRawPointer?) {
  guard let worker else { return }
  Unmanaged<Worker>.fromOpaque(worker).takeUnretainedValue().lookAtDeadlines()
}

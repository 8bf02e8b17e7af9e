import JSONText

/// How a follower stands with its server.
public enum ConnectionState: Sendable, Equatable {
  /// A connection is being made.
  case connecting
  /// The stream is open: the list is the present one.
  case live
  /// There is none, for this reason; the next is tried in so many seconds.
  case waiting(reason: String, seconds: Double)
}

/// How patient a follower is.
public struct FollowingLimits: Sendable {
  /// The waits between connections.
  public var backoff = Backoff()
  /// The longest that a connection and the head of its answer may take, in seconds.
  public var answerSeconds = 10.0
  /// The longest silence of a stream, in seconds; a server sends a comment every 15 (protocol §8).
  public var silenceSeconds = 40.0
  /// The largest event, a snapshot mostly, in bytes.
  public var eventBytes = 1 << 29

  /// The limits as they stand above.
  public init() {}
}

/// Follows a session: holds its list, and tells of each change once and in order, over however many connections.
///
///     let follower = SessionFollower(address)
///     while true {
///       switch follower.next() {
///       case .change(let change): update(follower.list, change.batch)
///       case .snapshot: show(follower.list)
///       case .connection(let state): tell(state)
///       case .over, .refused: return
///       case .descriptor, .time: break
///       }
///     }
///
/// One thread calls it, and `next` blocks that. The follower makes a connection only while it is asked for what is
/// next; a caller that does not ask leaves the stream unread, and after a while is cut off and caught up.
public final class SessionFollower {
  /// What happened.
  public enum Occurrence: Sendable {
    /// The connection stands otherwise.
    case connection(ConnectionState)
    /// The list began anew, at first or since too much was missed.
    case snapshot(JSONValue)
    /// The list went one step on.
    case change(FollowedChange)
    /// The session is over; nothing follows.
    case over(SessionEnd)
    /// The server does not let us follow, and would not at another time; nothing follows.
    case refused(Refusal)
    /// A descriptor that was to be watched is readable, closed or broken.
    case descriptor(Int32)
    /// The time that `next` was given is up.
    case time
  }

  private enum Stage {
    /// No connection; the next one is due at this time.
    case waiting(until: Double)
    /// The head of the answer is awaited, until this time.
    case asking(HTTPCall, until: Double)
    /// The answer is a refusal, whose body is being read, until this time.
    case refused(HTTPCall, ResponseHead, body: [UInt8], until: Double)
    /// The stream is open; a byte is due until this time.
    case streaming(HTTPCall, until: Double)
    /// Nothing follows.
    case over(Occurrence)
  }

  /// Whom it follows.
  public let address: SessionAddress

  /// The list as last known; nil before the first snapshot.
  public var list: FollowedList? { following.list }

  private let token: String?
  private let limits: FollowingLimits
  private var backoff: Backoff
  private var following = Following()
  private var parser = EventStreamParser()
  private var stage = Stage.waiting(until: 0)
  /// The seconds that the stream asked to wait after a cut.
  private var wish = 0.0
  /// Events of the last piece that are yet to be taken in.
  private var events: ArraySlice<ServerSentEvent> = []

  /// A follower of a session, with a bearer token where the server wants one; nothing is connected yet.
  public init(_ address: SessionAddress, token: String? = nil, limits: FollowingLimits = FollowingLimits()) {
    self.address = address
    self.token = token
    self.limits = limits
    backoff = limits.backoff
  }

  /// Waits for what happens next.
  ///
  /// - Parameters:
  ///   - seconds: how long to wait at most; 0 gives what is there already.
  ///   - descriptors: what else to wait for; these go first.
  public func next(
    within seconds: Double = .infinity, orWhenReadable descriptors: [Int32] = []
  ) -> Occurrence {
    let deadline = MonotonicClock.now + seconds
    while true {
      if let event = events.popFirst() {
        if let occurrence = take(event) { return occurrence }
        continue
      }
      let stageEnd = self.stageEnd
      do throws(ConnectionLoss) {
        if let occurrence = try turn(until: min(deadline, stageEnd), descriptors) { return occurrence }
      } catch {
        return lose(error.reason)
      }
      // Either time may have come; the caller's counts only where the stage did not move on by its own.
      if MonotonicClock.now >= deadline && deadline < self.stageEnd && events.isEmpty { return .time }
    }
  }
}

extension SessionFollower {
  private var stageEnd: Double {
    switch stage {
    case .waiting(let end), .asking(_, let end), .refused(_, _, _, let end), .streaming(_, let end): end
    case .over: 0
    }
  }

  /// One wait at most, and what came of it.
  private func turn(until deadline: Double, _ descriptors: [Int32]) throws(ConnectionLoss) -> Occurrence? {
    let call: HTTPCall
    switch stage {
    case .over(let occurrence):
      return occurrence
    case .waiting(let due):
      if due > MonotonicClock.now {
        if case .descriptor(let descriptor) = wait(socket: nil, for: 0, others: descriptors, until: deadline)
        {
          return .descriptor(descriptor)
        }
        return nil
      }
      stage = .asking(try ask(), until: MonotonicClock.now + limits.answerSeconds)
      return .connection(.connecting)
    case .asking(let asked, _), .refused(let asked, _, _, _), .streaming(let asked, _):
      call = asked
    }
    switch try call.turn(until: deadline, others: descriptors) {
    case .descriptor(let descriptor): return .descriptor(descriptor)
    case .parts(let parts): return try take(parts, of: call)
    case .time: return try takeTime()
    }
  }

  private func ask() throws(ConnectionLoss) -> HTTPCall {
    parser = EventStreamParser(limit: limits.eventBytes)
    let request = HTTPRequest(
      path: "\(address.path)/changes", accept: "text/event-stream", token: token,
      lastEventID: following.resumption)
    return try HTTPCall(request, to: address.server)
  }

  private func takeTime() throws(ConnectionLoss) -> Occurrence? {
    guard MonotonicClock.now >= stageEnd else { return nil }
    switch stage {
    case .asking: throw ConnectionLoss("there was no answer within \(Int(limits.answerSeconds)) s")
    case .streaming: throw ConnectionLoss("nothing came for \(Int(limits.silenceSeconds)) s")
    case .refused(_, let head, let body, _): return refuse(head, body)
    case .waiting, .over: return nil
    }
  }

  private func take(_ parts: [ResponsePart], of call: HTTPCall) throws(ConnectionLoss) -> Occurrence? {
    var occurrence: Occurrence?
    for part in parts {
      switch (part, stage) {
      case (.head(let head), _):
        let end = MonotonicClock.now
        guard head.status == 200 else {
          stage = .refused(call, head, body: [], until: end + limits.answerSeconds)
          continue
        }
        guard head.first("content-type")?.string.lowercased().hasPrefix("text/event-stream") == true else {
          throw ConnectionLoss("the answer is no event stream")
        }
        stage = .streaming(call, until: end + limits.silenceSeconds)
        occurrence = .connection(.live)
      case (.body(let bytes), .streaming):
        stage = .streaming(call, until: MonotonicClock.now + limits.silenceSeconds)
        do throws(EventTooLarge) {
          events += try parser.read(bytes)
          if let milliseconds = parser.reconnectionMilliseconds { wish = Double(milliseconds) / 1_000 }
        } catch {
          throw ConnectionLoss("an event is larger than \(error.limit) bytes")
        }
      case (.body(let bytes), .refused(_, let head, let body, let end)):
        stage = .refused(call, head, body: Array((body + bytes).prefix(65_536)), until: end)
      case (.end, .refused(_, let head, let body, _)):
        return refuse(head, body)
      default: break  // what came before the end goes first; the next turn of the call tells of the loss
      }
    }
    return occurrence
  }

  private func take(_ event: ServerSentEvent) -> Occurrence? {
    switch following.receive(event) {
    case .nothing: return nil
    case .snapshot(let json):
      backoff.succeed()
      return .snapshot(json)
    case .change(let change):
      backoff.succeed()
      return .change(change)
    case .over(let end):
      return finish(.over(end))
    case .cut(let reason, let isPrompt):
      if isPrompt { backoff.succeed() }
      return lose(reason, isPrompt: isPrompt)
    }
  }

  private func refuse(_ head: ResponseHead, _ body: [UInt8]) -> Occurrence {
    let refusal = Refusal(head: head, body: Bytes(body))
    guard refusal.isTransient else { return finish(.refused(refusal)) }
    return lose(refusal.description, asked: Double(refusal.retryAfterSeconds ?? 0))
  }

  private func finish(_ occurrence: Occurrence) -> Occurrence {
    stage = .over(occurrence)
    events = []
    return occurrence
  }

  private func lose(_ reason: String, asked: Double = 0, isPrompt: Bool = false) -> Occurrence {
    let seconds =
      isPrompt ? 0 : backoff.fail(asked: max(asked, wish), chance: Double.random(in: 0...1))
    stage = .waiting(until: MonotonicClock.now + seconds)
    events = []
    return .connection(.waiting(reason: reason, seconds: seconds))
  }
}

import JSONText

/// The decisions of following a session: what each event makes of the list, and from where to go on after a cut.
///
/// It knows no socket and no clock. Whatever does not fit (a gap, ops that are none, text that is no JSON) is answered
/// by starting over from a snapshot; the list last held stays until that has come, so that a screen need not go blank.
public struct Following: Sendable {
  /// What an event came to.
  public enum Outcome: Sendable {
    /// Nothing new: a change that was here already, an event of another kind.
    case nothing
    /// The list began anew from this snapshot.
    case snapshot(JSONValue)
    /// The list went one step on.
    case change(FollowedChange)
    /// The stream ends here, and the session lives: connect again, at once or after a while.
    case cut(reason: String, isPrompt: Bool)
    /// The session is over.
    case over(SessionEnd)
  }

  /// The list as last known; nil before the first snapshot.
  public private(set) var list: FollowedList?

  /// The revision after which the next stream shall begin; nil: with a snapshot.
  public private(set) var resumption: Int?

  /// Nothing is known yet.
  public init() {}

  /// Takes an event of the stream in.
  public mutating func receive(_ event: ServerSentEvent) -> Outcome {
    do throws(FollowingFault) {
      switch event.type.string {
      case "snapshot":
        let json = try Self.json(event.data)
        let list = try FollowedList(snapshot: json)
        self.list = list
        resumption = list.header.revision
        return .snapshot(json)
      case "change":
        guard resumption != nil else { throw FollowingFault("a change came before a snapshot") }
        let change = try FollowedChange(Self.json(event.data))
        guard try list?.apply(change) == true else { return .nothing }
        resumption = change.header.revision
        return .change(change)
      case "end":
        return end(try Self.json(event.data))
      default:
        return .nothing
      }
    } catch {
      resumption = nil
      return .cut(reason: error.message, isPrompt: false)
    }
  }

  private func end(_ json: JSONValue) -> Outcome {
    let reason = json.member(named: "reason")?.string?.string ?? ""
    if let end = SessionEnd(rawValue: reason) { return .over(end) }
    switch reason {
    case "lagging": return .cut(reason: "the reader was too slow", isPrompt: true)
    case "draining": return .cut(reason: "the server is shutting down", isPrompt: false)
    default: return .cut(reason: "the server ended the stream", isPrompt: false)
    }
  }

  private static func json(_ data: Bytes) throws(FollowingFault) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: data)
    } catch {
      throw FollowingFault("an event's data is no JSON: \(error.message)")
    }
  }
}

/// How a session came to its end.
public enum SessionEnd: String, Sendable {
  /// Somebody deleted it.
  case deleted
  /// Nobody used it for as long as its table allows.
  case expired
}

import JSONText

/// A command under an `Idempotency-Key`, its changes marked by a tag of its own, so that it can be told afterwards
/// whether it was done.
struct KeyedCommand: Sendable {
  let session: Witness
  /// The command with its query.
  let target: String
  let body: String
  /// The key and the tag.
  let mark: String
  /// Rows that its change inserts; nil for what may also be refused, alter nothing, or go on as a fetch.
  let inserts: Int?
  /// The first answer: status, revision and ids.
  var outcome: Outcome?

  struct Outcome: Sendable, Equatable {
    let status: Int
    let revision: Int?
    let ids: Bytes?
  }

  init(_ session: Witness, _ name: String, _ body: String, mark: String, inserts: Int? = nil) {
    self.session = session
    target = "/\(name)?tag=\(mark)"
    self.body = body
    self.mark = mark
    self.inserts = inserts
  }

  /// Sends it, and tells the witness of the answer.
  ///
  /// - Returns: the answer's outcome, and whether it is a replay.
  func send(on socket: ClientSocket, prefer: String) throws -> (outcome: Outcome, isReplay: Bool) {
    let answer = try socket.call(
      "POST", session.path + target, body,
      fields: "Idempotency-Key: \(mark)\r\nPrefer: \(prefer)\r\n")
    let document = try JSONValue(parsing: Bytes(answer.body))
    if answer.status < 300 { session.saw(answer: document) }
    if answer.status == 410 { session.fate = .ended }
    if answer.status >= 500 { session.complain("\(target): \(answer.status) \(answer.text)") }
    let outcome = Outcome(
      status: answer.status, revision: document.member("revision")?.integer, ids: document.member("ids")?.text
    )
    return (outcome, answer.field("Idempotent-Replayed") == "true")
  }

  /// Asks again after a crash: done or not done, and never twice.
  ///
  /// - Parameter changes: how many changes of the log carried the mark before.
  func askAgain(on socket: ClientSocket, changes: Int) throws {
    let (again, isReplay) = try send(on: socket, prefer: "respond-async, return=minimal")
    // What a client is still to give is not over.
    if again.status == 409, !isReplay, session.table == "client", inserts == nil { return }
    if !isReplay {
      if changes > 0 { session.complain("\(target) was done before, and again now: \(again)") }
      if outcome != nil { session.complain("\(target) was answered, and its key is not known") }
    } else if inserts != nil, changes != 1 {
      session.complain("\(target) counts as done, with \(changes) changes: \(again)")
    }
    if let outcome, outcome != again { session.complain("\(target) was \(outcome) and is \(again)") }
    let (third, isReplayThen) = try send(on: socket, prefer: "respond-async, return=minimal")
    if !isReplayThen || third != again { session.complain("\(target) was \(again) and then \(third)") }
  }
}

extension JSONValue {
  /// The mark of the command that made a change.
  var mark: String? { member("tag")?.string?.string }

  /// The operations of a change with this name.
  func ops(_ name: String) -> Int {
    (member("ops")?.elements ?? []).count { $0.member("op")?.string?.string == name }
  }
}

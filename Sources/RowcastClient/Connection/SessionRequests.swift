import JSONText

/// Why a single request brought nothing.
public enum RequestFailure: Error, Sendable {
  /// There was no answer.
  case lost(ConnectionLoss)
  /// The server refused.
  case refused(Refusal)
  /// The answer is not what the protocol says.
  case unfit(String)
}

extension SessionAddress {
  /// Asks for the present snapshot, once.
  ///
  /// Blocks, for `seconds` at most.
  public func snapshot(
    token: String? = nil, within seconds: Double = 10
  ) throws(RequestFailure) -> (json: JSONValue, list: FollowedList) {
    let (_, body) = try server.exchange(HTTPRequest(path: path, token: token), within: seconds)
    let json = try Self.json(body)
    do throws(FollowingFault) {
      return (json, try FollowedList(snapshot: json))
    } catch {
      throw .unfit(error.message)
    }
  }

  private static func json(_ body: Bytes) throws(RequestFailure) -> JSONValue {
    do throws(JSONError) {
      return try JSONValue(parsing: body)
    } catch {
      throw .unfit("the answer is no JSON: \(error.message)")
    }
  }
}

extension ServerAddress {
  /// Opens a session on a table and has its first page loaded, without waiting for it.
  ///
  /// Blocks, for `seconds` at most.
  public func open(
    table: String, token: String? = nil, within seconds: Double = 10
  ) throws(RequestFailure) -> SessionAddress {
    var body = JSONWriter()
    body.beginObject()
    body.key("table")
    body.string(escaping: Bytes(table))
    body.endObject()
    let request = HTTPRequest(
      method: "POST", path: "\(prefix)/v1/sessions", token: token, body: body.text)
    let (head, _) = try exchange(request, within: seconds)
    let id = head.first("location")?.string.split(separator: "/").last ?? ""
    guard let session = SessionAddress(server: self, id: String(id)) else {
      throw .unfit("the answer does not say where the session is")
    }
    return session
  }

  /// Sends a request and reads the whole answer, which must be a success; blocks, for `seconds` at most.
  func exchange(
    _ request: HTTPRequest, within seconds: Double
  ) throws(RequestFailure) -> (ResponseHead, Bytes) {
    let deadline = MonotonicClock.now + seconds
    var head: ResponseHead?
    var body: [UInt8] = []
    do throws(ConnectionLoss) {
      let call = try HTTPCall(request, to: self)
      exchange: while true {
        guard case .parts(let parts) = try call.turn(until: deadline) else {
          throw ConnectionLoss("there was no answer within \(Int(seconds)) s")
        }
        for part in parts {
          switch part {
          case .head(let final): head = final
          case .body(let bytes): body += bytes
          case .end: break exchange
          }
        }
      }
    } catch {
      throw .lost(error)
    }
    guard let head, 200...299 ~= head.status else {
      throw .refused(Refusal(head: head ?? ResponseHead(status: 0), body: Bytes(body)))
    }
    return (head, Bytes(body))
  }
}

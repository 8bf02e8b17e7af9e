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
    let (_, json) = try server.exchange(HTTPRequest(path: path, token: token), within: seconds)
    do throws(FollowingFault) {
      return (json, try FollowedList(snapshot: json))
    } catch {
      throw .unfit(error.message)
    }
  }
}

extension ServerAddress {
  /// Opens a session on a table and has its first page read, which need not have come when this is done.
  ///
  /// Where clients give the rows nothing is read: the list would wait for a client that knows of no wish. Blocks, for
  /// twice `seconds` at most.
  ///
  /// - Parameter awaitsRows: whether to wait for the first page, as long as the server does (30 s, protocol §7).
  public func open(
    table: String, token: String? = nil, awaitsRows: Bool = false, within seconds: Double = 10
  ) throws(RequestFailure) -> SessionAddress {
    let name = table.utf8.map { Self.isPlain($0) ? String(Unicode.Scalar($0)) : Self.escape(of: $0) }.joined()
    let (_, definition) = try exchange(
      HTTPRequest(path: "\(prefix)/v1/tables/\(name)", token: token), within: seconds)
    let kind = definition.member(named: "source")?.member(named: "kind")?.string

    var body = JSONWriter()
    body.beginObject()
    body.key("table")
    body.string(escaping: Bytes(table))
    body.key("load")
    body.bool(kind != "client")
    body.endObject()
    let request = HTTPRequest(
      method: "POST", path: "\(prefix)/v1/sessions", token: token,
      prefer: awaitsRows ? "return=minimal" : "respond-async, return=minimal", body: body.text)
    let (head, _) = try exchange(request, within: awaitsRows ? seconds + 30 : seconds)
    let id = head.first("location")?.string.split(separator: "/").last ?? ""
    guard let session = SessionAddress(server: self, id: String(id)) else {
      throw .unfit("the answer does not say where the session is")
    }
    return session
  }

  /// Whether a byte may stand in a path as it is (RFC 3986 §2.3).
  private static func isPlain(_ byte: UInt8) -> Bool {
    byte < 0x80 && (Character(Unicode.Scalar(byte)).isLetter || 48...57 ~= byte || "-._~".utf8.contains(byte))
  }

  private static func escape(of byte: UInt8) -> String {
    "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
  }

  /// Sends a request and reads the whole answer, which must be a success with a JSON body.
  func exchange(
    _ request: HTTPRequest, within seconds: Double
  ) throws(RequestFailure) -> (ResponseHead, JSONValue) {
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
          case .body(let bytes):
            guard bytes.count <= Self.bodyLimit - body.count else {
              throw ConnectionLoss("the answer is larger than \(Self.bodyLimit) bytes")
            }
            body += bytes
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
    do throws(JSONError) {
      return (head, try JSONValue(parsing: Bytes(body)))
    } catch {
      throw .unfit("the answer is no JSON: \(error.message)")
    }
  }

  private static let bodyLimit = FollowingLimits().eventBytes
}

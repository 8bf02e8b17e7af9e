import Glibc
import JSONText

/// A request, as little of it as is needed here.
struct HTTPRequest {
  var method: StaticString = "GET"
  var path: String
  var accept: StaticString = "application/json"
  var token: String?
  var prefer: StaticString?
  var lastEventID: Int?
  var body: Bytes?

  /// The bytes to send to `server`; the connection is for this one exchange.
  ///
  /// The token is not sent where it could end its line, and with it the request.
  func bytes(to server: ServerAddress) -> [UInt8] {
    var text = "\(method) \(path) HTTP/1.1\r\nHost: \(server.authority)\r\nAccept: \(accept)\r\n"
    text += "User-Agent: rowcast\r\nConnection: close\r\n"
    if let token, token.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) {
      text += "Authorization: Bearer \(token)\r\n"
    }
    if let prefer { text += "Prefer: \(prefer)\r\n" }
    if let lastEventID { text += "Last-Event-ID: \(lastEventID)\r\n" }
    if let body { text += "Content-Type: application/json\r\nContent-Length: \(body.count)\r\n" }
    var bytes = Array((text + "\r\n").utf8)
    if let body { bytes.append(body) }
    return bytes
  }
}

/// One request and its response on a connection of their own, taken up again after each wait.
final class HTTPCall {
  /// What one turn came to.
  enum Turn {
    case parts([ResponsePart])
    case descriptor(Int32)
    case time
  }

  private var candidates: ArraySlice<SocketAddress>
  private var socket: Socket?
  private var isConnected = false
  private var unsent: ArraySlice<UInt8>
  private var reader = ResponseReader()
  private var isOver = false
  private var block = [UInt8](repeating: 0, count: 65_536)

  /// Looks the server up, which blocks as long as the resolver does; nothing is connected yet.
  init(_ request: HTTPRequest, to server: ServerAddress) throws(ConnectionLoss) {
    candidates = try SocketAddress.all(of: server.host, port: server.port)[...]
    unsent = request.bytes(to: server)[...]
  }

  /// Goes on until there is something of the response, `deadline` comes, or one of `others` becomes readable.
  func turn(until deadline: Double, others: [Int32] = []) throws(ConnectionLoss) -> Turn {
    guard !isOver else { throw ConnectionLoss("the server closed the stream") }
    while true {
      let socket = try currentSocket()
      let isSending = !isConnected || !unsent.isEmpty
      switch wait(
        socket: socket.descriptor, for: isSending ? POLLOUT : POLLIN, others: others, until: deadline)
      {
      case .descriptor(let descriptor): return .descriptor(descriptor)
      case .time: return .time
      case .ready: break
      }
      if !isConnected {
        try finishConnecting(socket)
      } else if isSending {
        try socket.send(&unsent)
      } else if let count = try socket.receive(into: &block) {
        let parts = try read(count)
        if !parts.isEmpty { return .parts(parts) }
      }
    }
  }

  private func currentSocket() throws(ConnectionLoss) -> Socket {
    if let socket { return socket }
    return try connectToNext()
  }

  private func connectToNext() throws(ConnectionLoss) -> Socket {
    guard let candidate = candidates.popFirst() else { throw ConnectionLoss("there is no address") }
    do throws(ConnectionLoss) {
      let socket = try candidate.connect()
      self.socket = socket
      return socket
    } catch {
      guard !candidates.isEmpty else { throw error }
      return try connectToNext()
    }
  }

  private func finishConnecting(_ socket: Socket) throws(ConnectionLoss) {
    do throws(ConnectionLoss) {
      try socket.checkConnected()
      isConnected = true
    } catch {
      guard !candidates.isEmpty else { throw error }
      self.socket = nil
    }
  }

  private func read(_ count: Int) throws(ConnectionLoss) -> [ResponsePart] {
    do throws(ResponseFault) {
      let parts = try count > 0 ? reader.read(block[..<count]) : reader.close()
      if case .end = parts.last { isOver = true }
      return parts
    } catch {
      throw ConnectionLoss(error.message)
    }
  }
}

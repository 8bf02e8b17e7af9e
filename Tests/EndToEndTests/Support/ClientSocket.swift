import Foundation
import TestSupport

/// One connection of a client to a server of the loopback, as bytes.
///
/// Every wait ends after 20 seconds, and one for a whole answer after 90.
///
/// All calls may block; make them in `onThread`.
final class ClientSocket {
  /// What went wrong with a connection or with what came over it.
  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  private var descriptor: Int32
  private var unread: [UInt8] = []

  /// Connects.
  ///
  /// - Parameter receiveBuffer: bytes that the system keeps for a reader that does not read; nil for its own choice.
  init(port: Int, receiveBuffer: Int32? = nil) throws {
    descriptor = Loopback.makeSocket()
    var patience = timeval(tv_sec: 20, tv_usec: 0)
    var one: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
    if var bytes = receiveBuffer { setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, 4) }
    guard Loopback.connect(descriptor, to: Int(port)) else { throw failure("connect") }
  }

  deinit { close() }

  /// Closes in the usual way.
  func close() {
    if descriptor >= 0 { Foundation.close(descriptor) }
    descriptor = -1
  }

  /// Closes with a reset: what is on its way is lost on both sides, and the port is free at once.
  func cut() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  /// Shuts the sending side: no more requests come.
  func endOfInput() { shutdown(descriptor, Int32(SHUT_WR)) }

  /// Whether something has come, or comes within so many seconds.
  func isReadable(within seconds: Double) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return !unread.isEmpty || poll(&waiting, 1, Int32(seconds * 1_000)) > 0
  }

  /// Sends all.
  func send(_ text: String) throws {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      let sent = rest.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard sent > 0 else { throw failure("send") }
      rest = rest.dropFirst(sent)
    }
  }

  /// Some of what comes, 1 to `limit` bytes; none when the server has closed.
  func receive(atMost limit: Int = 65_536) throws -> [UInt8] {
    if !unread.isEmpty {
      defer { unread.removeFirst(min(limit, unread.count)) }
      return Array(unread.prefix(limit))
    }
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, initialized in
      count = recv(descriptor, buffer.baseAddress, limit, 0)
      initialized = max(count, 0)
    }
    guard count >= 0 else { throw failure("receive") }
    return bytes
  }

  private func failure(_ what: String) -> Failure {
    Failure(description: "\(what): \(String(cString: strerror(errno)))")
  }
}

// MARK: Requests

/// A whole answer.
struct Answer {
  let status: Int
  /// The status line and the fields.
  let head: String
  let body: [UInt8]

  /// The body as text.
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The value of a field; nil where there is none.
  func field(_ name: String) -> String? {
    head.components(separatedBy: "\r\n")
      .first { $0.lowercased().hasPrefix(name.lowercased() + ":") }
      .map { $0.dropFirst(name.count + 1).trimmingCharacters(in: .whitespaces) }
  }
}

extension ClientSocket {
  /// Sends a request and reads its answer; a body is JSON.
  ///
  /// - Parameter fields: further fields, each with its CR LF.
  func call(_ method: String, _ path: String, _ body: String? = nil, fields: String = "") throws -> Answer {
    var request = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n\(fields)"
    if let body {
      request += "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    } else {
      request += "\r\n"
    }
    try send(request)
    return try answer(toHead: method == "HEAD")
  }

  /// Reads an answer with a Content-Length, or without a body.
  func answer(toHead: Bool = false) throws -> Answer {
    var bytes: [UInt8] = []
    // A stream sends something again and again, though no answer.
    let deadline = Date().addingTimeInterval(90)
    func need(_ isThere: () -> Bool) throws {
      while !isThere() {
        let more = try receive()
        guard Date() < deadline else { throw Failure(description: "no answer within 90 s") }
        guard !more.isEmpty else {
          throw Failure(description: "closed after \(String(decoding: bytes, as: UTF8.self))")
        }
        bytes += more
      }
    }
    var headEnd: Int?
    try need {
      headEnd = bytes.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound
      return headEnd != nil
    }
    let start = headEnd ?? 0
    let head = String(decoding: bytes[..<start], as: UTF8.self)
    let bare = Answer(status: Int(head.dropFirst(9).prefix(3)) ?? 0, head: head, body: [])
    let length = toHead ? 0 : bare.field("Content-Length").flatMap { Int($0) } ?? 0
    try need { bytes.count >= start + length }
    unread = Array(bytes[(start + length)...]) + unread
    return Answer(status: bare.status, head: head, body: Array(bytes[start..<(start + length)]))
  }
}

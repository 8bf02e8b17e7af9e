import Foundation
import TestSupport

/// A client on a plain blocking socket, with a limit of 10 seconds on every wait.
final class Client {
  private(set) var socket: Int32
  private var unread: [UInt8] = []

  struct Answer {
    var status = 0
    var head = ""
    var body: [UInt8] = []
    var text: String { String(decoding: body, as: UTF8.self) }
  }

  struct Failure: Error {
    let what: String
  }

  init(port: Int, receiveBuffer: Int32? = nil) throws {
    socket = Loopback.makeSocket()
    var limit = timeval(tv_sec: 10, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
    var one: Int32 = 1
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_NODELAY, &one, 4)
    if var bytes = receiveBuffer { setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &bytes, 4) }
    guard Loopback.connect(socket, to: Int(port)) else {
      throw Failure(what: "connect: \(String(cString: strerror(errno)))")
    }
  }

  deinit { close() }

  func close() {
    if socket >= 0 { Foundation.close(socket) }
    socket = -1
  }

  /// Closes with a reset in place of a FIN.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(socket, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  func endOfInput() { shutdown(socket, Int32(SHUT_WR)) }

  /// Sends all, or as much as the server takes; returns how much that was.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Int {
    var sent = 0
    while sent < bytes.count {
      let taken = bytes[sent...].withUnsafeBytes {
        Foundation.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if taken <= 0 { break }
      sent += taken
    }
    return sent
  }

  @discardableResult
  func send(_ text: String) -> Int { send(Array(text.utf8)) }

  func get(_ path: String, fields: String = "") {
    send("GET \(path) HTTP/1.1\r\nHost: test\r\n\(fields)\r\n")
  }

  /// Reads something into `unread`; false at the end of the stream.
  private func fill() throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = recv(socket, &buffer, buffer.count, 0)
    if count < 0 { throw Failure(what: "recv: \(String(cString: strerror(errno)))") }
    unread += buffer[..<count]
    return count > 0
  }

  /// Reads all up to and with `end`.
  func read(through end: String) throws -> String {
    let pattern = Array(end.utf8)
    while true {
      if let found = unread.firstRange(of: pattern) {
        defer { unread.removeSubrange(..<found.upperBound) }
        return String(decoding: unread[..<found.upperBound], as: UTF8.self)
      }
      guard try fill() else { throw Failure(what: "closed after \(String(decoding: unread, as: UTF8.self))") }
    }
  }

  func read(count: Int) throws -> [UInt8] {
    while unread.count < count {
      guard try fill() else { throw Failure(what: "closed \(count - unread.count) bytes early") }
    }
    defer { unread.removeSubrange(..<count) }
    return Array(unread[..<count])
  }

  /// Reads until the server closes.
  func readToEnd() throws -> [UInt8] {
    while try fill() {}
    defer { unread = [] }
    return unread
  }

  /// Whether the server has closed and nothing is left to read; waits for either.
  func isAtEnd() throws -> Bool {
    if !unread.isEmpty { return false }
    return try !fill()
  }

  func readHead() throws -> Answer {
    var answer = Answer()
    answer.head = try read(through: "\r\n\r\n")
    answer.status = Int(answer.head.dropFirst(9).prefix(3)) ?? 0
    return answer
  }

  /// Reads a whole answer with a Content-Length.
  func answer(toHead: Bool = false) throws -> Answer {
    var answer = try readHead()
    let line = answer.head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
    let length = line.flatMap { Int($0.dropFirst(15).trimmingCharacters(in: .whitespaces)) } ?? 0
    if !toHead { answer.body = try read(count: length) }
    return answer
  }

  /// Reads one chunk of a chunked body; nil for the last.
  func chunk() throws -> String? {
    let line = try read(through: "\r\n")
    // "\r\n" is one Character.
    guard let count = Int(line.dropLast(), radix: 16) else { throw Failure(what: "no chunk size: \(line)") }
    let data = try read(count: count)
    guard try read(through: "\r\n") == "\r\n" else { throw Failure(what: "a chunk without its end") }
    return count == 0 ? nil : String(decoding: data, as: UTF8.self)
  }
}

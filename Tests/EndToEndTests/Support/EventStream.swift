import Foundation

/// One event of a change feed.
struct ServerEvent: Equatable, Sendable {
  /// The revision; only an `end` has none.
  let id: Int?
  let name: String
  let data: [UInt8]

  /// The data as text.
  var text: String { String(decoding: data, as: UTF8.self) }
}

/// Reads the bytes of a stream, in whatever pieces they come: the head, chunks, and in them events.
///
/// It takes what protocol §8 writes and nothing else: `retry: 2000` first, then events of `id`, `event` and one line of
/// `data`, in this order, and comments between them. It shares no code with the server.
struct EventReader {
  /// The status line and the fields; nil until they are whole.
  private(set) var head: String?
  /// The body is over.
  private(set) var isAtEnd = false
  /// Comment lines so far: the heartbeats.
  private(set) var comments = 0
  /// The whole events, in order; whoever reads them takes them out.
  var events: [ServerEvent] = []

  /// What has come and is not understood yet.
  private var raw: [UInt8] = []
  /// Bytes of chunks from the last whole event on.
  private var text: [UInt8] = []
  /// How far `text` was looked at: no event ends before.
  private var searched = 0
  /// What is left of the chunk, with the CR LF behind it.
  private var left = 0
  private var hasRetry = false

  /// The status of the answer; 0 until it is there.
  var status: Int { head.flatMap { Int($0.dropFirst(9).prefix(3)) } ?? 0 }

  /// Takes more bytes, none to a body's end.
  mutating func take(_ bytes: some Collection<UInt8>) throws {
    raw += bytes
    var start = 0
    if head == nil {
      guard let end = raw.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound else { return }
      head = String(decoding: raw[..<end], as: UTF8.self)
      start = end
    }
    while start < raw.count, !isAtEnd {
      if left == 0 {
        guard let end = raw[start...].firstIndex(of: UInt8(ascii: "\n")) else { break }
        let line = String(decoding: raw[start..<end], as: UTF8.self)
        guard line.hasSuffix("\r"), let size = Int(line.dropLast(), radix: 16) else { throw malformed(line) }
        start = end + 1
        left = size + 2
        isAtEnd = size == 0
      }
      let count = min(left, raw.count - start)
      text += raw[start..<(start + max(0, min(count, left - 2)))]
      start += count
      left -= count
    }
    raw.removeFirst(start)
    try readEvents()
  }

  private mutating func readEvents() throws {
    var start = 0
    while let end = endOfBlock(from: start) {
      try read(block: text[start..<end])
      start = end + 2
      searched = start
    }
    text.removeFirst(start)
    searched = max(0, text.count - 1)
  }

  /// Where the two line feeds stand that end the block at `start`.
  private func endOfBlock(from start: Int) -> Int? {
    text.withUnsafeBytes { bytes in
      var place = max(start, searched)
      while let base = bytes.baseAddress, place < bytes.count,
        let found = memchr(base + place, 0x0A, bytes.count - place)
      {
        place = UnsafeRawPointer(found) - base
        if place + 1 < bytes.count, bytes[place + 1] == 0x0A { return place }
        place += 1
      }
      return nil
    }
  }

  private mutating func read(block: ArraySlice<UInt8>) throws {
    if block.first == UInt8(ascii: ":") {
      guard !block.contains(0x0A) else { throw malformed(String(decoding: block, as: UTF8.self)) }
      return comments += 1
    }
    let lines = block.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard !block.contains(0x0D) else { throw malformed("a carriage return") }
    if !hasRetry {
      guard lines.count == 1, lines[0].elementsEqual("retry: 2000".utf8) else { throw malformed("no retry") }
      return hasRetry = true
    }
    func value(_ line: Int, _ name: String) -> ArraySlice<UInt8>? {
      let prefix = Array("\(name): ".utf8)
      return line < lines.count && lines[line].starts(with: prefix)
        ? lines[line].dropFirst(prefix.count) : nil
    }
    let id = value(0, "id").flatMap { Int(String(decoding: $0, as: UTF8.self)) }
    let first = id == nil ? 0 : 1
    guard let name = value(first, "event"), let data = value(first + 1, "data"), lines.count == first + 2,
      (id == nil) == name.elementsEqual("end".utf8)
    else { throw malformed(String(decoding: block, as: UTF8.self)) }
    events.append(ServerEvent(id: id, name: String(decoding: name, as: UTF8.self), data: Array(data)))
  }

  private func malformed(_ what: String) -> ClientSocket.Failure {
    ClientSocket.Failure(description: "not a change feed: \(what.prefix(500))")
  }
}

/// An open change feed.
///
/// It keeps its server running.
final class EventStream {
  let socket: ClientSocket
  private let server: RunningServer
  private(set) var reader = EventReader()

  /// Asks for a stream and waits for the head of its answer.
  ///
  /// - Parameter fields: further fields, each with its CR LF.
  init(
    _ server: RunningServer, _ path: String, after lastEventID: Int? = nil, fields: String = "",
    receiveBuffer: Int32? = nil
  ) throws {
    self.server = server
    socket = try ClientSocket(port: server.port, receiveBuffer: receiveBuffer)
    let resumption = lastEventID.map { "Last-Event-ID: \($0)\r\n" } ?? ""
    try socket.send(
      "GET \(path) HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\(resumption)\(fields)\r\n")
    while reader.head == nil, try read(atMost: 4096) {}
    guard reader.status == 200 else {
      throw ClientSocket.Failure(description: "no stream: \(reader.head ?? "nothing")")
    }
  }

  /// Takes some of what comes; false when the server has closed.
  func read(atMost limit: Int = 65_536) throws -> Bool {
    let bytes = try socket.receive(atMost: limit)
    try reader.take(bytes)
    return !bytes.isEmpty
  }

  /// The next event, within 20 seconds (heartbeats or not); nil when the body has ended and the server has closed
  /// behind it.
  ///
  /// - Parameters:
  ///   - limit: bytes that are read at a time.
  ///   - pace: called before each read.
  func next(atMost limit: Int = 65_536, pace: () -> Void = {}) throws -> ServerEvent? {
    let deadline = Date().addingTimeInterval(20)
    while reader.events.isEmpty {
      guard Date() < deadline else { throw ClientSocket.Failure(description: "no event within 20 s") }
      pace()
      if try !read(atMost: limit) {
        guard reader.isAtEnd else { throw ClientSocket.Failure(description: "closed within the body") }
        return nil
      }
    }
    return reader.events.removeFirst()
  }

  /// The next event, which there has to be.
  func event() throws -> ServerEvent {
    guard let event = try next() else { throw ClientSocket.Failure(description: "the stream has ended") }
    return event
  }
}

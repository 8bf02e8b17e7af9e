import JSONText

/// Reads a `text/event-stream` from bytes that may be cut anywhere (WHATWG HTML §9.2.6).
///
/// Lines end with CR, LF or both; comments and unknown fields are passed over; an event that the stream's end cuts off
/// is never given. It keeps the event being read, at most `limit` bytes, and copies each byte twice at most.
public struct EventStreamParser: Sendable {
  /// What the stream asks to wait before the next connection, in milliseconds; nil where it has not.
  public private(set) var reconnectionMilliseconds: Int?

  private let limit: Int
  private var line: [UInt8] = []
  private var data: [UInt8] = []
  private var hasData = false
  private var type = Bytes.empty
  private var lastID = Bytes.empty
  private var isAtStart = true
  private var sawReturn = false

  /// A parser at the start of a stream that holds events of up to `limit` bytes.
  public init(limit: Int = 1 << 29) {
    self.limit = limit
  }

  /// Takes bytes in and gives the events that they complete; O(n).
  public mutating func read(_ bytes: ArraySlice<UInt8>) throws(EventTooLarge) -> [ServerSentEvent] {
    var events: [ServerSentEvent] = []
    var rest = bytes
    while let first = rest.first {
      if sawReturn {
        sawReturn = false
        if first == UInt8(ascii: "\n") {
          rest.removeFirst()
          continue
        }
      }
      let end = rest.firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
      let piece = rest[..<(end ?? rest.endIndex)]
      guard piece.count <= limit - line.count - data.count else { throw EventTooLarge(limit: limit) }
      line += piece
      guard let end else { break }
      sawReturn = rest[end] == UInt8(ascii: "\r")
      rest = rest[(end + 1)...]
      if let event = finishLine() { events.append(event) }
    }
    return events
  }

  private mutating func finishLine() -> ServerSentEvent? {
    if isAtStart {
      isAtStart = false
      if line.starts(with: [0xEF, 0xBB, 0xBF]) { line.removeFirst(3) }
    }
    guard !line.isEmpty else { return dispatch() }
    let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
    var value = line[min(colon + 1, line.endIndex)...]
    if value.first == UInt8(ascii: " ") { value.removeFirst() }
    take(field: line[..<colon], value)
    line.removeAll(keepingCapacity: line.count < 65_536)
    return nil
  }

  private mutating func take(field: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
    if field.elementsEqual("data".utf8) {
      if hasData { data.append(UInt8(ascii: "\n")) }
      hasData = true
      data += value
    } else if field.elementsEqual("event".utf8) {
      type = Bytes(Array(value))
    } else if field.elementsEqual("id".utf8) {
      if !value.contains(0) { lastID = Bytes(Array(value)) }
    } else if field.elementsEqual("retry".utf8) {
      let isNumber = !value.isEmpty && value.allSatisfy { 48...57 ~= $0 }
      if isNumber, let milliseconds = Int(String(decoding: value, as: UTF8.self)) {
        reconnectionMilliseconds = milliseconds
      }
    }
  }

  private mutating func dispatch() -> ServerSentEvent? {
    defer {
      data = []
      hasData = false
      type = .empty
    }
    guard hasData else { return nil }
    return ServerSentEvent(type: type.isEmpty ? "message" : type, data: Bytes(data), lastID: lastID)
  }
}

import JSONText
import RowcastClient
import Testing

@Suite("The parser of event streams") struct EventStreamParserTests {
  private static let stream = Array(
    ("\u{FEFF}retry: 2000\n\n: a comment\n\nid: 7\nevent: snapshot\ndata: {\"a\":\"ü\"}\n\n"
      + "data: one\rdata:two\r\rdata:  three\r\n\r\ndata\r\ndata:\r\n\r\n"
      + "event: lost\n\nid: x\u{0}y\nretry: soon\nunknown: z\nevent: change\ndata: four\n\n"
      + "id\ndata: five\n\nid: 8\ndata: never ended\n").utf8)

  private static let events = [
    ServerSentEvent(type: "snapshot", data: "{\"a\":\"ü\"}", lastID: "7"),
    ServerSentEvent(type: "message", data: "one\ntwo", lastID: "7"),
    ServerSentEvent(type: "message", data: " three", lastID: "7"),
    ServerSentEvent(type: "message", data: "\n", lastID: "7"),
    ServerSentEvent(type: "change", data: "four", lastID: "7"),
    ServerSentEvent(type: "message", data: "five", lastID: ""),
  ]

  @Test("gives the same events wherever the stream is cut")
  func everyCut() throws {
    let stream = Self.stream
    for cut in 0...stream.count {
      var parser = EventStreamParser()
      let events = try parser.read(stream[..<cut]) + parser.read(stream[cut...])
      #expect(events == Self.events, "cut at \(cut)")
      #expect(parser.reconnectionMilliseconds == 2_000)
    }
    var parser = EventStreamParser()
    var events: [ServerSentEvent] = []
    for index in stream.indices { events += try parser.read(stream[index...index]) }
    #expect(events == Self.events)
  }

  @Test("never gives an event that the stream's end cuts off")
  func everyEnd() throws {
    for end in Self.stream.indices {
      var parser = EventStreamParser()
      let events = try parser.read(Self.stream[..<end])
      #expect(events == Array(Self.events.prefix(events.count)), "ended at \(end)")
    }
  }

  @Test("gives up an event that is larger than it may hold, and no other")
  func limit() throws {
    var parser = EventStreamParser(limit: 16)
    #expect(try parser.read(Array("data: 0123456789\n\ndata: 0123456789\n\n".utf8)[...]).count == 2)
    #expect(throws: EventTooLarge.self) { try parser.read(Array("data: 0123456789a".utf8)[...]) }
    var lines = EventStreamParser(limit: 16)
    #expect(throws: EventTooLarge.self) {
      try lines.read(Array(String(repeating: "data: 012\n", count: 5).utf8)[...])
    }
  }
}

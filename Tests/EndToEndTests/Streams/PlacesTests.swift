import Foundation
import Testing
import TestSupport

/// A session has places for so many who follow it (`limits.subscribersPerSession`), streams and waiting polls together.
@Suite(.fewAtOnce, .timeLimit(.minutes(5))) struct PlacesTests {
  @Test(
    "a poll that waits holds a place until its client leaves",
    arguments: ["closes", "breaks off", "shuts its sending side"])
  func leaving(how: String) async throws {
    try await onThread {
      let house = try House()
      let poll = try house.waitingPoll()
      try house.expectFull("two streams and a poll")
      #expect(try house.play.call("GET", "/changes?since=0&wait=60").status == 200, "it need not wait")
      switch how {
      case "closes": poll.close()
      case "breaks off": poll.cut()
      default:
        poll.endOfInput()
        #expect(try poll.answer().text == "{\"revision\":\(house.start),\"changes\":[]}")
      }
      try house.expectRoom("the poll's client \(how)")
    }
  }

  @Test("a poll that waits holds a place until it is answered: by its time, by news, by the session's end")
  func answering() async throws {
    try await onThread {
      let house = try House()
      let begin = Date()
      #expect(try house.poll(wait: 1).answer().text == "{\"revision\":\(house.start),\"changes\":[]}")
      #expect(Date().timeIntervalSince(begin) > 0.9)
      try house.expectRoom("its time is over")
      let told = try house.waitingPoll()
      let revision = try house.play.command("insert", "{\"rows\":[{\"data\":1}]}")
      #expect(try told.answer().text.hasPrefix("{\"revision\":\(revision),\"changes\":[{"))
      try house.expectRoom("there was news")
      let last = try house.waitingPoll(after: revision)
      #expect(try house.play.call("DELETE").status == 204)
      let answer = try last.answer()
      #expect(answer.status == 410 && answer.text.contains("\"/problems/session-ended\""))
    }
  }

  @Test("a stream holds a place until its client leaves", arguments: ["closes", "breaks off"])
  func streams(how: String) async throws {
    try await onThread {
      let house = try House()
      let poll = try house.waitingPoll()
      try house.expectFull("two streams and a poll")
      if how == "closes" { house.streams[0].socket.close() } else { house.streams[0].socket.cut() }
      try house.expectRoom("a stream's client \(how)")
      #expect(!poll.isReadable(within: 0), "the poll was answered without news")
    }
  }

  /// A session of three places, two of them taken by streams.
  private struct House {
    let play: Playground
    let start: Int
    let streams: [EventStream]

    init() throws {
      let play = try Playground(try RunningServer(limits: "\"subscribersPerSession\": 3"))
      self.play = play
      start = try play.snapshot().revision
      streams = try (0..<2).map { _ in try play.stream() }
    }

    /// A connection that asks for news.
    func poll(after revision: Int? = nil, wait: Int = 60) throws -> ClientSocket {
      let socket = try ClientSocket(port: play.server.port)
      let query = "since=\(revision ?? start)&wait=\(wait)"
      try socket.send("GET \(play.changes)?\(query) HTTP/1.1\r\nHost: localhost\r\n\r\n")
      return socket
    }

    /// A poll that has got the third place.
    ///
    /// Others ask for one until they are refused, which then is the poll's doing, for each gives its own back before the
    /// next one asks. Where one was faster than the poll, and that was refused, it asks again.
    func waitingPoll(after revision: Int? = nil) throws -> ClientSocket {
      let deadline = Date().addingTimeInterval(60)
      var socket = try poll(after: revision)
      while Date() < deadline {
        if try streamStatus() == 429 { return socket }
        if socket.isReadable(within: 0) { socket = try poll(after: revision) }
      }
      throw ClientSocket.Failure(description: "no place for a poll within a minute")
    }

    /// Neither a stream nor a poll finds a place.
    func expectFull(_ what: String) throws {
      let stream = "Accept: text/event-stream\r\n"
      for answer in [try poll().answer(), try play.call("GET", "/changes", fields: stream)] {
        #expect(answer.status == 429 && answer.text.contains("\"/problems/too-many-subscribers\""), "\(what)")
        #expect(answer.text.contains("\"revision\":\(start)"), "\(what)")
      }
    }

    /// Soon a stream finds a place, though one alone: the server sees within the turn of a loop what has happened to a
    /// connection.
    func expectRoom(_ what: String) throws {
      let deadline = Date().addingTimeInterval(60)
      var found: EventStream?
      while found == nil, Date() < deadline { found = try? play.stream() }
      let stream = try #require(found, "no place within a minute after \(what)")
      #expect(try streamStatus() == 429, "more than one place after \(what)")
      try giveBack(stream.socket)
    }

    /// How a stream is answered, which has given its place back then.
    private func streamStatus() throws -> Int {
      let socket = try ClientSocket(port: play.server.port)
      try socket.send("GET \(play.changes) HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n")
      let status = try socket.answer(toHead: true).status
      if status == 200 { try giveBack(socket) }
      return status
    }

    /// Leaves a stream, and waits until the server has seen it.
    private func giveBack(_ stream: ClientSocket) throws {
      stream.endOfInput()
      while try !stream.receive().isEmpty {}
    }
  }
}

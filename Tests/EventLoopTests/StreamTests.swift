import EventLoop
import Foundation
import HTTP1
import Testing

extension EventLoopTests {
  @Suite struct StreamTests {
    private let streams = Box<any ResponseStream>()
    private let ends = Box<StreamEnd>()

    private func limits(_ change: (inout StreamLimits) -> Void = { _ in }) -> StreamLimits {
      var limits = StreamLimits(bufferBytes: 1 << 20, lagging: Array("event: end\n\n".utf8))
      change(&limits)
      return limits
    }

    /// Opens a stream for each request.
    private func opening(
      _ limits: StreamLimits
    ) -> @Sendable (Request, any Exchange) -> Void {
      { [streams, ends] _, exchange in
        var head = Response(status: 200)
        head.add("Content-Type", "text/event-stream")
        streams.put(exchange.openStream(head, limits: limits) { ends.put($0) })
      }
    }

    @Test("Frames from several threads come whole, each thread's in order, small and large")
    func frames() throws {
      try serving(opening(limits { $0.bufferBytes = 1 << 30 })) { _, port in
        let client = try Client(port: port)
        client.get("/s")
        let stream = try streams.take()
        let done = Box<Void>()
        for name in ["a", "b", "c"] {
          onThread {
            for number in 0..<300 {
              let filler = String(repeating: name, count: number % 10 == 0 ? 20_000 : number)
              stream.send(Array("\(name) \(number) \(filler)".utf8), countsAsLag: true)
            }
            done.put(())
          }
        }
        let head = try client.readHead()
        #expect(head.head.contains("Transfer-Encoding: chunked\r\n"))
        var next = ["a": 0, "b": 0, "c": 0]
        for _ in 0..<900 {
          let parts = try #require(try client.chunk()).split(separator: " ", omittingEmptySubsequences: false)
          let name = String(parts[0])
          let number = next[name] ?? -1
          #expect(parts[1] == "\(number)")
          #expect(parts[2].utf8.count == (number % 10 == 0 ? 20_000 : number))
          next[name] = number + 1
        }
        for _ in 0..<3 { try done.take() }
        stream.finish(Array("bye".utf8))
        stream.send(Array("too late".utf8), countsAsLag: true)
        #expect(try client.chunk() == "bye")
        #expect(try client.chunk() == nil)
        #expect(try client.isAtEnd())
        #expect(try ends.take() == .finished)
      }
    }

    @Test("HTTP/1.0 gets the bytes as they are and the close as their end")
    func oldClients() throws {
      try serving(opening(limits())) { _, port in
        let client = try Client(port: port)
        client.send("GET /s HTTP/1.0\r\n\r\n")
        let stream = try streams.take()
        stream.send(Array("one".utf8), countsAsLag: true)
        stream.finish(Array("two".utf8))
        _ = try client.readHead()
        #expect(try client.readToEnd() == Array("onetwo".utf8))
        #expect(try ends.take() == .finished)
      }
    }

    @Test("HEAD gets the head only and the connection goes on")
    func head() throws {
      try serving(opening(limits())) { _, port in
        let client = try Client(port: port)
        for _ in 0..<2 {
          client.send("HEAD /s HTTP/1.1\r\nHost: test\r\n\r\n")
          #expect(try client.readHead().status == 200)
          try streams.take().send([1, 2, 3], countsAsLag: true)
          #expect(try ends.take() == .finished)
        }
      }
    }

    @Test("A client that goes away is noticed at once", arguments: [true, false])
    func clientCloses(reset: Bool) throws {
      try serving(opening(limits())) { _, port in
        let client = try Client(port: port)
        client.get("/s")
        _ = try client.readHead()
        let stream = try streams.take()
        if reset { client.reset() } else { client.close() }
        #expect(try ends.take() == .clientClosed)
        stream.send([1], countsAsLag: true)
        stream.finish([])
      }
      #expect(ends.count == 0)
    }

    @Test("A reader that lags is told so behind a whole frame, and loses what waited")
    func lagging() throws {
      try serving(opening(limits { $0.bufferBytes = 100_000 })) { _, port in
        let client = try Client(port: port, receiveBuffer: 4096)
        client.get("/s")
        let stream = try streams.take()
        let frame = [UInt8](repeating: UInt8(ascii: "f"), count: 50_000)
        var sent = 0
        while ends.count == 0, sent < 2_000 {
          stream.send(frame, countsAsLag: true)
          sent += 1
          usleep(200)  // A pace at which a reader could keep up.
        }
        #expect(try ends.take() == .lagging)
        _ = try client.readHead()
        var received = 0
        var last = ""
        while let chunk = try client.chunk() {
          received += 1
          if chunk.utf8.count != frame.count { last = chunk }
        }
        #expect(last == "event: end\n\n")
        #expect(received - 1 < sent)
        #expect(try client.isAtEnd())
      }
    }

    @Test("A snapshot is no lag, however large")
    func snapshots() throws {
      try serving(opening(limits { $0.bufferBytes = 1000 })) { _, port in
        let client = try Client(port: port, receiveBuffer: 4096)
        client.get("/s")
        let stream = try streams.take()
        for _ in 0..<3 { stream.send([UInt8](repeating: 65, count: 10_000_000), countsAsLag: false) }
        stream.send([UInt8](repeating: 66, count: 900), countsAsLag: true)
        _ = try client.readHead()
        for _ in 0..<3 { #expect(try client.chunk()?.utf8.count == 10_000_000) }
        #expect(try client.chunk()?.utf8.count == 900)
      }
    }

    @Test("A reader that takes no byte is cut off")
    func stalling() throws {
      try serving(
        opening(
          limits {
            $0.stallSeconds = 0.3
            $0.bufferBytes = 1 << 30
          })
      ) { _, port in
        let client = try Client(port: port, receiveBuffer: 4096)
        client.get("/s")
        let stream = try streams.take()
        stream.send([UInt8](repeating: 65, count: 20_000_000), countsAsLag: false)
        let (end, spent) = try timed { try ends.take() }
        #expect(end == .stalled)
        #expect(spent > 0.25 && spent < 3)
      }
    }

    @Test("A reader that takes little at a time is not taken for one that takes nothing")
    func trickling() throws {
      try serving(
        opening(
          limits {
            $0.stallSeconds = 0.4
            $0.bufferBytes = 1 << 30
          })
      ) { _, port in
        let client = try Client(port: port, receiveBuffer: 4096)
        client.get("/s")
        let stream = try streams.take()
        stream.send([UInt8](repeating: 65, count: 20_000_000), countsAsLag: false)
        _ = try client.readHead()
        // Four spans of patience, in which the reader takes less than the socket holds.
        for _ in 0..<80 {
          _ = try client.read(count: 4_000)
          usleep(20_000)  // The reader's pace.
        }
        #expect(ends.count == 0)
      }
    }

    @Test("A quiet stream beats, a busy one does not")
    func heartbeats() throws {
      try serving(
        opening(
          limits {
            $0.heartbeat = Array(":\n\n".utf8)
            $0.heartbeatSeconds = 0.2
          })
      ) { _, port in
        let client = try Client(port: port)
        client.get("/s")
        _ = try client.readHead()
        let (beats, spent) = try timed { try (0..<3).map { _ in try client.chunk() } }
        #expect(beats == [":\n\n", ":\n\n", ":\n\n"])
        #expect(spent > 0.5 && spent < 3)
        let stream = try streams.take()
        for number in 0..<20 {
          stream.send(Array("\(number)".utf8), countsAsLag: true)
          usleep(30_000)  // A pace above that of heartbeats.
        }
        let chunks = try (0..<20).map { _ in try client.chunk() ?? "" }
        #expect(chunks.filter { $0 == ":\n\n" }.count <= 1)
      }
    }

    @Test("A thousand streams of one sender all get every frame")
    func fanOut() throws {
      try serving(opening(limits())) { _, port in
        FileLimit.raise()
        let clients = try (0..<500).map { _ in
          let client = try Client(port: port)
          client.get("/s")
          return client
        }
        let all = try clients.map { _ in try streams.take() }
        for number in 0..<20 {
          let frame = Array("frame \(number)".utf8)
          for stream in all { stream.send(frame, countsAsLag: true) }
        }
        for stream in all { stream.finish([]) }
        for client in clients {
          _ = try client.readHead()
          for number in 0..<20 { #expect(try client.chunk() == "frame \(number)") }
          #expect(try client.chunk() == nil)
        }
        for _ in clients { #expect(try ends.take() == .finished) }
      }
    }
  }
}

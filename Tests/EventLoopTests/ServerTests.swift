import EventLoop
import Foundation
import HTTP1
import Testing

extension EventLoopTests {
  @Suite struct ServerTests {
    @Test("A second server on the same port is refused", arguments: [1, 3], [1, 3])
    func portInUse(first: Int, second: Int) throws {
      try serving(threads: first, echo) { server, port in
        #expect(server.address.description == "127.0.0.1:\(port)")
        #expect(server.loops.count == first)
        let error = #expect(throws: ServerError.self) {
          try Server(ServerConfiguration(port: port, threads: second), handler: TestHandler(body: echo))
        }
        #expect(error?.code == .addressInUse)
        #expect(error?.description.contains("\(port)") == true)
      }
    }

    @Test("A port can be taken again at once")
    func portAgain() throws {
      var port = 0
      for _ in 0..<3 {
        let server = try Server(
          ServerConfiguration(port: port, threads: 2), handler: TestHandler(body: echo))
        port = server.address.port
        try server.start()
        let client = try Client(port: port)
        client.get("/")
        #expect(try client.answer().status == 200)
        server.stop()
        server.wait()
        #expect(server.activeConnections == 0)
      }
    }

    @Test("A host is a number of either family, localhost, or unknown")
    func hosts() throws {
      let handler = TestHandler(body: echo)
      #expect(
        try Server(ServerConfiguration(host: "localhost"), handler: handler).address.host == "127.0.0.1")
      #expect(try Server(ServerConfiguration(host: "0.0.0.0"), handler: handler).address.host == "0.0.0.0")
      if let six = try? Server(ServerConfiguration(host: "::1"), handler: handler) {
        #expect(six.address.description == "[::1]:\(six.address.port)")
      }
      for (host, port) in [("192.0.2.1", 0), ("no such host", 0), ("127.0.0.1", 70_000), ("127.0.0.1", -1)] {
        let error = #expect(throws: ServerError.self) {
          try Server(ServerConfiguration(host: host, port: port), handler: handler)
        }
        #expect(error?.code == .addressUnavailable, "\(host) \(port): \(error?.description ?? "")")
      }
    }

    @Test("A drain lets answers in flight finish, ends idle connections and takes no new ones")
    func drain() throws {
      let exchanges = Box<any Exchange>()
      let handler: @Sendable (Request, any Exchange) -> Void = { request, exchange in
        if request.path.count > 1 { exchanges.put(exchange) } else { echo(request, exchange) }
      }
      try serving(handler) { server, port in
        let idle = try Client(port: port)
        idle.get("/")
        _ = try idle.answer()
        let busy = try Client(port: port)
        busy.get("/busy")
        let exchange = try exchanges.take()
        let done = Box<Void>()
        server.drain(seconds: 10) { done.put(()) }
        #expect(try idle.isAtEnd())
        #expect(done.count == 0)
        exchange.respond(Response(status: 200))
        let answer = try busy.answer()
        #expect(answer.head.lowercased().contains("connection: close"))
        busy.close()
        try done.take("the end of the drain")
        #expect(throws: Client.Failure.self) { try Client(port: port) }
      }
    }

    @Test("A drain ends at its limit")
    func drainLimit() throws {
      let ends = Box<StreamEnd>()
      let handler: @Sendable (Request, any Exchange) -> Void = { request, exchange in
        guard request.path.count > 1 else { return }
        _ = exchange.openStream(Response(status: 200), limits: StreamLimits(bufferBytes: 1)) { ends.put($0) }
      }
      try serving(handler) { server, port in
        let waiting = try Client(port: port)
        waiting.get("/")
        let streaming = try Client(port: port)
        streaming.get("/s")
        _ = try streaming.readHead()
        let done = Box<Void>()
        let (_, spent) = try timed {
          server.drain(seconds: 0.3) { done.put(()) }
          try done.take()
        }
        #expect(spent > 0.25 && spent < 3)
        #expect(try ends.take() == .finished)
      }
    }
  }
}

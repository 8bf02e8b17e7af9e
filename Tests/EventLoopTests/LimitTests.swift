import EventLoop
import Foundation
import HTTP1
import Testing

extension EventLoopTests {
  @Suite struct LimitTests {
    /// Sends a byte every 20 ms until the server has answered; returns the answer.
    private func dribble(_ client: Client) throws -> Client.Answer {
      let socket = client.socket
      let stop = Box<Void>()
      let stopped = Box<Void>()
      onThread {
        while stop.count == 0, Foundation.send(socket, "x", 1, Int32(MSG_NOSIGNAL)) == 1 {
          usleep(20_000)  // The pace of a slow client, not a wait for something.
        }
        stopped.put(())
      }
      defer {
        stop.put(())
        _ = try? stopped.take()
      }
      return try client.answer()
    }

    @Test("A head that trickles in is cut off at its absolute limit")
    func slowHead() throws {
      try serving(limits: { $0.headerSeconds = 0.3 }, echo) { _, port in
        let client = try Client(port: port)
        client.get("/first")
        _ = try client.answer()
        client.send("GET /")
        let (answer, spent) = try timed { try dribble(client) }
        #expect(answer.status == 408)
        #expect(spent > 0.25 && spent < 2)
      }
    }

    @Test("A body that trickles in is cut off at its absolute limit")
    func slowBody() throws {
      try serving(limits: { $0.bodySeconds = 0.3 }, echo) { _, port in
        let client = try Client(port: port)
        client.send("PUT / HTTP/1.1\r\nHost: test\r\nContent-Length: 100000\r\n\r\n")
        let (answer, spent) = try timed { try dribble(client) }
        #expect(answer.status == 408)
        #expect(spent > 0.25 && spent < 2)
      }
    }

    @Test("A connection without a request is closed without a word")
    func silence() throws {
      try serving(
        limits: {
          $0.headerSeconds = 0.2
          $0.keepAliveSeconds = 0.4
        }, echo
      ) { _, port in
        let silent = try Client(port: port)
        let (closed, patience) = try timed { try silent.isAtEnd() }
        #expect(closed && patience > 0.15)
        let idle = try Client(port: port)
        idle.get("/")
        _ = try idle.answer()
        let (ended, rest) = try timed { try idle.isAtEnd() }
        #expect(ended && rest > 0.35)
      }
    }

    @Test("A request that is being answered has all the time it takes")
    func slowService() throws {
      let exchanges = Box<any Exchange>()
      try serving(
        limits: {
          $0.headerSeconds = 0.1
          $0.bodySeconds = 0.1
          $0.keepAliveSeconds = 0.1
        }, { exchanges.put($1) }
      ) { server, port in
        let client = try Client(port: port)
        client.send("PUT / HTTP/1.1\r\nHost: test\r\nContent-Length: 1\r\n\r\nx")
        let exchange = try exchanges.take()
        let later = Box<Void>()
        server.loops[0].schedule(after: 0.5) { later.put(()) }
        try later.take()
        exchange.respond(Response(status: 204))
        #expect(try client.answer().status == 204)
      }
    }

    @Test("A reader of an answer that takes nothing is closed, one that reads on is not")
    func stalledReader() throws {
      let body = [UInt8](repeating: 65, count: 30_000_000)
      try serving(
        limits: { $0.stallSeconds = 0.4 }, { $1.respond(Response(status: 200, body: .bytes(body))) }
      ) { server, port in
        let stalled = try Client(port: port, receiveBuffer: 4096)
        stalled.get("/")
        let slow = try Client(port: port, receiveBuffer: 65_536)
        slow.get("/")
        _ = try slow.readHead()
        let (_, spent) = try timed {
          for _ in 0..<60 {
            _ = try slow.read(count: 500_000)
            usleep(20_000)  // The pace of a slow reader.
          }
        }
        #expect(spent > 1)
        let received = (try? stalled.readToEnd().count) ?? 0
        #expect(received < body.count)
      }
    }

    @Test("A connection too many is told so and closed, and makes no difference to the others")
    func connectionLimit() throws {
      try serving(limits: { $0.connections = 3 }, echo) { server, port in
        let clients = try (0..<3).map { _ in try Client(port: port) }
        for client in clients {
          client.get("/in")
          #expect(try client.answer().status == 200)
        }
        for _ in 0..<10 {
          let refused = try Client(port: port)
          refused.get("/out")
          #expect(try refused.answer().status == 503)
          #expect(try refused.isAtEnd())
        }
        #expect(server.activeConnections == 3)
        for client in clients {
          client.get("/still")
          #expect(try client.answer().text == "get /still ")
        }
      }
    }
  }
}

import EventLoop
import Foundation
import HTTP1
import Testing

extension EventLoopTests {
  @Suite struct ConnectionTests {
    @Test("A connection carries one request after the other")
    func keepAlive() throws {
      try serving(echo) { server, port in
        let client = try Client(port: port)
        for number in 0..<50 {
          client.get("/\(number)")
          #expect(try client.answer().text == "get /\(number) ")
        }
        #expect(server.activeConnections == 1)
      }
    }

    @Test("Pipelined requests are answered in order", arguments: [1, 100, 5_000])
    func pipelining(count: Int) throws {
      try serving(echo) { _, port in
        let client = try Client(port: port)
        let requests = (0..<count).map { "GET /\($0) HTTP/1.1\r\nHost: test\r\n\r\n" }.joined()
        onThread { [socket = client.socket] in
          let bytes = Array(requests.utf8)
          var sent = 0
          while sent < bytes.count {
            let taken = bytes[sent...].withUnsafeBytes { write(socket, $0.baseAddress, $0.count) }
            if taken <= 0 { return }
            sent += taken
          }
        }
        for number in 0..<count {
          let text = try client.answer().text
          guard text == "get /\(number) " else {
            Issue.record("answer \(number) is \(text)")
            return
          }
        }
      }
    }

    @Test("Pipelined requests wait for an answer that comes from another thread")
    func pipeliningBehindSlowAnswers() throws {
      let handler: @Sendable (Request, any Exchange) -> Void = { request, exchange in
        if request.path.last == UInt8(ascii: "0") {
          onThread { echo(request, exchange) }
        } else {
          echo(request, exchange)
        }
      }
      try serving(handler) { _, port in
        let client = try Client(port: port)
        client.send((0..<200).map { "GET /\($0) HTTP/1.1\r\nHost: test\r\n\r\n" }.joined())
        for number in 0..<200 {
          #expect(try client.answer().text == "get /\(number) ")
        }
      }
    }

    @Test("A request may come byte by byte")
    func byteByByte() throws {
      try serving(echo) { _, port in
        let client = try Client(port: port)
        let requests =
          "POST /a HTTP/1.1\r\nHost: test\r\nContent-Length: 5\r\n\r\nhello"
          + "POST /b HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nyo\r\n1\r\n!\r\n0\r\n\r\n"
        for byte in requests.utf8 { client.send([byte]) }
        #expect(try client.answer().text == "post /a hello")
        #expect(try client.answer().text == "post /b yo!")
      }
    }

    @Test("A head that spans many reads is read whole, up to its limit")
    func longHeads() throws {
      try serving(echo) { _, port in
        let client = try Client(port: port)
        let long = String(repeating: "x", count: 30_000)
        for _ in 0..<3 {
          client.send("GET /long HTTP/1.1\r\nHost: test\r\nX-A: \(long)\r\n")
          client.send("X-B: \(long)\r\n\r\n")
          #expect(try client.answer().text == "get /long ")
        }
        client.send(
          "GET /long HTTP/1.1\r\nHost: test\r\nX-A: \(long)\r\nX-B: \(long)\r\nX-C: \(long)\r\n\r\n")
        #expect(try client.answer().status == 431)
      }
    }

    @Test("A body of 8 MB comes whole")
    func largeBodies() throws {
      let handler: @Sendable (Request, any Exchange) -> Void = { request, exchange in
        let sum = request.body.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xff_ffff }
        exchange.respond(Response(status: 200, body: .bytes(Array("\(request.body.count) \(sum)".utf8))))
      }
      try serving(handler) { _, port in
        let client = try Client(port: port)
        let body = (0..<8_388_608).map { UInt8(truncatingIfNeeded: $0 &* 7 >> 3) }
        let sum = body.reduce(0) { ($0 &* 31 &+ Int($1)) & 0xff_ffff }
        client.send("PUT /b HTTP/1.1\r\nHost: test\r\nContent-Length: \(body.count)\r\n\r\n")
        client.send(body)
        #expect(try client.answer().text == "\(body.count) \(sum)")
      }
    }

    @Test("A client that expects 100 is let go")
    func expectContinue() throws {
      try serving(echo) { _, port in
        let client = try Client(port: port)
        client.send("PUT /c HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.readHead().status == 100)
        client.send("ok")
        #expect(try client.answer().text == "put /c ok")
      }
    }

    @Test("HEAD gets the length of the body and no body")
    func head() throws {
      try serving(echo) { _, port in
        let client = try Client(port: port)
        client.send("HEAD /h HTTP/1.1\r\nHost: test\r\n\r\nGET /next HTTP/1.1\r\nHost: test\r\n\r\n")
        let head = try client.answer(toHead: true)
        #expect(head.head.contains("Content-Length: 8\r\n"))
        #expect(try client.answer().text == "get /next ")
      }
    }

    @Test("HTTP/1.0 and Connection: close end the connection behind the answer")
    func closing() throws {
      try serving(echo) { _, port in
        for request in [
          "GET /x HTTP/1.0\r\n\r\n", "GET /x HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n",
        ] {
          let client = try Client(port: port)
          client.send(request)
          let answer = try client.answer()
          #expect(answer.text == "get /x ")
          #expect(answer.head.lowercased().contains("connection: close\r\n"))
          #expect(try client.isAtEnd())
        }
      }
    }

    @Test("A response that closes ends the connection, whatever the client still sends")
    func closingResponse() throws {
      try serving({ $1.respond(Response(status: 200, body: .bytes([33]), closes: true)) }) { _, port in
        let client = try Client(port: port)
        client.send(String(repeating: "GET /x HTTP/1.1\r\nHost: test\r\n\r\n", count: 1000))
        #expect(try client.answer().text == "!")
        #expect(try client.isAtEnd())
      }
    }

    @Test("A client that has shut its sending side gets the answers to what it sent")
    func halfClose() throws {
      let handler: @Sendable (Request, any Exchange) -> Void = { request, exchange in
        onThread { echo(request, exchange) }
      }
      try serving(handler) { _, port in
        let client = try Client(port: port)
        client.get("/1")
        client.get("/2")
        client.send("GET /cut HT")
        client.endOfInput()
        #expect(try client.answer().text == "get /1 ")
        #expect(try client.answer().text == "get /2 ")
        #expect(try client.isAtEnd())
      }
    }

    @Test("A client that is gone is no trouble to who answers it late", arguments: [true, false])
    func lateAnswers(reset: Bool) throws {
      let exchanges = Box<any Exchange>()
      try serving({ exchanges.put($1) }) { _, port in
        let client = try Client(port: port)
        client.get("/late")
        let exchange = try exchanges.take("the request")
        if reset { client.reset() } else { client.close() }
        exchange.respond(Response(status: 200))
        exchange.respond(Response(status: 500))
      }
    }

    @Test(
      "Who waits is told once that its client has ended, and can still answer one that listens",
      arguments: ["close", "reset", "end of input"])
    func ends(how: String) throws {
      let exchanges = Box<any Exchange>()
      let ended = Box<String>()
      try serving({ request, exchange in
        exchange.whenClientEnds {
          ended.put(how)
          exchange.respond(Response(status: 200, body: .bytes(Array("nothing new".utf8))))
        }
        exchanges.put(exchange)
      }) { _, port in
        let client = try Client(port: port)
        client.get("/wait")
        let first = try exchanges.take("the request")
        first.respond(Response(status: 204))
        #expect(try client.answer().status == 204)
        client.get("/wait")
        let second = try exchanges.take("the second request")
        switch how {
        case "close": client.close()
        case "reset": client.reset()
        default:
          client.endOfInput()
          #expect(try client.answer().text == "nothing new")
          #expect(try client.isAtEnd())
        }
        #expect(try ended.take("the end") == how)
        // Too late to be kept, and told all the same.
        if how != "end of input" {
          second.whenClientEnds { ended.put("late") }
          #expect(try ended.take("the late end") == "late")
        }
        #expect(ended.count == 0, "told once, and not of the request that was answered")
      }
    }

    @Test("A second answer to a request is dropped")
    func answersOnce() throws {
      let handler: @Sendable (Request, any Exchange) -> Void = { request, exchange in
        echo(request, exchange)
        exchange.respond(Response(status: 500))
      }
      try serving(handler) { _, port in
        let client = try Client(port: port)
        for _ in 0..<2 {
          client.get("/")
          #expect(try client.answer().status == 200)
        }
      }
    }

    @Test("20 MB reach a client that reads slowly, as one run and as many", arguments: [1, 7, 40_000])
    func largeAnswers(parts: Int) throws {
      let body = (0..<20_000_000).map { UInt8(truncatingIfNeeded: $0 &* 13 >> 4) }
      let size = (body.count + parts - 1) / parts
      let runs = stride(from: 0, to: body.count, by: size).map {
        Array(body[$0..<min($0 + size, body.count)])
      }
      try serving({ $1.respond(Response(status: 200, body: .parts(runs))) }) { _, port in
        let client = try Client(port: port, receiveBuffer: 16_384)
        client.get("/large")
        client.get("/again")
        for _ in 0..<2 {
          let received = try client.answer().body
          #expect(received == body)
        }
      }
    }

    @Test("An error is readable although the client was still sending", arguments: [1_000, 20_000_000])
    func lingering(unread: Int) throws {
      try serving(limits: { $0.bodyBytes = 1000 }, echo) { _, port in
        let client = try Client(port: port)
        client.send("POST /x HTTP/1.1\r\nHost: test\r\nContent-Length: 30000000\r\n\r\n")
        client.send([UInt8](repeating: 65, count: unread))
        #expect(try client.answer().status == 413)
        #expect(try client.isAtEnd())
      }
    }

    @Test("Bytes that are no request are answered and end the connection")
    func malformed() throws {
      try serving(echo) { _, port in
        let client = try Client(port: port)
        client.send("GET /fine HTTP/1.1\r\nHost: test\r\n\r\nGET  / HTTP/1.1\r\nHost: test\r\n\r\n")
        #expect(try client.answer().text == "get /fine ")
        #expect(try client.answer().status == 400)
        #expect(try client.isAtEnd())
      }
    }
  }
}

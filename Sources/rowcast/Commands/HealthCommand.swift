import Glibc
import Service

/// `rowcast health`: one request to a server, which must answer 200 within three seconds.
enum HealthCommand {
  private static let seconds = 3

  static func run(_ address: HealthAddress?, environment: [String: String]) -> Int32 {
    let target: HealthAddress
    if let address {
      target = address
    } else {
      do throws(ConfigurationFaults) {
        let file = Configuration.file(flag: nil, environment: environment)
        let server = try Configuration.load(file: file, environment: environment).server
        target = HealthAddress(listeningOn: server.host, port: server.port)
      } catch {
        for line in error.lines { Terminal.complain(line) }
        return 1
      }
    }
    if let problem = ask(target) {
      Terminal.complain("rowcast: \(target.authority) \(problem)")
      return 1
    }
    return 0
  }

  /// What is wrong; nil where the server is well.
  private static func ask(_ target: HealthAddress) -> String? {
    guard let socket = connect(to: target) else { return "cannot be reached" }
    defer { close(socket) }
    let request = "GET \(target.path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    let bytes = Array(request.utf8)
    guard send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
      return "does not take a request"
    }
    var answer: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 512)
    let end = System.now() + seconds * 1000
    while !answer.contains(UInt8(ascii: "\n")) {
      guard System.now() < end else { return "does not answer in time" }
      let count = recv(socket, &block, block.count, 0)
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return "does not answer" }
      answer += block[..<count]
    }
    let line = String(decoding: answer.prefix { $0 != 13 && $0 != 10 }, as: UTF8.self)
    return line.hasPrefix("HTTP/1.1 200 ") ? nil : "answers \"\(line)\""
  }

  /// A connected socket whose every call gives up after `seconds`; nil where there is none.
  private static func connect(to target: HealthAddress) -> Int32? {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(target.host, String(target.port), &hints, &list) == 0 else { return nil }
    defer { freeaddrinfo(list) }
    var next = list
    while let entry = next?.pointee {
      next = entry.ai_next
      let socket = socket(
        entry.ai_family, entry.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), entry.ai_protocol)
      guard socket >= 0 else { continue }
      var limit = timeval(tv_sec: seconds, tv_usec: 0)
      let size = socklen_t(MemoryLayout<timeval>.size)
      setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
      setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
      if Glibc.connect(socket, entry.ai_addr, entry.ai_addrlen) == 0 { return socket }
      close(socket)
    }
    return nil
  }
}

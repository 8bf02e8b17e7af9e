import Glibc

/// Where a server really listens.
public struct ServerAddress: Sendable, CustomStringConvertible {
  /// The numeric address.
  public let host: String
  /// The port, never 0.
  public let port: Int

  /// `127.0.0.1:8080`, `[::1]:8080`: as it stands in a URL.
  public var description: String {
    host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}

/// Makes the listening sockets of a server.
///
/// They do not block, and what they accept has TCP_NODELAY.
enum ListeningSocket {
  /// Opens `count` sockets on one address, between which the kernel spreads the connections.
  ///
  /// The first is bound before it says SO_REUSEPORT, and so fails where any other process listens; a stale
  /// server would otherwise go on taking its share of the connections unseen. The caller closes the sockets.
  static func open(host: String, port: Int, count: Int) throws(ServerError) -> (ServerAddress, [Int32]) {
    guard (0...65_535).contains(port) else { throw ServerError(.addressUnavailable, "\(port) is no port") }
    var failure = ServerError(.addressUnavailable, "\(host) is not known as a host")
    for candidate in candidates(host, port) {
      do throws(ServerError) {
        return try open(candidate, count, place: "\(host), port \(port)")
      } catch {
        failure = error
      }
    }
    throw failure
  }

  private static func open(
    _ wanted: SocketAddress, _ count: Int, place: String
  ) throws(ServerError) -> (ServerAddress, [Int32]) {
    var sockets: [Int32] = []
    do throws(ServerError) {
      let first = try bound(to: wanted, sharing: false, place)
      sockets.append(first)
      let real = wanted.real(of: first)
      if count > 1 { try set(SOL_SOCKET, SO_REUSEPORT, on: first, place) }
      try check(listen(first, SOMAXCONN), place)
      while sockets.count < count {
        let next = try bound(to: real, sharing: true, place)
        sockets.append(next)
        try check(listen(next, SOMAXCONN), place)
      }
      return (real.named, sockets)
    } catch {
      for socket in sockets { close(socket) }
      throw error
    }
  }

  private static func bound(
    to address: SocketAddress, sharing: Bool, _ place: String
  ) throws(ServerError) -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = socket(address.family, kind, 0)
    try check(descriptor, place)
    do throws(ServerError) {
      try set(SOL_SOCKET, SO_REUSEADDR, on: descriptor, place)
      if sharing { try set(SOL_SOCKET, SO_REUSEPORT, on: descriptor, place) }
      // Accepted sockets inherit it, at no call for each.
      try set(Int32(IPPROTO_TCP), TCP_NODELAY, on: descriptor, place)
      try check(address.withPointer { bind(descriptor, $0, $1) }, place)
      return descriptor
    } catch {
      close(descriptor)
      throw error
    }
  }

  private static func set(
    _ level: Int32, _ option: Int32, on socket: Int32, _ place: String
  ) throws(ServerError) {
    var one: Int32 = 1
    try check(setsockopt(socket, level, option, &one, socklen_t(MemoryLayout<Int32>.size)), place)
  }

  private static func check(_ status: Int32, _ place: String) throws(ServerError) {
    if status < 0 { throw ServerError(place, errno: errno) }
  }

  /// What `host` stands for, IPv4 first; a number and `localhost` need no look-up.
  ///
  /// Empty where it is not known.
  private static func candidates(_ host: String, _ port: Int) -> [SocketAddress] {
    let name = host == "localhost" ? "127.0.0.1" : host
    let numeric = lookUp(name, port, flags: AI_NUMERICHOST)
    if !numeric.isEmpty { return numeric }
    let found = lookUp(name, port, flags: 0)
    return found.filter { $0.family == AF_INET } + found.filter { $0.family != AF_INET }
  }

  private static func lookUp(_ host: String, _ port: Int, flags: Int32) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_flags = flags | AI_PASSIVE | AI_NUMERICSERV
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return [] }
    defer { freeaddrinfo(list) }
    var found: [SocketAddress] = []
    var next = list
    while let info = next {
      if let address = info.pointee.ai_addr {
        found.append(SocketAddress(address, info.pointee.ai_addrlen))
      }
      next = info.pointee.ai_next
    }
    return found
  }
}

/// A socket address of any family.
private struct SocketAddress {
  private var storage = sockaddr_storage()
  private var length: socklen_t

  init(_ address: UnsafePointer<sockaddr>, _ length: socklen_t) {
    self.length = min(length, socklen_t(MemoryLayout<sockaddr_storage>.size))
    let count = Int(self.length)
    withUnsafeMutableBytes(of: &storage) {
      $0.copyMemory(from: UnsafeRawBufferPointer(start: address, count: count))
    }
  }

  var family: Int32 { Int32(storage.ss_family) }

  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }

  /// This address with the port that `socket` was given.
  func real(of socket: Int32) -> SocketAddress {
    var copy = self
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let status = withUnsafeMutablePointer(to: &copy.storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
    }
    copy.length = length
    return status == 0 ? copy : self
  }

  var named: ServerAddress {
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
    let flags = NI_NUMERICHOST | NI_NUMERICSERV
    _ = withPointer {
      getnameinfo($0, $1, &host, socklen_t(host.count), &port, socklen_t(port.count), flags)
    }
    return ServerAddress(host: text(host), port: Int(text(port)) ?? 0)
  }

  private func text(_ bytes: [CChar]) -> String {
    String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}

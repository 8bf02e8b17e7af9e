import Foundation

/// TCP on 127.0.0.1.
package enum Loopback {
  /// A socket that listens on a free port; for `accept`.
  package static func listen() throws -> (socket: Int32, port: Int) {
    let listener = makeSocket()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port = withAddress(port: 0) { address -> Int? in
      guard bind(listener, address, length) == 0, Foundation.listen(listener, 512) == 0,
        getsockname(listener, address, &length) == 0
      else { return nil }
      return address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
        Int(UInt16(bigEndian: $0.pointee.sin_port))
      }
    }
    guard let port else {
      close(listener)
      throw POSIXError(.EADDRNOTAVAIL)
    }
    return (listener, port)
  }

  /// Connects a socket to a port; says whether that worked, else `errno` says why.
  package static func connect(_ socket: Int32, to port: Int) -> Bool {
    withAddress(port: in_port_t(port)) {
      Foundation.connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
    }
  }

  /// A socket that no program which is started meanwhile inherits.
  package static func makeSocket() -> Int32 {
    socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
  }

  private static func withAddress<Value>(
    port: in_port_t, _ body: (UnsafeMutablePointer<sockaddr>) -> Value
  ) -> Value {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    return withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
    }
  }
}

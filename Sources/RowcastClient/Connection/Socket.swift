import Glibc

/// A connection could not be made, was lost, or brought what is no answer.
public struct ConnectionLoss: Error, Equatable, Sendable {
  /// Why, in one clause, such as `Connection refused`.
  public let reason: String

  init(_ reason: String) { self.reason = reason }

  /// The reason of the system's last error.
  static var ofSystem: ConnectionLoss { ConnectionLoss(String(cString: strerror(errno))) }
}

/// A numeric address to connect to, as the resolver gave it.
struct SocketAddress {
  private let family: Int32
  private let bytes: [UInt8]

  /// The addresses of a host; blocks as long as the resolver does.
  static func all(of host: String, port: Int) throws(ConnectionLoss) -> [SocketAddress] {
    var hints = addrinfo()
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    hints.ai_flags = AI_NUMERICSERV
    var list: UnsafeMutablePointer<addrinfo>?
    let status = getaddrinfo(host, String(port), &hints, &list)
    guard status == 0 else { throw ConnectionLoss("\(host): \(String(cString: gai_strerror(status)))") }
    defer { freeaddrinfo(list) }
    return sequence(first: list, next: { $0?.pointee.ai_next }).compactMap { entry in
      guard let entry = entry?.pointee, let address = entry.ai_addr else { return nil }
      let bytes = UnsafeRawBufferPointer(start: address, count: Int(entry.ai_addrlen))
      return SocketAddress(family: entry.ai_family, bytes: Array(bytes))
    }
  }

  /// A socket that is connecting here, or has done so.
  func connect() throws(ConnectionLoss) -> Socket {
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    let socket = Socket(owning: Glibc.socket(family, Int32(type), 0))
    guard socket.descriptor >= 0 else { throw .ofSystem }
    let status = bytes.withUnsafeBytes { bytes in
      guard let address = bytes.baseAddress else { return Int32(-1) }
      return Glibc.connect(
        socket.descriptor, address.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
    guard status == 0 || errno == EINPROGRESS || errno == EINTR else { throw .ofSystem }
    return socket
  }
}

/// A TCP socket that never blocks: whoever holds it waits for it elsewhere.
///
/// The last to let go of it closes it.
final class Socket {
  let descriptor: Int32

  init(owning descriptor: Int32) { self.descriptor = descriptor }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Tells, once the socket can be written to, whether that is because it is connected.
  func checkConnected() throws(ConnectionLoss) {
    var status: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &status, &size) == 0 else { throw .ofSystem }
    guard status == 0 else { throw ConnectionLoss(String(cString: strerror(status))) }
  }

  /// Sends as much of `bytes` as the system takes, and takes that off.
  func send(_ bytes: inout ArraySlice<UInt8>) throws(ConnectionLoss) {
    let count = bytes.withUnsafeBytes {
      Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    if count >= 0 {
      bytes = bytes.dropFirst(count)
    } else if !Self.isPassing(errno) {
      throw .ofSystem
    }
  }

  /// Receives into `block`: the number of bytes, 0 at the end, nil where there is nothing yet.
  func receive(into block: inout [UInt8]) throws(ConnectionLoss) -> Int? {
    let count = recv(descriptor, &block, block.count, 0)
    if count >= 0 { return count }
    guard Self.isPassing(errno) else { throw .ofSystem }
    return nil
  }

  private static func isPassing(_ code: Int32) -> Bool { code == EAGAIN || code == EINTR }
}

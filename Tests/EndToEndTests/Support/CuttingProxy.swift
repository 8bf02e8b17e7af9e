import Foundation
import Synchronization
import TestSupport

/// A way to a server that breaks every connection after a random number of bytes of the answer, until it is told to
/// behave.
///
/// Each connection has a thread. All ends when the proxy is let go of.
final class CuttingProxy: Sendable {
  /// The port to connect to in place of the server's.
  let port: Int
  /// How many connections were broken.
  var cuts: Int { counted.load(ordering: .relaxed) }

  private let listener: Int32
  private let target: Int
  private let chance: Mutex<Seeded>
  private let counted = Atomic<Int>(0)
  private let isHonest = Atomic<Bool>(false)

  /// A proxy for the server at a port of the loopback.
  init(to target: Int, seed: UInt64) throws {
    self.target = target
    chance = Mutex(Seeded(seed))
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.loopback(0)
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, size) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &size) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRINUSE) }
    port = Int(UInt16(bigEndian: address.sin_port))
    self.listener = listener
    Thread.detachNewThread { [weak self] in
      while case let client = accept(listener, nil, nil), client >= 0 {
        guard let proxy = self else {
          close(client)
          return
        }
        Thread.detachNewThread { proxy.carry(client) }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// From now on connections are left alone.
  func behave() { isHonest.store(true, ordering: .relaxed) }

  private func carry(_ client: Int32) {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer {
      close(client)
      close(server)
    }
    var address = Self.loopback(UInt16(target))
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(server, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { return }
    var allowance =
      isHonest.load(ordering: .relaxed) ? Int.max : chance.withLock { Int.random(in: 1..<4_000, using: &$0) }
    var block = [UInt8](repeating: 0, count: 4_096)
    while true {
      var waiting = [
        pollfd(fd: client, events: Int16(POLLIN), revents: 0),
        pollfd(fd: server, events: Int16(POLLIN), revents: 0),
      ]
      guard poll(&waiting, 2, 60_000) > 0 else { return }
      for (from, to) in [(0, 1), (1, 0)] where waiting[from].revents != 0 {
        let isAnswer = from == 1
        let count = recv(waiting[from].fd, &block, isAnswer ? min(block.count, allowance) : block.count, 0)
        guard count > 0, send(waiting[to].fd, block, count, Int32(MSG_NOSIGNAL)) == count else { return }
        guard isAnswer else { continue }
        allowance -= count
        guard allowance > 0 else {
          counted.add(1, ordering: .relaxed)
          return
        }
      }
    }
  }

  private static func loopback(_ port: UInt16) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    return address
  }
}

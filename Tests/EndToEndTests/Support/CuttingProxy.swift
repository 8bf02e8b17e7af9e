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
    let (listener, port) = try Loopback.listen()
    self.listener = listener
    self.port = port
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
    let server = Loopback.makeSocket()
    defer {
      close(client)
      close(server)
    }
    guard Loopback.connect(server, to: target) else { return }
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
}

import Foundation
import TestSupport
import Synchronization

/// A proxy that answers each CONNECT the same, and where that is a yes carries bytes both ways.
final class TunnelProxy: Sendable {
  let url: String
  private let listener: Int32
  private let seen = Mutex<[String]>([])

  /// The heads of the requests so far.
  var heads: [String] { seen.withLock { $0 } }

  init(answering answer: String) throws {
    let (listener, port) = try Loopback.listen()
    self.listener = listener
    url = "http://127.0.0.1:\(port)"
    Thread.detachNewThread { [weak self] in
      while case let client = accept(listener, nil, nil), client >= 0 {
        guard let proxy = self else {
          close(client)
          return
        }
        Thread.detachNewThread { proxy.carry(client, answer) }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private func carry(_ client: Int32, _ answer: String) {
    defer { close(client) }
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while !head.ends(with: "\r\n\r\n"), read(client, &byte, 1) == 1 { head.append(byte) }
    let text = String(decoding: head, as: UTF8.self)
    seen.withLock { $0.append(text) }
    guard let port = text.firstMatch(of: /:([0-9]+)\s/).flatMap({ UInt16($0.1) }) else { return }
    let server = Loopback.makeSocket()
    defer { close(server) }
    if answer.contains(" 200 ") {
      guard Loopback.connect(server, to: Int(port)) else { return }
    }
    _ = Array(answer.utf8).withUnsafeBytes { write(client, $0.baseAddress, $0.count) }
    guard answer.contains(" 200 ") else { return }
    Self.splice(client, server)
  }

  /// Carries bytes between two connections until either closes.
  private static func splice(_ one: Int32, _ other: Int32) {
    var ends = [
      pollfd(fd: one, events: Int16(POLLIN), revents: 0),
      pollfd(fd: other, events: Int16(POLLIN), revents: 0),
    ]
    var block = [UInt8](repeating: 0, count: 65_536)
    while poll(&ends, 2, 30_000) > 0 {
      for (from, to) in [(0, 1), (1, 0)] where ends[from].revents != 0 {
        let count = read(ends[from].fd, &block, block.count)
        guard count > 0, send(ends[to].fd, block, count, Int32(MSG_NOSIGNAL)) == count else { return }
      }
    }
  }
}

extension [UInt8] {
  fileprivate func ends(with text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}

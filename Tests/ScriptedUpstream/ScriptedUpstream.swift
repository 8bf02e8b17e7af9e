import Foundation
import TestSupport
import Synchronization

/// An upstream on loopback with real sockets, a thread a connection, that answers what its script says.
package final class ScriptedUpstream: Sendable {
  package typealias Script = @Sendable (UpstreamRequest) -> Reply

  package let port: Int
  private let listener: Int32
  private let state: Mutex<State>

  private struct State {
    var script: Script
    var requests: [UpstreamRequest] = []
    var waiting: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
    var connections = 0
    var isOpen = true
  }

  package init(_ script: @escaping Script) throws {
    signal(SIGPIPE, SIG_IGN)
    state = Mutex(State(script: script))
    let (listener, port) = try Loopback.listen()
    self.listener = listener
    self.port = port
    Thread.detachNewThread { [weak self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        guard let self else {
          close(connection)
          return
        }
        self.state.withLock { $0.connections += 1 }
        Thread.detachNewThread { [weak self] in Self.serve(connection) { self?.reply(to: $0) } }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  package var origin: String { "http://127.0.0.1:\(port)" }

  /// The requests so far.
  package var requests: [UpstreamRequest] { state.withLock { $0.requests } }

  /// How many connections were made.
  package var connections: Int { state.withLock { $0.connections } }

  package func follow(_ script: @escaping Script) { state.withLock { $0.script = script } }

  /// Waits until so many requests have come, all told.
  package func arrival(of count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.requests.count >= count { return true }
        state.waiting.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }

  private func reply(to request: UpstreamRequest) -> Reply {
    let (script, arrived) = state.withLock { state in
      state.requests.append(request)
      let count = state.requests.count
      let arrived = state.waiting.filter { $0.count <= count }
      state.waiting.removeAll { $0.count <= count }
      return (state.script, arrived)
    }
    for waiter in arrived { waiter.continuation.resume() }
    return script(request)
  }

  // MARK: A connection

  private static func serve(_ connection: Int32, _ answer: (UpstreamRequest) -> Reply?) {
    defer { close(connection) }
    var one: Int32 = 1
    setsockopt(connection, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    var received: [UInt8] = []
    while let request = nextRequest(connection, &received), let reply = answer(request) {
      reply.waitForGate()
      var rest = reply.bytes[...]
      while !rest.isEmpty {
        let part = rest.prefix(reply.dribble ?? rest.count)
        let count = part.withUnsafeBytes { send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        guard count > 0 else { return }
        rest = rest.dropFirst(count)
        if reply.dribble != nil { usleep(1000) }
      }
      switch reply.end {
      case .keep: continue
      case .close:
        shutdown(connection, Int32(SHUT_WR))
        return
      case .reset:
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        return
      }
    }
  }

  private static func nextRequest(_ connection: Int32, _ received: inout [UInt8]) -> UpstreamRequest? {
    func more() -> Bool {
      var block = [UInt8](repeating: 0, count: 65536)
      let count = recv(connection, &block, block.count, 0)
      guard count > 0 else { return false }
      received += block[..<count]
      return true
    }
    let end = Array("\r\n\r\n".utf8)
    var headEnd: Int?
    while headEnd == nil {
      headEnd = received.indices.dropLast(3).first { Array(received[$0..<$0 + 4]) == end }
      if headEnd == nil, !more() { return nil }
    }
    guard let headEnd else { return nil }
    let lines = String(decoding: received[..<headEnd], as: UTF8.self).components(separatedBy: "\r\n")
    let words = lines[0].split(separator: " ").map(String.init)
    let fields = lines.dropFirst().map { line -> (name: String, value: String) in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      return (parts[0], parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
    }
    received.removeFirst(headEnd + 4)
    let length = fields.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) } ?? 0
    while received.count < length { if !more() { return nil } }
    let body = String(decoding: received.prefix(length), as: UTF8.self)
    received.removeFirst(length)
    guard words.count > 1 else { return nil }
    return UpstreamRequest(method: words[0], target: words[1], fields: fields, body: body)
  }
}

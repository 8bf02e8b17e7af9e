import Foundation
import Synchronization

/// What an upstream under test answers, and how badly.
package struct Reply: Sendable {
  /// What becomes of the connection behind the answer.
  package enum End: Sendable {
    case keep, close, reset
  }

  /// Everything that is written, head and body.
  package var bytes: [UInt8] = []
  /// Waited for before the first byte.
  package var gate: Gate?
  /// The bytes written at a time, with a millisecond between; nil: all at once.
  package var dribble: Int?
  package var end = End.keep

  /// An answer with its length told as it is, unless a field says otherwise.
  package static func text(_ body: [UInt8], status: Int = 200, _ fields: [(String, String)] = []) -> Reply {
    var head = "HTTP/1.1 \(status) Whatever\r\n"
    for (name, value) in fields { head += "\(name): \(value)\r\n" }
    if status != 304,
      !fields.contains(where: { ["content-length", "transfer-encoding"].contains($0.0.lowercased()) })
    {
      head += "Content-Length: \(body.count)\r\n"
    }
    return Reply(bytes: Array((head + "\r\n").utf8) + body)
  }

  package static func json(_ body: String, status: Int = 200, _ fields: [(String, String)] = []) -> Reply {
    text(Array(body.utf8), status: status, [("Content-Type", "application/json")] + fields)
  }

  package static func redirect(_ status: Int, to location: String) -> Reply {
    json("", status: status, [("Location", location)])
  }

  /// Bytes that need not be HTTP, and a closed connection.
  package static func raw(_ text: String, end: End = .close) -> Reply {
    Reply(bytes: Array(text.utf8), end: end)
  }

  /// A connection closed, or reset, before any byte.
  package static func nothing(_ end: End) -> Reply { Reply(end: end) }

  package func held(by gate: Gate) -> Reply { changed { $0.gate = gate } }
  package func dribbled(_ bytes: Int) -> Reply { changed { $0.dribble = bytes } }
  package func ending(_ end: End) -> Reply { changed { $0.end = end } }
  package func truncated(by count: Int, _ end: End = .close) -> Reply {
    changed {
      $0.bytes.removeLast(count)
      $0.end = end
    }
  }

  private func changed(_ change: (inout Reply) -> Void) -> Reply {
    var reply = self
    change(&reply)
    return reply
  }
}

/// Holds threads until it is opened.
package final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  /// A gate that is shut.
  package init() {}

  package func open() { semaphore.signal() }

  /// Waits; the time limit is for tests that fail.
  fileprivate func wait() {
    if semaphore.wait(timeout: .now() + 200) == .success { semaphore.signal() }
  }
}

extension Reply {
  func waitForGate() { gate?.wait() }
}

/// A request as the upstream got it.
package struct UpstreamRequest: Sendable {
  package var method: String
  package var target: String
  package var fields: [(name: String, value: String)]
  package var body: String

  /// The first value of a field.
  package func field(_ name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  package var path: String { String(target.split(separator: "?", omittingEmptySubsequences: false)[0]) }

  /// A parameter of the query, decoded.
  package func query(_ name: String) -> String? {
    URLComponents(string: "http://h" + target)?.queryItems?.first { $0.name == name }?.value
  }
}

/// On or off, for any thread to turn and to ask.
package final class Switch: Sendable {
  private let state = Mutex(false)

  /// A switch that is off.
  package init() {}

  package var isOn: Bool { state.withLock { $0 } }

  package func set(_ isOn: Bool) { state.withLock { $0 = isOn } }
}

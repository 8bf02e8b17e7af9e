import EventLoop
import Foundation
import HTTP1
import Testing

/// A place where one thread waits for what another gives.
final class Box<Value: Sendable>: @unchecked Sendable {
  private let condition = NSCondition()
  private var values: [Value] = []

  func put(_ value: Value) {
    condition.withLock {
      values.append(value)
      condition.broadcast()
    }
  }

  /// The next value, which must come within a minute.
  func take(_ what: String = "a value") throws -> Value {
    condition.lock()
    defer { condition.unlock() }
    let limit = Date(timeIntervalSinceNow: 60)
    while values.isEmpty {
      guard condition.wait(until: limit) else { throw Client.Failure(what: "\(what) did not come") }
    }
    return values.removeFirst()
  }

  /// The next `count` values.
  func take(_ count: Int) throws -> [Value] {
    try (0..<count).map { _ in try take() }
  }

  var count: Int { condition.withLock { values.count } }
}

/// A handler made of a closure.
struct TestHandler: RequestHandler {
  let body: @Sendable (Request, any Exchange) -> Void

  func handle(_ request: Request, _ exchange: any Exchange) { body(request, exchange) }

  func response(to failure: RequestFailure) -> Response {
    let status =
      switch failure.code {
      case .timeout: 408
      case .tooManyConnections: 503
      case .bodyTooLarge: 413
      case .headersTooLarge: 431
      default: 400
      }
    return Response(status: status, body: .bytes(Array("\(failure.code): \(failure.detail)".utf8)))
  }
}

/// A server on a free port for the time of one test.
///
/// At the end it is drained, and no connection may be left.
func serving(
  threads: Int = 2, limits change: (inout ConnectionLimits) -> Void = { _ in },
  _ handle: @escaping @Sendable (Request, any Exchange) -> Void, test: (Server, Int) throws -> Void
) throws {
  var limits = ConnectionLimits()
  change(&limits)
  let server = try Server(
    ServerConfiguration(threads: threads, limits: limits), handler: TestHandler(body: handle))
  try server.start()
  defer {
    server.stop()
    server.wait()
  }
  try test(server, server.address.port)
  let done = Box<Void>()
  server.drain(seconds: 5) { done.put(()) }
  try done.take("the end of the drain")
  #expect(server.activeConnections == 0)
}

/// Answers with method, path and body of the request.
@Sendable func echo(_ request: Request, _ exchange: any Exchange) {
  let path = String(decoding: request.path, as: UTF8.self)
  let body = Array("\(request.method) \(path) ".utf8) + request.body
  exchange.respond(Response(status: 200, body: .bytes(body)))
}

/// What `body` gives, and the seconds that it takes.
func timed<Result>(_ body: () throws -> Result) rethrows -> (Result, seconds: Double) {
  let start = Date()
  return (try body(), Date().timeIntervalSince(start))
}

/// Runs `body` on a thread of its own.
func onThread(_ body: @escaping @Sendable () -> Void) {
  Thread(block: body).start()
}

/// The tests of this target run one after the other: they measure time, and each takes both cores.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct EventLoopTests {}

import HTTP1
import Synchronization
import Testing
import TestSupport

/// The connection of one request: it notes the answer, and holds the stream open until the test closes it.
final class RecordingExchange: Exchange {
  private struct State {
    var response: Response?
    var stream: RecordingStream?
    var count = 0
    var clientEnd: (@Sendable () -> Void)?
  }

  private let state = Mutex(State())

  /// The answer; of a stream its head.
  ///
  /// Nil while there is none.
  var response: Response? { state.withLock { $0.response } }

  var stream: RecordingStream? { state.withLock { $0.stream } }

  func respond(_ response: Response) { note(response, nil) }

  func openStream(
    _ head: Response, limits: StreamLimits, onClose: @escaping @Sendable (StreamEnd) -> Void
  ) -> any ResponseStream {
    let stream = RecordingStream(limits, onClose)
    note(head, stream)
    return stream
  }

  func whenClientEnds(_ job: @escaping @Sendable () -> Void) { state.withLock { $0.clientEnd = job } }

  /// The client goes away before it is answered.
  func leave() { state.withLock { $0.clientEnd.take() }?() }

  private func note(_ response: Response, _ stream: RecordingStream?) {
    let count = state.withLock { state in
      state.count += 1
      state.response = response
      state.stream = stream
      return state.count
    }
    #expect(count == 1, "a request is answered once")
  }
}

/// An open response body.
final class RecordingStream: ResponseStream {
  let limits: StreamLimits
  private let onClose: @Sendable (StreamEnd) -> Void
  private let sent = Mutex<(text: [UInt8], lag: Int, isFinished: Bool)>(([], 0, false))

  init(_ limits: StreamLimits, _ onClose: @escaping @Sendable (StreamEnd) -> Void) {
    self.limits = limits
    self.onClose = onClose
  }

  /// All that was sent.
  var text: String { sent.withLock { String(decoding: $0.text, as: UTF8.self) } }
  /// The bytes that counted as lag.
  var lag: Int { sent.withLock { $0.lag } }
  var isFinished: Bool { sent.withLock { $0.isFinished } }

  func send(_ frame: [UInt8], countsAsLag: Bool) {
    sent.withLock {
      $0.text += frame
      if countsAsLag { $0.lag += frame.count }
    }
  }

  func finish(_ last: [UInt8]) {
    sent.withLock {
      $0.text += last
      $0.isFinished = true
    }
  }

  /// The client goes away.
  func close() { onClose(.clientClosed) }
}

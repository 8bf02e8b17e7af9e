import CLibevent
import Glibc
import HTTP1

extension Connection {
  /// Writes the answer that `exchange` stands for; nothing if it is not waited for any more.
  func answer(_ exchange: RequestExchange, _ response: Response) {
    guard self.exchange === exchange else { return }
    self.exchange = nil
    clientEnd = nil
    // A client that has shut its side may have more requests in the buffer; behind the last the connection
    // closes.
    let isLast = inputEnded && inputLength == 0
    let keepsAlive = exchange.keepsAlive && !isLast && !worker.state.isDraining
    write(
      response, minorVersion: exchange.minorVersion, toHead: exchange.isHead, keepsAlive: keepsAlive)
    if keepsAlive && !response.closes {
      phase = .reading
    } else {
      phase = .closing
      lingers = exchange.keepsAlive || inputLength > 0
    }
    afterAnswer()
  }

  /// Answers bytes that are no request, and closes.
  func refuse(_ failure: RequestFailure) {
    var response = worker.state.handler.response(to: failure)
    response.closes = true
    write(response, minorVersion: 1, toHead: false, keepsAlive: false)
    phase = .closing
    lingers = true
    afterAnswer()
  }

  /// Begins an open body in place of a whole answer.
  func open(_ stream: BodyStream, _ exchange: RequestExchange, _ head: Response) {
    guard self.exchange === exchange else { return stream.endLater(.clientClosed) }
    self.exchange = nil
    clientEnd = nil
    worker.claimOutbox(for: self)
    let keepsAlive = exchange.isHead && exchange.keepsAlive && !worker.state.isDraining && !head.closes
    ResponseSerializer.appendStreamHead(
      of: head, minorVersion: exchange.minorVersion, date: worker.date, keepsAlive: keepsAlive,
      to: &worker.outbox.bytes)
    if exchange.isHead || inputEnded {
      stream.endLater(exchange.isHead ? .finished : .clientClosed)
      if !exchange.isHead, exchange.minorVersion > 0 { worker.outbox.append(ChunkedCoding.end) }
      phase = keepsAlive ? .reading : .closing
      lingers = exchange.keepsAlive
    } else {
      phase = .streaming
      self.stream = stream
      discardInput()
      if isPaused { resumeReading() }
      stream.begin(isChunked: exchange.minorVersion > 0)
    }
    afterAnswer()
  }

  private func write(_ response: Response, minorVersion: Int, toHead: Bool, keepsAlive: Bool) {
    worker.claimOutbox(for: self)
    ResponseSerializer.appendHead(
      of: response, minorVersion: minorVersion, date: worker.date, keepsAlive: keepsAlive,
      to: &worker.outbox.bytes)
    guard ResponseSerializer.sendsBody(status: response.status, toHead: toHead) else { return }
    switch response.body {
    case .empty: break
    case .bytes(let bytes): worker.outbox.append(bytes)
    case .parts(let parts):
      for part in parts {
        worker.outbox.append(part)
        if worker.outbox.bytes.count >= Outbox.fullAt || worker.outbox.isCrowded {
          flush()
          worker.claimOutbox(for: self)
        }
      }
    }
  }

  /// Inside `readRequests` the answer waits for those behind it, unless it is long; else it goes out now.
  private func afterAnswer() {
    if isParsing {
      if worker.outbox.isFull { flush() }
      return
    }
    flush()
    if phase == .reading, !isBacklogged, inputLength > 0 {
      // In a turn of its own: the caller may be the service in the midst of something.
      loop.execute { if self.phase == .reading, !self.isBacklogged { self.readRequests() } }
    } else {
      proceed()
    }
  }

  /// Hands this connection's bytes in the outbox to the socket, or behind those that wait for it already.
  func flush() {
    guard worker.outboxOwner === self else { return }
    worker.outboxOwner = nil
    guard phase != .closed, let output, !worker.outbox.isEmpty else { return worker.outbox.clear() }
    if isBacklogged { return worker.outbox.move(to: output) }
    switch worker.outbox.flush(to: socket, rest: output) {
    case .written: break
    case .broken: close()
    case .waits:
      isBacklogged = true
      backlogCount = untaken
      backlogSince = Clock.monotonic
      wait = .nothing
      watchBacklog(backlogSince)
    }
  }
}

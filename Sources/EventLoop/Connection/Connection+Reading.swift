import CLibevent
import Glibc
import HTTP1

extension Connection {
  /// Reads and hands over requests until one waits for its answer, the input is used up or the output is
  /// stuck.
  ///
  /// Answers given meanwhile gather in the outbox: all that a client pipelined goes out together.
  func readRequests() {
    guard !isParsing else { return }
    isParsing = true
    while phase == .reading, !isBacklogged, readEvent() {}
    isParsing = false
    flush()
    proceed()
  }

  /// Takes one event from the parser; false when it needs more bytes than there are.
  private func readEvent() -> Bool {
    guard let input else { return false }
    var event = RequestParser.Event.needsMore
    var wanted = 0
    repeat {
      let bytes = contiguousInput(input, atLeast: wanted)
      guard bytes.count > 0 else { return false }
      let (consumed, found) = parser.parse(bytes)
      evbuffer_drain(input, consumed)
      event = found
      if case .needsMore = found {
        let rest = evbuffer_get_length(input)
        // All that is there was seen, or a chain of the buffer used up; else a head goes across chains: join
        // them.
        if rest == 0 || rest == bytes.count - consumed { return false }
        wanted = consumed == bytes.count ? 0 : min(rest, max(2 * (bytes.count - consumed), 1024))
      }
    } while event.isNeedsMore
    return handle(event)
  }

  private func handle(_ event: RequestParser.Event) -> Bool {
    switch event {
    case .needsMore:
      return false
    case .needsContinue:
      worker.claimOutbox(for: self)
      worker.outbox.bytes.append(contentsOf: ResponseSerializer.interimContinue)
    case .request(let request):
      phase = .answering
      wait = .nothing
      let exchange = RequestExchange(self, request)
      self.exchange = exchange
      worker.state.handler.handle(request, exchange)
    case .failure(let failure):
      refuse(failure)
    }
    return true
  }

  /// The first bytes of the input: what stands together anyway, and `count` at least if there are as many.
  private func contiguousInput(_ input: OpaquePointer, atLeast count: Int) -> UnsafeRawBufferPointer {
    let together = evbuffer_get_contiguous_space(input)
    if together < count {
      return UnsafeRawBufferPointer(start: evbuffer_pullup(input, count), count: count)
    }
    return UnsafeRawBufferPointer(start: evbuffer_pullup(input, together), count: together)
  }

  /// Goes on where answers and flushes have left the connection; sets the deadline that fits.
  func proceed() {
    switch phase {
    case .reading where !isBacklogged:
      if isPaused { resumeReading() }
      // While the server drains, a connection on which everything is answered goes.
      if inputEnded || (worker.state.isDraining && isIdle) { return close() }
      expect(parser.isReadingBody ? .body : parser.isIdle && inputLength == 0 ? .idle : .head)
    case .answering:
      if isPaused, inputLength < Self.readAhead { resumeReading() }
    case .closing where !isBacklogged:
      finish()
    case .reading, .streaming, .closing, .lingering, .closed:
      break
    }
  }

  /// Starts the time that the client has for `next`, unless it runs already.
  func expect(_ next: Wait) {
    // The first request's head is due from the accept, whether or not it has begun.
    if wait == next || (wait == .head && next == .idle) { return }
    wait = next
    let limits = worker.state.limits
    let seconds =
      switch next {
      case .nothing: Double.infinity
      case .idle: limits.keepAliveSeconds
      case .head: limits.headerSeconds
      case .body: limits.bodySeconds
      }
    worker.setDeadline(Clock.monotonic + seconds, of: self)
  }

  /// The client has shut its sending side: what it asked for whole is answered, what it began is not.
  func endOfInput() {
    switch phase {
    case .reading where !isBacklogged, .lingering:
      close()
    case .streaming:
      stream?.end(.clientClosed)
      close()
    case .answering:
      let clientEnd = clientEnd
      self.clientEnd = nil
      clientEnd?()
    case .reading, .closing, .closed:
      break
    }
  }

  func pauseIfAhead() {
    guard !isPaused, inputLength >= Self.readAhead else { return }
    isPaused = true
    bufferevent_disable(bufferevent, Int16(EV_READ))
  }

  func resumeReading() {
    isPaused = false
    if !inputEnded { bufferevent_enable(bufferevent, Int16(EV_READ)) }
  }

  /// Drops what came; a client that goes on without end is cut off.
  func discardInput() {
    guard let input else { return }
    let count = evbuffer_get_length(input)
    evbuffer_drain(input, count)
    discarded += count
    if discarded > Self.discardLimit { close() }
  }

  /// Bytes that are read and dropped at most.
  ///
  /// A client that writes a body of this size before it looks at the answer still gets to see it.
  private static let discardLimit = 64 << 20
}

extension RequestParser.Event {
  fileprivate var isNeedsMore: Bool {
    if case .needsMore = self { true } else { false }
  }
}

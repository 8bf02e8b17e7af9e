import HTTP1

/// The one answer that a request waits for.
///
/// It keeps of the request what its answer depends on. Whether it is still waited for is the connection's to
/// know: `Connection.exchange` is this object until it is answered or the client is gone.
final class RequestExchange: Exchange {
  let connection: Connection
  let isHead: Bool
  let minorVersion: Int
  let keepsAlive: Bool

  init(_ connection: Connection, _ request: Request) {
    self.connection = connection
    isHead = request.method == .head
    minorVersion = request.minorVersion
    keepsAlive = request.keepsAlive
  }

  func respond(_ response: Response) {
    let loop = connection.loop
    if loop.isCurrent {
      connection.answer(self, response)
    } else {
      loop.execute { self.connection.answer(self, response) }
    }
  }

  func openStream(
    _ head: Response, limits: StreamLimits, onClose: @escaping @Sendable (StreamEnd) -> Void
  ) -> any ResponseStream {
    let stream = BodyStream(connection, limits, onClose)
    let loop = connection.loop
    if loop.isCurrent {
      connection.open(stream, self, head)
    } else {
      loop.execute { self.connection.open(stream, self, head) }
    }
    return stream
  }

  func whenClientEnds(_ job: @escaping @Sendable () -> Void) {
    let loop = connection.loop
    if loop.isCurrent {
      connection.awaitEnd(self, job)
    } else {
      loop.execute { self.connection.awaitEnd(self, job) }
    }
  }
}

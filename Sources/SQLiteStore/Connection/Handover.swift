import Synchronization

/// Takes a connection from the thread that has opened it to the one that will use it.
final class Handover: Sendable {
  private let connection: Mutex<Connection?>

  init(_ connection: sending Connection) { self.connection = Mutex(connection) }

  /// Gives the connection to the first who asks.
  func take() -> sending Connection? { connection.withLock { $0.take() } }
}

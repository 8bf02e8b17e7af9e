import HTTP1
import Synchronization

/// What all workers of a server share.
final class ServerState: Sendable {
  let handler: any RequestHandler
  let limits: ConnectionLimits
  private let connections = Atomic(0)
  private let draining = Atomic(false)

  init(_ handler: any RequestHandler, _ limits: ConnectionLimits) {
    self.handler = handler
    self.limits = limits
  }

  /// Connections that are open, over all loops.
  var activeConnections: Int { connections.load(ordering: .relaxed) }

  /// Whether answers close their connections, as the server is about to end.
  var isDraining: Bool { draining.load(ordering: .relaxed) }

  /// Counts a connection in; false if there are as many as there may be.
  func enter() -> Bool {
    let count = connections.wrappingAdd(1, ordering: .relaxed).newValue
    if count <= limits.connections { return true }
    leave()
    return false
  }

  func leave() {
    connections.wrappingSubtract(1, ordering: .relaxed)
  }

  func beginDraining() {
    draining.store(true, ordering: .relaxed)
  }
}

import CLibevent
import Glibc
import HTTP1

extension Worker {
  /// How long nothing is accepted when the system has no more descriptors: those of others have to close
  /// first.
  private static let pauseSeconds = 0.1
  /// Refused connections that may wait for their client to read why; more are closed without a word.
  private static let refusedLimit = 256

  /// Begins to accept on `socket`, which the listener closes.
  func listen(on socket: Int32) -> Bool {
    let flags = LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC
    let me = Unmanaged.passUnretained(self).toOpaque()
    // A backlog of 0 says that the socket listens already.
    listener = evconnlistener_new(loop.base, accepted, me, flags, 0, socket)
    evconnlistener_set_error_cb(listener, failed)
    return listener != nil
  }

  /// Closes the listening socket.
  ///
  /// Safe to call again.
  func stopListening() {
    guard let listener else { return }
    self.listener = nil
    evconnlistener_free(listener)
  }

  fileprivate func accept(_ socket: Int32) {
    let isAdmitted = state.enter()
    let bufferevent = bufferevent_socket_new(loop.base, socket, Int32(BEV_OPT_CLOSE_ON_FREE.rawValue))
    guard let bufferevent, isAdmitted || connections.count < state.limits.connections + Self.refusedLimit
    else {
      if let bufferevent { bufferevent_free(bufferevent) } else { Glibc.close(socket) }
      if isAdmitted { state.leave() }
      return
    }
    let connection = Connection(self, bufferevent, socket: socket, isAdmitted: isAdmitted)
    add(connection)
    connection.begin()
    if !isAdmitted {
      let most = state.limits.connections
      connection.refuse(
        RequestFailure(.tooManyConnections, "this server takes \(most) connections at a time"))
    }
  }

  fileprivate func pauseAccepting() {
    guard let listener else { return }
    evconnlistener_disable(listener)
    loop.schedule(after: Self.pauseSeconds) { [weak self] in
      if let listener = self?.listener { evconnlistener_enable(listener) }
    }
  }
}

// The worker frees its listener before it goes, so these pointers are not retained.

private func accepted(
  _: OpaquePointer?, socket: Int32, _: UnsafeMutablePointer<sockaddr>?, _: Int32,
  worker: UnsafeMutableRawPointer?
) {
  guard let worker else { return }
  Unmanaged<Worker>.fromOpaque(worker).takeUnretainedValue().accept(socket)
}

private func failed(_: OpaquePointer?, worker: UnsafeMutableRawPointer?) {
  guard let worker else { return }
  Unmanaged<Worker>.fromOpaque(worker).takeUnretainedValue().pauseAccepting()
}

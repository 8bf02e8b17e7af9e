import Glibc
import Threads

/// Why a server or a loop cannot be had.
///
/// Trying again helps only where something outside has changed meanwhile.
public struct ServerError: Error, Sendable, CustomStringConvertible {
  /// The kinds of reasons.
  public enum Code: Sendable {
    /// Another socket listens on this address and port.
    case addressInUse
    /// The host is no address of this machine, or no address at all.
    case addressUnavailable
    /// The system does not let this user listen there (ports below 1024).
    case permissionDenied
    /// The system has no more of something (descriptors, threads, memory).
    case system
  }

  /// The kind of reason.
  public let code: Code
  /// What went wrong and where, for a person.
  public let description: String

  init(_ code: Code, _ what: String, errno number: Int32 = 0) {
    self.code = code
    description = number == 0 ? what : "\(what): \(String(cString: strerror(number)))"
  }

  /// What `errno` says after a call that concerned `place`.
  init(_ place: String, errno number: Int32) {
    switch number {
    case EADDRINUSE: self.init(.addressInUse, "\(place) is in use: another server listens there")
    case EADDRNOTAVAIL, EAFNOSUPPORT: self.init(.addressUnavailable, "\(place) is no address of this machine")
    case EACCES, EPERM: self.init(.permissionDenied, "\(place) is not for this user to listen on")
    default: self.init(.system, "cannot listen on \(place)", errno: number)
    }
  }

  static var noLoop: ServerError { ServerError(.system, "an event loop cannot be made", errno: errno) }
}

extension Thread {
  /// Starts a thread of a server, whose failure it is where there is none.
  static func ofServer(
    _ name: String, _ body: @escaping @Sendable () -> Void
  ) throws(ServerError) -> Thread {
    do throws(ThreadFailure) {
      return try start(name, body)
    } catch {
      throw ServerError(.system, error.description)
    }
  }
}

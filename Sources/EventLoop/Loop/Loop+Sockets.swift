import CLibevent
import Glibc

/// What a descriptor is ready for, or is watched for.
public struct SocketReadiness: OptionSet, Sendable {
  /// The bits.
  public let rawValue: UInt8

  /// A set of these bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// It can be read without blocking, or its other end is closed.
  public static let read = SocketReadiness(rawValue: 1)
  /// It can be written without blocking, or a connection has failed.
  public static let write = SocketReadiness(rawValue: 2)
}

extension Loop {
  /// Runs `handler` whenever the descriptor is ready, until the watch is ended; nil where the system has no more room.
  ///
  /// On the loop's thread only. The descriptor stays its owner's, who ends the watch before closing it.
  public func watch(
    _ descriptor: Int32, for interest: SocketReadiness, _ handler: @escaping (SocketReadiness) -> Void
  ) -> SocketWatch? {
    let watch = SocketWatch(self, descriptor, handler)
    return watch.change(to: interest) ? watch : nil
  }
}

/// A descriptor that a loop watches for someone else, as for a library that does its own reading and writing.
///
/// Touched on the loop's thread only. It keeps its loop, and so the base that its event lies in, alive; whoever holds
/// it ends it, which frees the event.
public final class SocketWatch {
  private let loop: Loop
  private let descriptor: Int32
  private let handler: (SocketReadiness) -> Void
  /// Freed by `end`, which `deinit` sees to.
  private var event: OpaquePointer?

  fileprivate init(_ loop: Loop, _ descriptor: Int32, _ handler: @escaping (SocketReadiness) -> Void) {
    self.loop = loop
    self.descriptor = descriptor
    self.handler = handler
  }

  deinit { end() }

  /// Watches for something else from now on; false where the system has no more room.
  @discardableResult
  public func change(to interest: SocketReadiness) -> Bool {
    end()
    var kinds = Int32(EV_PERSIST)
    if interest.contains(.read) { kinds |= Int32(EV_READ) }
    if interest.contains(.write) { kinds |= Int32(EV_WRITE) }
    let me = Unmanaged.passUnretained(self).toOpaque()
    guard let event = event_new(loop.base, descriptor, Int16(kinds), socketReady, me) else { return false }
    self.event = event
    return event_add(event, nil) == 0
  }

  /// Watches no more; may be called within the handler.
  public func end() {
    guard let event else { return }
    self.event = nil
    event_free(event)
  }

  fileprivate func fire(_ readiness: SocketReadiness) { handler(readiness) }
}

/// `SocketWatch.deinit` frees the event, so this pointer is good while it can be called.
private func socketReady(_: Int32, _ kinds: Int16, watch: UnsafeMutableRawPointer?) {
  guard let watch else { return }
  var readiness: SocketReadiness = []
  if Int32(kinds) & Int32(EV_READ) != 0 { readiness.insert(.read) }
  if Int32(kinds) & Int32(EV_WRITE) != 0 { readiness.insert(.write) }
  Unmanaged<SocketWatch>.fromOpaque(watch).takeUnretainedValue().fire(readiness)
}

import Glibc
import HTTP1
import Synchronization
import Threads

/// An HTTP/1.1 server: loops, each with its thread, its listening socket and its connections.
///
/// Life: `init` listens (clients queue up), `start` serves, `drain` lets go of the clients, `stop` ends the
/// threads.
public final class Server: Sendable {
  /// Where the server listens, with the port that it was given.
  public let address: ServerAddress
  /// The loops, for timers and work beside the connections.
  public var loops: [Loop] { workers.map(\.loop) }
  /// The loop that the caller runs on; nil where that is none of the server's.
  public var currentLoop: Loop? { workers.first { $0.loop.isCurrent }?.loop }
  /// Connections that are open now.
  public var activeConnections: Int { state.activeConnections }

  let state: ServerState
  let workers: [Worker]
  private let threads = Mutex<[Thread]>([])

  /// Listens, but answers nobody yet.
  ///
  /// Also has the process ignore SIGPIPE: a client that goes away is an error of the write.
  ///
  /// - Throws: `ServerError`, above all `addressInUse` where any other process listens at the address.
  public init(
    _ configuration: ServerConfiguration, handler: any RequestHandler
  ) throws(ServerError) {
    signal(SIGPIPE, SIG_IGN)
    let count =
      configuration.threads > 0 ? configuration.threads : max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    var sockets: [Int32]
    (address, sockets) = try ListeningSocket.open(
      host: configuration.host, port: configuration.port, count: count)
    state = ServerState(handler, configuration.limits)
    var workers: [Worker] = []
    do throws(ServerError) {
      while let socket = sockets.popLast() { workers.append(try Worker(state, listeningOn: socket)) }
    } catch {
      for socket in sockets { close(socket) }
      throw error
    }
    self.workers = workers
  }

  /// Starts a thread a loop and returns.
  ///
  /// Called once.
  public func start() throws(ServerError) {
    for (number, worker) in workers.enumerated() {
      let thread = try Thread.ofServer("loop-\(number)") { worker.run() }
      threads.withLock { $0.append(thread) }
    }
  }

  /// Waits until `stop` has ended every loop.
  ///
  /// Not to be called on one of them.
  public func wait() {
    let running = threads.withLock { threads in
      defer { threads = [] }
      return threads
    }
    for thread in running { thread.join() }
  }

  /// Ends every loop, from any thread: what is open is closed as it is.
  public func stop() {
    for worker in workers { worker.loop.stop() }
  }
}

import EventLoop
import FileSource
import Glibc
import JSONText
import ListModel
import Service
import Sessions
import Synchronization
import Threads
import WebSource

/// The composition: every part of the house, joined, started and drained.
final class RunningService: Sendable {
  typealias Reload = @Sendable () throws(ConfigurationFaults) -> Configuration

  private let configuration: Configuration
  private let reload: Reload
  private let log: Log
  private let store: (any ChangeStore)?
  private let registry: SessionRegistry
  private let service: Service
  private let loops: ServerLoops
  private let logThread = LogThread()
  private let isDraining = Atomic<Bool>(false)

  /// How long a drain may take before what is still open is closed.
  private static let drainSeconds = 10.0
  /// Descriptors beside those of connections, generously.
  private static let ownDescriptors = 64

  /// - Parameters:
  ///   - store: where sessions are kept, which is closed in the end; nil: in memory alone.
  ///   - loops: those that the service is going to run on.
  init(
    _ configuration: Configuration, store: (any ChangeStore)?, loops: ServerLoops, reload: @escaping Reload
  ) {
    self.loops = loops
    self.configuration = configuration
    self.store = store
    self.reload = reload
    let logThread = logThread
    let log = Log(configuration.log, wake: logThread.wake) { Terminal.write($0, to: STDERR_FILENO) }
    self.log = log
    let metrics = Metrics()
    let sources = PageSources(fetches: configuration.server.limits.fetches) { metrics.countUpstreamRetry($0) }
    let registry = SessionRegistry(
      tables: TableCatalog(configuration.tables),
      sources: sources.source,
      limits: SessionLimits(configuration.server.limits), encoding: .serverSentEvents,
      observer: FetchObserver(metrics: metrics, log: log, now: System.now),
      world: World(
        now: System.now, schedule: loops.schedule, random: System.random,
        giveBackMemory: Memory.giveBack),
      store: store.map { ($0, .service) }, packing: .zstandard)
    self.registry = registry
    let started = System.now()
    service = Service(
      Service.Parts(
        registry: registry, rules: AccessRules(configuration.server), metrics: metrics, log: log,
        now: System.now,
        facts: {
          ProcessFacts(
            started: started, residentBytes: Process.residentBytes, sessions: registry.count,
            residentSessions: registry.residentCount, packedSessions: registry.packedCount,
            connections: loops.server?.activeConnections ?? 0)
        }, streamBufferBytes: configuration.server.limits.streamBufferBytes))
  }

  /// Serves until a signal ends it; gives the exit status.
  func run() -> Int32 {
    let descriptors = FileLimit.raise()
    if descriptors < configuration.server.limits.connections + Self.ownDescriptors {
      log.event(
        LogEvent(
          time: System.now(), .warning, "few-descriptors",
          "limits.connections is more than this process may have open; raise its limit of open files",
          members: [("descriptors", .number(descriptors))]))
    }
    let server: Server
    do {
      server = try Server(ServerConfiguration(configuration.server), handler: service)
      loops.server = server
      try logThread.start(log)
      watch(server)
      try server.start()
    } catch {
      Terminal.complain("rowcast: \(error)")
      return 1
    }
    Terminal.print("rowcast listening on http://\(server.address)\n")
    log.event(
      LogEvent(
        time: System.now(), .info, "started", "listening",
        members: [
          ("address", .text(Bytes("\(server.address)"))), ("tables", .number(configuration.tables.count)),
        ]))
    server.wait()
    store?.close()
    log.event(LogEvent(time: System.now(), .info, "ended", "all connections are closed"))
    logThread.end()
    return 0
  }

  private func watch(_ server: Server) {
    guard let loop = server.loops.first else { return }
    for signal in [SIGTERM, SIGINT] {
      loop.onSignal(signal) { self.drain(server, signal) }
    }
    // On a thread of its own: the file may lie on a disk that is slow.
    loop.onSignal(SIGHUP) {
      do throws(ThreadFailure) {
        try Thread.start("reload") { self.readTablesAgain() }.detach()
      } catch {
        self.log.event(LogEvent(time: System.now(), .error, "reload-failed", "\(error); the old tables stay"))
      }
    }
    every(1, on: loop) { self.registry.tidy() }
  }

  private func every(_ seconds: Double, on loop: Loop, _ job: @escaping @Sendable () -> Void) {
    loop.schedule(after: seconds) {
      job()
      self.every(seconds, on: loop, job)
    }
  }

  private func drain(_ server: Server, _ signal: Int32) {
    guard !isDraining.exchange(true, ordering: .relaxed) else {
      _exit(128 + signal)
    }
    log.event(
      LogEvent(time: System.now(), .info, "draining", "answers in flight finish, then the server ends"))
    service.drain()
    server.drain(seconds: Self.drainSeconds) { server.stop() }
  }

  /// SIGHUP: the new tables, or, where the file is faulty, the old ones and a line for each fault.
  private func readTablesAgain() {
    do throws(ConfigurationFaults) {
      let tables = try reload().tables
      registry.tables = TableCatalog(tables)
      log.event(
        LogEvent(
          time: System.now(), .info, "reloaded", "the tables were read again",
          members: [("tables", .number(tables.count))]))
    } catch {
      for line in error.lines {
        log.event(
          LogEvent(time: System.now(), .error, "configuration-faulty", "\(line); the old tables stay"))
      }
    }
  }
}

/// Counts what sources give, and says once a fetch which items could not be used.
struct FetchObserver: SessionObserver {
  let metrics: Metrics
  let log: Log
  let now: @Sendable () -> Int

  func pageRead(table: Bytes, milliseconds: Int, leftOut: Int, failure: UpstreamFailure.Code?) {
    metrics.countUpstreamRequest(table, failure: failure, nanoseconds: milliseconds * 1_000_000)
    guard leftOut > 0 else { return }
    metrics.countItemsLeftOut(table, leftOut)
    log.event(
      LogEvent(
        time: now(), .warning, "items-left-out",
        "items without a usable id, off their cell's required, or too large",
        members: [("table", .text(table)), ("items", .number(leftOut))]))
  }
}

import EventLoop
import FileSource
import Glibc
import JSONText
import ListModel
import SQLiteStore
import Service
import Sessions

/// `rowcast serve`: reads the configuration, puts the parts together, and serves until it is told to end.
enum ServeCommand {
  static func run(file: String?, flags: Overrides, environment: [String: String]) -> Int32 {
    let path = Configuration.file(flag: file, environment: environment)
    do throws(ConfigurationFaults) {
      let configuration = try Configuration.loadForListening(
        file: path, environment: environment, flags: flags)
      let loops = ServerLoops()
      let store: (any ChangeStore)?
      do throws(StoreFileFailure) {
        store = try open(configuration.store, loops.turns)
      } catch {
        Terminal.complain("rowcast: \(error.line)")
        return ConfigurationFaults.exitStatus
      }
      let reload: RunningService.Reload = { () throws(ConfigurationFaults) -> Configuration in
        try Configuration.loadForListening(file: path, environment: environment, flags: flags)
      }
      return RunningService(configuration, store: store, loops: loops, reload: reload).run()
    } catch {
      for line in error.lines { Terminal.complain(line) }
      return ConfigurationFaults.exitStatus
    }
  }

  /// Opens the store that is configured; nil: sessions live in memory alone.
  private static func open(
    _ choice: StoreChoice, _ turns: Turns
  ) throws(StoreFileFailure) -> (any ChangeStore)? {
    switch choice {
    case .memory, .redis: return nil
    case .sqlite(let path, let synchronous):
      return try SQLiteStore(
        path: path, synchronous: Synchronous(rawValue: synchronous.rawValue) ?? .full, turns: turns)
    }
  }
}

import EventLoop
import FileSource
import Glibc
import JSONText
import ListModel
import Service
import Sessions

/// `rowcast serve`: reads the configuration, puts the parts together, and serves until it is told to end.
enum ServeCommand {
  static func run(file: String?, flags: Overrides, environment: [String: String]) -> Int32 {
    let path = Configuration.file(flag: file, environment: environment)
    do throws(ConfigurationFaults) {
      let configuration = try Configuration.loadForListening(
        file: path, environment: environment, flags: flags)
      let running = RunningService(configuration) { () throws(ConfigurationFaults) -> Configuration in
        try Configuration.loadForListening(file: path, environment: environment, flags: flags)
      }
      return running.run()
    } catch {
      for line in error.lines { Terminal.complain(line) }
      return ConfigurationFaults.exitStatus
    }
  }
}

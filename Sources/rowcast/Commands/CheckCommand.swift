import Service

/// `rowcast check`: reads the configuration as `serve` would and says what is wrong with it.
enum CheckCommand {
  static func run(file: String?, environment: [String: String]) -> Int32 {
    let path = Configuration.file(flag: file, environment: environment)
    do throws(ConfigurationFaults) {
      let configuration = try Configuration.loadForListening(file: path, environment: environment)
      let count = configuration.tables.count
      Terminal.print("\(path): in order, \(count) \(count == 1 ? "table" : "tables")\n")
      return 0
    } catch {
      for line in error.lines { Terminal.complain(line) }
      return ConfigurationFaults.exitStatus
    }
  }
}

extension Configuration {
  /// Reads the configuration, and refuses one with which the server may not listen where it should.
  static func loadForListening(
    file: String, environment: [String: String], flags: Overrides = Overrides()
  ) throws(ConfigurationFaults) -> Configuration {
    let configuration = try load(file: file, environment: environment, flags: flags)
    if let fault = configuration.listeningFault { throw ConfigurationFaults(file: file, [fault]) }
    return configuration
  }
}

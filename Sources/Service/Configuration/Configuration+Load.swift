import JSONText
import ListModel

extension Configuration {
  /// Reads a configuration: defaults, over them the file, over it the environment, over that the flags.
  ///
  /// Everything that is wrong in any of them is collected and thrown at once; a bad variable does not hide a bad
  /// table. Reads the file and nothing else (a table's own file may appear later), so it is also how a running
  /// server reads its tables again.
  public static func load(
    file path: String, environment: [String: String], flags: Overrides = Overrides()
  ) throws(ConfigurationFaults) -> Configuration {
    let faults = FaultList()
    var configuration = Configuration()
    do {
      let file = try ConfigurationFile(path: path)
      var expansion = VariableExpansion(environment: environment, faults: faults)
      let json = expansion.expanding(file.json)
      let root = ConfigurationValue(json: json, place: JSONPointer(), faults: faults)
      configuration.read(root, folder: file.folder)
      configuration.keepSecret(expansion.values)
    } catch {
      faults.report(error)
    }
    configuration.apply(Overrides(environment: environment, faults))
    configuration.server.readAccess(environment, faults)
    configuration.apply(flags)
    configuration.server.hostPlace = Overrides.place(
      flag: flags.host == nil ? nil : "--host", variable: Overrides.hostVariable, environment,
      orElse: ["server", "host"])
    configuration.refuseMissingStore(environment, flags, faults)
    try faults.throwIfAny(file: path)
    return configuration
  }

  private mutating func read(_ root: ConfigurationValue, folder: String) {
    let read: Configuration? = root.object { root in
      var configuration = self
      _ = root["$schema"]?.string()
      configuration.server = root["server"]?.object { ServerSettings(&$0) } ?? server
      configuration.store = root["store"]?.setting(Settings.store) ?? store
      let context = TableContext(folder: folder, idleSeconds: configuration.server.limits.idleSeconds)
      let tables = root.required("tables", right: "an object of tables")?
        .entries(of: "tables") { TableDefinition($0, $1, context) }
      configuration.tables = tables?.map(\.value) ?? []
      return configuration
    }
    self = read ?? self
  }

  /// Tells the sources of the tables what came out of the environment, so that they do not tell it on.
  private mutating func keepSecret(_ values: Set<String>) {
    for index in tables.indices {
      guard case .http(var source) = tables[index].source else { continue }
      source.secrets = values.map { Bytes($0) }
      tables[index].source = .http(source)
    }
  }

  private mutating func apply(_ overrides: Overrides) {
    server.host = overrides.host ?? server.host
    server.port = overrides.port ?? server.port
    server.threads = overrides.threads ?? server.threads
    store = overrides.store ?? store
    log = overrides.log ?? log
  }

  /// A store that another build has is refused where it was named last, for that is the one that would be used.
  private func refuseMissingStore(_ environment: [String: String], _ flags: Overrides, _ faults: FaultList) {
    guard !store.isBuiltIn else { return }
    let place = Overrides.place(
      flag: flags.store == nil ? nil : "--store", variable: Overrides.storeVariable, environment,
      orElse: ["store"])
    let fault = ConfigurationFault(
      at: place, "\(store.scheme) stores are not in this build",
      remedy: "\"sqlite:PATH\" or \"memory:\" would be right")
    faults.report(fault)
  }
}

extension ServerSettings {
  fileprivate init(_ server: inout ConfigurationObject) {
    self.init()
    host = server["host"]?.setting(Settings.host) ?? host
    port = server["port"]?.integer(in: Settings.portRange) ?? port
    threads = server["threads"]?.integer(in: Settings.threadRange) ?? threads
    tokens = server["tokens"]?.array(of: "tokens") { $0.setting(Settings.token) } ?? tokens
    adminTokens = server["adminTokens"]?.array(of: "tokens") { $0.setting(Settings.token) } ?? adminTokens
    hosts = server["hosts"]?.array(of: "host names") { $0.setting(Settings.hostName) } ?? hosts
    origins = server["origins"]?.array(of: "origins") { $0.setting(Settings.origin) } ?? origins
    limits = server["limits"]?.object { Limits(&$0) } ?? limits
  }
}

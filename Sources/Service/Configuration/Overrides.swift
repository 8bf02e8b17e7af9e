import JSONText

/// Settings from outside the file: those of the environment, or those of the flags.
public struct Overrides: Sendable, Equatable {
  /// The address or name to listen on.
  public var host: String?
  /// The port.
  public var port: Int?
  /// Where sessions are kept.
  public var store: StoreChoice?
  /// The number of event loops.
  public var threads: Int?
  /// The form of the log.
  public var log: LogFormat?

  /// Nothing is overridden.
  public init() {}

  static let hostVariable = "ROWCAST_HOST"
  static let storeVariable = "ROWCAST_STORE"

  /// Where a setting was named last: by a flag, else a variable, else in the file.
  static func place(
    flag: String?, variable: String, _ environment: [String: String], orElse pointer: [Bytes]
  ) -> ConfigurationFault.Place {
    if let flag { return .flag(flag) }
    return environment.setting(variable) != nil ? .variable(variable) : .pointer(JSONPointer(tokens: pointer))
  }

  /// The settings of `ROWCAST_…` variables; bad ones are reported and left out.
  init(environment: [String: String], _ faults: FaultList) {
    func read<Value>(_ name: String, _ setting: Setting<Value>) -> Value? {
      environment.read(name, setting, faults)
    }
    host = read(Self.hostVariable, Settings.host)
    port = read("ROWCAST_PORT", Settings.port)
    store = read(Self.storeVariable, Settings.store)
    threads = read("ROWCAST_THREADS", Settings.threads)
    log = read("ROWCAST_LOG", Settings.log)
  }
}

extension ServerSettings {
  /// Takes the tokens of the environment, and whether the server may do without.
  mutating func readAccess(_ environment: [String: String], _ faults: FaultList) {
    if let token = environment.read("ROWCAST_TOKEN", Settings.token, faults) { tokens.append(token) }
    if let token = environment.read("ROWCAST_ADMIN_TOKEN", Settings.token, faults) {
      adminTokens.append(token)
    }
    let permission = Setting(wrong: "neither yes nor no", right: "1 or 0") { text in
      text == "1" ? true : text == "0" ? false : nil
    }
    allowsAnonymous = environment.read("ROWCAST_ALLOW_ANONYMOUS", permission, faults) ?? false
  }
}

extension [String: String] {
  /// A variable's value; nil where it is not set, or set to nothing (`docker run -e ROWCAST_PORT=`).
  func setting(_ name: String) -> String? {
    self[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A variable as `setting` reads it; what was written is never repeated, it may be a secret.
  fileprivate func read<T>(_ name: String, _ setting: Setting<T>, _ faults: FaultList) -> T? {
    guard let text = self.setting(name) else { return nil }
    if let value = setting.read(text) { return value }
    faults.report(
      ConfigurationFault(
        at: .variable(name), "is \(setting.wrong)", remedy: "\(setting.right) would be right"))
    return nil
  }
}

/// What a command line asks for.
public enum Invocation: Sendable, Equatable {
  /// `serve`: run the server.
  case serve(file: String?, flags: Overrides)
  /// `check`: read the configuration, say what is wrong with it.
  case check(file: String?)
  /// `health`: ask a running server whether it is well; nil asks the one of this environment.
  case health(HealthAddress?)
  /// `backup`: copy a SQLite store into a new file.
  case backup(StoreSelection, file: String)
  /// `export`: write the sessions of a store as JSON Lines; nil writes to standard output.
  case export(StoreSelection, file: String?)
  /// `import`: take sessions from JSON Lines into a store.
  case `import`(StoreSelection, file: String)
  /// `--version`.
  case version
  /// `--help`, of one command or of all.
  case help(Subcommand?)
}

/// Which store a command is about: the one named, else the one that the configuration names.
public struct StoreSelection: Sendable, Equatable {
  /// `--store`.
  public var store: StoreChoice?
  /// `--config`.
  public var file: String?

  /// What the flags say.
  public init(store: StoreChoice? = nil, file: String? = nil) {
    self.store = store
    self.file = file
  }

  /// The store that would be served in this environment.
  public func resolved(environment: [String: String]) throws(ConfigurationFaults) -> StoreChoice {
    if let store { return store }
    if let store = environment[Overrides.storeVariable].flatMap({ StoreChoice($0) }) { return store }
    return try Configuration.load(
      file: Configuration.file(flag: file, environment: environment), environment: environment
    ).store
  }
}

/// A command of `rowcast`.
public enum Subcommand: String, Sendable, CaseIterable {
  case serve, check, health, backup, export, `import`

  /// What may follow the command.
  var options: [Option] {
    switch self {
    case .serve: [.config, .host, .port, .store, .threads, .log]
    case .check: [.config]
    case .health: [.url]
    case .backup, .export, .import: [.config, .store]
    }
  }

  /// What follows the options, as the usage line calls it.
  var operand: String? {
    switch self {
    case .serve, .check, .health: nil
    case .backup, .import: "FILE"
    case .export: "[FILE]"
    }
  }
}

/// An option of a command; each takes a value.
enum Option: String, CaseIterable {
  case config, host, port, store, threads, log, url

  /// How it is written.
  var flag: String { "--\(rawValue)" }

  /// How its value is called in the usage line.
  var placeholder: String {
    switch self {
    case .config: "FILE"
    case .host: "H"
    case .port: "P"
    case .store, .url: "URL"
    case .threads: "N"
    case .log: "text|json"
    }
  }
}

/// A command line that cannot be understood.
public struct UsageError: Error, Sendable, Equatable {
  /// What is wrong, in one clause.
  public let problem: String
  /// The command that it is about; nil where none was named.
  public let command: Subcommand?

  /// The exit status: EX_USAGE of sysexits.h.
  public static let exitStatus: Int32 = 64

  /// Two lines for standard error: what is wrong, and the usage line.
  public var lines: [String] { ["rowcast: \(problem)".onOneLine, Usage.line(for: command)] }
}

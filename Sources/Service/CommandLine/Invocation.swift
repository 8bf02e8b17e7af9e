/// What a command line asks for.
public enum Invocation: Sendable, Equatable {
  /// `serve`: run the server.
  case serve(file: String?, flags: Overrides)
  /// `check`: read the configuration, say what is wrong with it.
  case check(file: String?)
  /// `try`: read a table's source once and print what comes.
  case attempt(Attempt)
  /// `health`: ask a running server whether it is well; nil asks the one of this environment.
  case health(HealthAddress?)
  /// `backup`: copy a SQLite store into a new file.
  case backup(StoreSelection, file: String)
  /// `export`: write the sessions of a store as JSON Lines; nil writes to standard output.
  case export(StoreSelection, file: String?)
  /// `import`: take sessions from JSON Lines into a store.
  case `import`(StoreSelection, file: String)
  /// `watch`: show a session as it changes.
  case watch(WatchOptions)
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

/// What `try` is to read.
public struct Attempt: Sendable, Equatable {
  /// The configuration file; nil where none is named.
  public var file: String?
  /// The table's name.
  public var table: String
  /// The session's parameters, in the order of the command line; of one given twice the last.
  public var params: [Parameter] = []
  /// The most pages.
  public var pages = 1

  /// A parameter and its value.
  public struct Parameter: Sendable, Equatable {
    /// The parameter's name.
    public var name: String
    /// Its value.
    public var value: String
  }
}

/// A command of `rowcast`.
public enum Subcommand: String, Sendable, CaseIterable {
  case serve, check
  case attempt = "try"
  case health, watch, backup, export, `import`

  /// What may follow the command.
  var options: [Option] {
    switch self {
    case .serve: [.config, .host, .port, .store, .threads, .log]
    case .check: [.config]
    case .attempt: [.config, .param, .pages]
    case .health: [.url]
    case .watch: [.once, .json, .table, .token]
    case .backup, .export, .import: [.config, .store]
    }
  }

  /// How the one word is called that must follow without a flag, in brackets where it may; nil where none may.
  var operand: String? {
    switch self {
    case .serve, .check, .health: nil
    case .attempt: "TABLE"
    case .watch: "URL"
    case .backup, .import: "FILE"
    case .export: "[FILE]"
    }
  }
}

/// An option of a command.
enum Option: String, CaseIterable {
  case config, host, port, store, threads, log, url, once, json, table, token, param, pages

  /// How it is written.
  var flag: String { "--\(rawValue)" }

  /// How its value is called in the usage line; nil where it takes none.
  var placeholder: String? {
    switch self {
    case .config: "FILE"
    case .host: "H"
    case .port: "P"
    case .store, .url: "URL"
    case .threads, .pages: "N"
    case .param: "K=V"
    case .log: "text|json"
    case .table: "NAME"
    case .token: "T"
    case .once, .json: nil
    }
  }
}

/// A command line that cannot be understood.
public struct UsageError: Error, Sendable, Equatable {
  /// What is wrong, in one clause.
  public let problem: String
  /// The command that it is about; nil where none was named.
  public let command: Subcommand?

  /// A command line of `command`, or of none, at fault.
  public init(problem: String, command: Subcommand?) {
    self.problem = problem
    self.command = command
  }

  /// The exit status: EX_USAGE of sysexits.h.
  public static let exitStatus: Int32 = 64

  /// Two lines for standard error: what is wrong, and the usage line.
  public var lines: [String] { ["rowcast: \(problem)".onOneLine, Usage.line(for: command)] }
}

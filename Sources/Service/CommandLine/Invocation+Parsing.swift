extension Invocation {
  /// Reads a command line without the program's name.
  ///
  /// Values follow their option, as `--port 80` or `--port=80`; of an option given twice the last counts, so that
  /// a script may append to what another one passes. `--help` anywhere asks for help and for nothing else.
  public init(parsing arguments: [String]) throws(UsageError) {
    guard let first = arguments.first else { throw UsageError(problem: "a command is missing", command: nil) }
    let rest = arguments.dropFirst()
    switch first {
    case "--version":
      guard let extra = rest.first else { self = .version; return }
      throw UsageError(problem: "\"\(extra)\" does not belong behind --version", command: nil)
    case "--help", "-h":
      guard let extra = rest.first else { self = .help(nil); return }
      throw UsageError(problem: "\"\(extra)\" does not belong behind \(first)", command: nil)
    case "help":
      self = try .help(rest.first.map { name throws(UsageError) in try Subcommand(named: name) })
    default:
      let command = try Subcommand(named: first)
      guard !rest.contains(where: { $0 == "--help" || $0 == "-h" }) else { self = .help(command); return }
      self = try command.invocation(rest)
    }
  }
}

extension Subcommand {
  fileprivate init(named name: String) throws(UsageError) {
    if let command = Subcommand(rawValue: name) {
      self = command
      return
    }
    let isOption = name.hasPrefix("-")
    let names = Subcommand.allCases.map(\.rawValue) + ["help"]
    let known = isOption ? ["--help", "--version"] : names
    let hint = nearestName(to: name, among: known).map { "; perhaps \($0) was meant" } ?? ""
    throw UsageError(problem: "unknown \(isOption ? "option" : "command") \"\(name)\"\(hint)", command: nil)
  }

  fileprivate func invocation(_ arguments: ArraySlice<String>) throws(UsageError) -> Invocation {
    let (values, params, word) = try words(arguments)
    let operand = word ?? ""
    let file = try values[.config].map { text throws(UsageError) in try read(text, .config, Settings.path) }
    switch self {
    case .check: return .check(file: file)
    case .attempt:
      var attempt = Attempt(file: file, table: operand)
      if let text = values[.pages] { attempt.pages = try read(text, .pages, Settings.pages) }
      for param in params {
        guard let equals = param.firstIndex(of: "="), equals > param.startIndex else {
          throw error("a value of --param has no name; NAME=VALUE would be right")
        }
        let name = String(param[..<equals])
        attempt.params.removeAll { $0.name.utf8.elementsEqual(name.utf8) }
        attempt.params.append(
          Attempt.Parameter(name: name, value: String(param[param.index(after: equals)...])))
      }
      return .attempt(attempt)
    case .health:
      return try .health(
        values[.url].map { text throws(UsageError) in try read(text, .url, HealthAddress.setting) })
    case .backup: return .backup(try selection(values, file), file: try path(operand))
    case .import: return .import(try selection(values, file), file: try path(operand))
    case .export:
      return .export(
        try selection(values, file), file: try word.map { word throws(UsageError) in try path(word) })
    case .serve:
      var flags = Overrides()
      if let text = values[.host] { flags.host = try read(text, .host, Settings.host) }
      if let text = values[.port] { flags.port = try read(text, .port, Settings.port) }
      if let text = values[.store] { flags.store = try read(text, .store, Settings.store) }
      if let text = values[.threads] { flags.threads = try read(text, .threads, Settings.threads) }
      if let text = values[.log] { flags.log = try read(text, .log, Settings.log) }
      return .serve(file: file, flags: flags)
    case .watch:
      var options = WatchOptions(url: operand)
      options.isOnce = values[.once] != nil
      options.isJSON = values[.json] != nil
      if let text = values[.table] { options.table = try read(text, .table, Settings.tableName) }
      if let text = values[.token] { options.token = try read(text, .token, Settings.token) }
      return .watch(options)
    }
  }

  private func selection(_ values: [Option: String], _ file: String?) throws(UsageError) -> StoreSelection {
    StoreSelection(
      store: try values[.store].map { text throws(UsageError) in try read(text, .store, Settings.store) },
      file: file)
  }

  private func path(_ word: String) throws(UsageError) -> String {
    guard let path = Settings.path.read(word) else { throw error("the name of the file is no path") }
    return path
  }

  /// The options' values as they were written, empty for those that take none; all of `--param`; and the operand.
  private func words(
    _ arguments: ArraySlice<String>
  ) throws(UsageError) -> (values: [Option: String], params: [String], operand: String?) {
    var values: [Option: String] = [:]
    var params: [String] = []
    var operands: [String] = []
    var rest = arguments
    while let argument = rest.popFirst() {
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let flag = String(parts[0])
      guard flag.hasPrefix("-") else {
        guard operand != nil, operands.isEmpty else { throw error("\"\(argument)\" is no option") }
        operands.append(argument)
        continue
      }
      guard let option = options.first(where: { $0.flag == flag }) else {
        let hint = nearestName(to: flag, among: options.map(\.flag)).map { "; perhaps \($0) was meant" } ?? ""
        throw error("unknown option \"\(flag)\"\(hint)")
      }
      if option.placeholder == nil {
        guard parts.count == 1 else { throw error("\(flag) takes no value") }
        values[option] = ""
      } else if parts.count == 2 {
        values[option] = String(parts[1])
      } else if let value = rest.first, !value.hasPrefix("--") {
        values[option] = value
        rest = rest.dropFirst()
      } else {
        throw error("\(flag) needs a value")
      }
      if option == .param, let param = values[.param] { params.append(param) }
    }
    if let operand, operands.isEmpty, !operand.hasPrefix("[") { throw error("\(operand) is missing") }
    return (values, params, operands.first)
  }

  /// A value as `setting` reads it; a bad one is not repeated, a store's address may hold a password.
  private func read<Value>(_ text: String, _ option: Option, _ setting: Setting<Value>) throws(UsageError)
    -> Value
  {
    guard let value = setting.read(text) else {
      throw error("the value of \(option.flag) is \(setting.wrong); \(setting.right) would be right")
    }
    return value
  }

  private func error(_ problem: String) -> UsageError { UsageError(problem: problem, command: self) }
}

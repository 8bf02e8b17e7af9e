import Service
import Testing

@Suite("The command line")
struct InvocationTests {
  private func parse(_ line: String) throws(UsageError) -> Invocation {
    try Invocation(parsing: line.split(separator: " ").map(String.init))
  }

  @Test("serves with what its flags say")
  func serve() throws {
    #expect(try parse("serve") == .serve(file: nil, flags: Overrides()))
    var flags = Overrides()
    flags.host = "::1"
    flags.port = 0
    flags.store = .memory
    flags.threads = 2
    flags.log = .json
    let expected = Invocation.serve(file: "a=b.json", flags: flags)
    #expect(
      try parse("serve --config a=b.json --host ::1 --port 0 --store memory: --threads 2 --log json")
        == expected)
    #expect(
      try parse("serve --config=a=b.json --host=[::1] --port=0 --store=memory: --threads=2 --log=json")
        == expected)
  }

  @Test("takes the last of an option given twice")
  func twice() throws {
    var flags = Overrides()
    flags.port = 2
    #expect(try parse("serve --port 1 --port=2") == .serve(file: nil, flags: flags))
  }

  @Test("watches what its operand says, before or behind the options")
  func watch() throws {
    var options = WatchOptions(url: "http://a/?session=x=y")
    #expect(try parse("watch http://a/?session=x=y") == .watch(options))
    options.isOnce = true
    options.isJSON = true
    options.table = "a b"
    options.token = "--t"
    let expected = Invocation.watch(options)
    #expect(
      try Invocation(parsing: [
        "watch", "--once", "--table", "a b", "http://a/?session=x=y", "--json", "--token=--t",
      ]) == expected)
    #expect(try parse("watch --help") == .help(.watch))
    #expect(try parse("watch x --once -h") == .help(.watch))
  }

  @Test("takes the token of the flag before that of the environment")
  func watchToken() throws {
    var options = WatchOptions(url: "x")
    #expect(try options.token(in: [:]) == nil)
    #expect(try options.token(in: ["ROWCAST_TOKEN": ""]) == nil)
    #expect(try options.token(in: ["ROWCAST_TOKEN": "a"]) == "a")
    let error = try #require(throws: UsageError.self) {
      try options.token(in: ["ROWCAST_TOKEN": "my secret"])
    }
    #expect(error.problem.contains("ROWCAST_TOKEN is no token") && !error.problem.contains("secret"))
    options.token = "b"
    #expect(try options.token(in: ["ROWCAST_TOKEN": "a b"]) == "b")
  }

  @Test("has check, health, version and help")
  func others() throws {
    #expect(try parse("check") == .check(file: nil))
    #expect(try parse("check --config x") == .check(file: "x"))
    #expect(try parse("health") == .health(nil))
    let address = HealthAddress(listeningOn: "127.0.0.1", port: 81)
    #expect(try parse("health --url http://127.0.0.1:81") == .health(address))
    #expect(try parse("--version") == .version)
    #expect(try parse("--help") == .help(nil))
    #expect(try parse("-h") == .help(nil))
    #expect(try parse("help") == .help(nil))
    #expect(try parse("help check") == .help(.check))
    #expect(try parse("serve --port --help") == .help(.serve))
    #expect(try parse("health -h") == .help(.health))
  }

  @Test("has commands about a store and a file")
  func stores() throws {
    let store = StoreSelection(store: .sqlite(path: "s.db", synchronous: .full), file: nil)
    #expect(try parse("backup --store sqlite:s.db b.db") == .backup(store, file: "b.db"))
    #expect(try parse("backup b.db --store=sqlite:s.db") == .backup(store, file: "b.db"))
    #expect(try parse("import a.jsonl --config c") == .import(StoreSelection(file: "c"), file: "a.jsonl"))
    #expect(try parse("export") == .export(StoreSelection(), file: nil))
    #expect(try parse("export a.jsonl") == .export(StoreSelection(), file: "a.jsonl"))
    #expect(
      Usage.line(for: .backup) == "usage: rowcast backup FILE [--config FILE] [--store URL]")
    #expect(
      Usage.line(for: .export) == "usage: rowcast export [FILE] [--config FILE] [--store URL]")
  }

  @Test(
    "refuses what it cannot understand, with the usage line",
    arguments: [
      ("", "a command is missing"), ("srve", "perhaps serve was meant"), ("run", "unknown command \"run\""),
      ("--verison", "perhaps --version was meant"), ("--version now", "does not belong"),
      ("-x", "unknown option"),
      ("serve now", "\"now\" is no option"), ("serve --prot 1", "perhaps --port was meant"),
      ("serve -p 1", "unknown option \"-p\""), ("serve --port", "--port needs a value"),
      ("serve --host --port 1", "--host needs a value"), ("serve --port=", "--port is no port"),
      ("serve --port -1", "--port is no port"), ("serve --port 65536", "a whole number from 0 to 65535"),
      ("serve --port 1e3", "--port is no port"), ("serve --threads 2000", "--threads"),
      ("serve --log xml", "text or json"),
      ("serve --host http://x", "--host"), ("serve --store x", "--store is no store"),
      ("serve --config=", "--config"),
      ("serve --url x", "unknown option \"--url\""), ("check --port 1", "unknown option \"--port\""),
      ("health --url https://x", "--url"), ("health --url 127.0.0.1", "--url"),
      ("help me", "unknown command"),
      ("backup", "FILE is missing"), ("backup a b", "\"b\" is no option"), ("backup --port 1 a", "--port"),
      ("import --store x a", "--store is no store"),
      ("serve --", "unknown option \"--\""), ("watch", "URL is missing"), ("watch --once", "URL is missing"),
      ("watch a b", "\"b\" is no option"), ("watch a --once=1", "--once takes no value"),
      ("watch a --token", "--token needs a value"), ("watch a --token=", "--token is no token"),
      ("watch a --table=", "--table is no table's name"), ("watch a --jsn", "perhaps --json was meant"),
    ])
  func usage(_ line: String, _ fragment: String) throws {
    let error = try #require(throws: UsageError.self) { try parse(line) }
    #expect(error.problem.contains(fragment), "\(error.problem)")
    #expect(error.lines.count == 2)
    #expect(error.lines.last?.hasPrefix("usage: rowcast") == true)
    #expect(UsageError.exitStatus == 64)
  }

  @Test("says the usage of each command")
  func usageLines() {
    #expect(
      Usage.line(for: .serve)
        == "usage: rowcast serve [--config FILE] [--host H] [--port P] [--store URL] [--threads N] [--log text|json]"
    )
    #expect(Usage.line(for: .check) == "usage: rowcast check [--config FILE]")
    #expect(
      Usage.line(for: .watch) == "usage: rowcast watch URL [--once] [--json] [--table NAME] [--token T]")
    #expect(Usage.line(for: .health) == "usage: rowcast health [--url URL]")
    for command in [nil] + Subcommand.allCases.map(Optional.some) {
      let help = Usage.help(for: command)
      #expect(help.hasPrefix(Usage.line(for: command)) && help.hasSuffix("\n"))
      #expect(help.split(separator: "\n").allSatisfy { $0.count <= 110 })
    }
  }

  @Test("reads the address of a health check")
  func healthAddress() throws {
    let cases: [(String, String, Int, String, String)] = [
      ("http://a.example", "a.example", 80, "/healthz", "a.example:80"),
      ("HTTP://127.0.0.1:8080/", "127.0.0.1", 8080, "/healthz", "127.0.0.1:8080"),
      ("http://[::1]:1/readyz?x", "::1", 1, "/readyz?x", "[::1]:1"), ("http://a?x", "a", 80, "/?x", "a:80"),
    ]
    for (url, host, port, path, authority) in cases {
      let address = try #require(HealthAddress(url: url))
      #expect((address.host, address.port, address.path, address.authority) == (host, port, path, authority))
    }
    for url in [
      "", "http://", "http://a:0", "http://a b", "http://u@a", "http://a\r\nb", "ftp://a", "http://a/#x",
    ] {
      #expect(HealthAddress(url: url) == nil, "\(url)")
    }
    #expect(HealthAddress(listeningOn: "0.0.0.0", port: 1).host == "127.0.0.1")
    #expect(HealthAddress(listeningOn: "::", port: 1).host == "::1")
    #expect(HealthAddress(listeningOn: "10.0.0.1", port: 1).host == "10.0.0.1")
  }
}

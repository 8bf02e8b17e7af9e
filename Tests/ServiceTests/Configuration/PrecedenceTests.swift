import Service
import Testing

@Suite("Flags go before variables, variables before the file")
struct PrecedenceTests {
  let file =
    #"{"server": {"host": "127.0.0.2", "port": 1, "threads": 1, "tokens": ["file"]}, "store": "memory:", "tables": {}}"#
  let environment = [
    "ROWCAST_HOST": "127.0.0.3", "ROWCAST_PORT": "2", "ROWCAST_THREADS": "2", "ROWCAST_LOG": "json",
    "ROWCAST_STORE": "memory:", "ROWCAST_TOKEN": "variable", "ROWCAST_ADMIN_TOKEN": "admin",
  ]

  @Test("each over the one before")
  func order() throws {
    let plain = try configuration(file).server
    #expect((plain.host, plain.port, plain.threads) == ("127.0.0.2", 1, 1))
    let varied = try configuration(file, environment: environment)
    #expect((varied.server.host, varied.server.port, varied.server.threads) == ("127.0.0.3", 2, 2))
    #expect(varied.log == .json)
    #expect(varied.server.tokens == ["file", "variable"])
    #expect(varied.server.adminTokens == ["admin"])
    var flags = Overrides()
    flags.host = "127.0.0.4"
    flags.port = 0
    flags.threads = 3
    flags.log = .text
    let flagged = try configuration(file, environment: environment, flags: flags)
    #expect((flagged.server.host, flagged.server.port, flagged.server.threads) == ("127.0.0.4", 0, 3))
    #expect(flagged.log == .text)
  }

  @Test("a variable that is set to nothing is not set")
  func empty() throws {
    let names = ["HOST", "PORT", "THREADS", "LOG", "STORE", "TOKEN", "ADMIN_TOKEN", "ALLOW_ANONYMOUS"]
    let environment = Dictionary(uniqueKeysWithValues: names.map { ("ROWCAST_\($0)", "") })
    let varied = try configuration(file, environment: environment)
    let plain = try configuration(file)
    #expect(varied.server == plain.server)
    #expect(varied.store == plain.store && varied.log == plain.log)
  }

  @Test("a bad variable is named, beside what is wrong in the file")
  func badVariables() throws {
    let environment = [
      "ROWCAST_HOST": "a b", "ROWCAST_PORT": "+80", "ROWCAST_THREADS": "many", "ROWCAST_LOG": "xml",
      "ROWCAST_STORE": "disk", "ROWCAST_TOKEN": "a b", "ROWCAST_ADMIN_TOKEN": "\u{7}",
      "ROWCAST_ALLOW_ANONYMOUS": "yes",
    ]
    let found = try faults(of: #"{"tables": 1}"#, environment: environment)
    #expect(Set(found.map(\.place)) == Set(environment.keys).union(["/tables"]))
    let port = try #require(found.first { $0.place == "ROWCAST_PORT" })
    #expect(port.message == "is no port; a whole number from 0 to 65535 would be right")
  }

  @Test("a store of another build is refused where it was named last")
  func store() throws {
    var flags = Overrides()
    flags.store = .memory
    _ = try configuration(#"{"store": "redis://h", "tables": {}}"#, flags: flags)
    let found = try faults(of: #"{"tables": {}}"#, environment: ["ROWCAST_STORE": "redis://h"])
    #expect(found.map(\.place) == ["ROWCAST_STORE"])
    #expect(found.first?.message.contains("not in this build") == true)
    flags.store = StoreChoice("redis://h")
    let fixture = try ConfigurationFixture(#"{"tables": {}}"#)
    let error = try #require(throws: ConfigurationFaults.self) { try fixture.load(flags: flags) }
    let line = "--store: redis: stores are not in this build; \"sqlite:PATH\" or \"memory:\" would be right"
    #expect(error.lines == [line])
  }

  @Test("the file is the flag's, the variable's, or the standard one")
  func path() {
    let environment = ["ROWCAST_CONFIG": "b.json"]
    #expect(Configuration.file(flag: "a.json", environment: environment) == "a.json")
    #expect(Configuration.file(flag: nil, environment: environment) == "b.json")
    #expect(Configuration.file(flag: nil, environment: ["ROWCAST_CONFIG": ""]) == "Config/rowcast.json")
  }

  @Test(
    "without tokens only loopback is listened on",
    arguments: [
      ("127.0.0.1", true), ("127.9.9.9", true), ("::1", true), ("::ffff:127.0.0.1", true),
      ("localhost", true),
      ("LOCALHOST", true), ("0.0.0.0", false), ("::", false), ("10.0.0.1", false), ("::ffff:10.0.0.1", false),
      ("::2", false), ("example.com", false), ("::127.0.0.1", false),
    ])
  func anonymous(_ host: String, _ isLoopback: Bool) throws {
    func fault(_ environment: [String: String]) throws -> ConfigurationFault? {
      let environment = environment.merging(["ROWCAST_HOST": host]) { $1 }
      return try configuration(#"{"tables": {}}"#, environment: environment).listeningFault
    }
    #expect((try fault([:]) == nil) == isLoopback)
    #expect(try fault(["ROWCAST_TOKEN": "x"]) == nil)
    #expect(try fault(["ROWCAST_ADMIN_TOKEN": "x"]) == nil)
    #expect(try fault(["ROWCAST_ALLOW_ANONYMOUS": "1"]) == nil)
    #expect((try fault(["ROWCAST_ALLOW_ANONYMOUS": "0"]) == nil) == isLoopback)
    if let line = try fault([:])?.line(file: "f") {
      #expect(line.hasPrefix("ROWCAST_HOST: ") && line.contains("ROWCAST_TOKEN"))
      let file = #"{"server": {"host": "\#(host)"}, "tables": {}}"#
      #expect(try configuration(file).listeningFault?.line(file: "f").hasPrefix("f: /server/host: ") == true)
    }
  }
}

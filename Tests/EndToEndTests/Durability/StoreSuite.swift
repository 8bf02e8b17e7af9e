import TestSupport

/// Tests of the tools for stores: a folder that holds some, and a configuration of one table.
protocol StoreSuite {
  var folder: TemporaryFolder { get }
}

extension StoreSuite {
  /// A folder with the configuration: the table `list`, of source `client`.
  static func makeFolder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(#"{"tables": {"list": {"source": {"kind": "client"}}}}"#, to: "rowcast.json")
    return folder
  }

  /// The arguments that name the configuration.
  var config: [String] { ["--config", folder.path("rowcast.json")] }

  /// The arguments that name a store in the folder.
  func store(_ name: String) -> [String] { ["--store", "sqlite:" + folder.path(name)] }

  /// A server on a store in the folder.
  func serve(_ name: String) throws -> RunningServer { try RunningServer(config + store(name)) }

  /// A store of some sessions, each with some changes; left in order, or with its log as a crash leaves it.
  func fill(_ name: String, crashing: Bool = false) throws {
    let server = try serve(name)
    for number in 0..<6 {
      let play = try Playground(server, "s\(number)")
      for row in 0...number {
        try play.command("insert", "{\"rows\":[{\"id\":\"r\(row)\",\"data\":\(row).0}]}")
      }
    }
    if crashing { server.crash() } else { server.stop() }
  }
}

import Foundation
import JSONText
import ListModel
import Service
import Testing
import TestSupport

@Suite("The shipped configuration")
struct ShippedConfigurationTests {
  private func table(_ name: Bytes) throws -> TableDefinition {
    let file = projectRoot.appending(path: "Config/rowcast.json").path
    let configuration = try Configuration.load(file: file, environment: [:])
    return try #require(configuration.tables.first { $0.name == name })
  }

  private func items(_ name: Bytes) throws -> [JSONValue] {
    guard case .file(let file) = try table(name).source else { return [] }
    let text = try Data(contentsOf: URL(filePath: file.path))
    if file.path.hasSuffix(".jsonl") {
      return try text.split(separator: UInt8(ascii: "\n")).map { try JSONValue(parsing: Bytes(Array($0))) }
    }
    let document = try JSONValue(parsing: Bytes(Array(text)))
    return try #require(document.value(at: file.items)).elements
  }

  @Test("has the four tables, without fault")
  func tables() throws {
    let file = projectRoot.appending(path: "Config/rowcast.json").path
    let configuration = try Configuration.load(file: file, environment: [:])
    #expect(configuration.tables.map(\.name) == ["elements", "messages", "tasks", "announcements"])
    #expect(configuration.store == .standard)
    #expect(configuration.listeningFault == nil)
    for table in configuration.tables {
      #expect(table.title != table.name)
      #expect(table.look.texts.presentation.kind == .object)
      guard case .file(let file) = table.source else { continue }
      #expect(FileManager.default.isReadableFile(atPath: file.path))
    }
  }

  @Test("has all 118 elements, twenty a page, capped at a hundred")
  func elements() throws {
    let table = try table("elements")
    #expect(table.pageSize == 20 && table.maxItems == 100)
    let elements = try items("elements")
    #expect(elements.map { $0.member(named: "number")?.integer } == Array(1...118))
    #expect(Set(elements.compactMap { $0.member(named: "symbol")?.string }).count == 118)
    #expect(Set(elements.compactMap { $0.member(named: "name")?.string }).count == 118)
  }

  @Test("has messages of four kinds, each with what its cell requires")
  func messages() throws {
    let table = try table("messages")
    guard case .choice(let pointer, let map, _) = table.look.cell else {
      Issue.record("\(table.look.cell)")
      return
    }
    let messages = try items("messages")
    #expect(messages.count >= 60)
    #expect(Set(messages.compactMap { $0.member(named: "id")?.string }).count == messages.count)
    var kinds: Set<Bytes> = []
    for message in messages {
      let kind = try #require(message.value(at: pointer)?.string)
      kinds.insert(kind)
      let name = try #require(map[kind])
      let cell = try #require(table.look.cells[name])
      for (member, _) in cell.required {
        let source = try #require(cell.projection?.first { $0.member == member }).pointer
        #expect(message.value(at: source)?.kind == .string, "\(message.text)")
      }
    }
    #expect(kinds == ["user", "text", "image", "warning"])
  }

  @Test("has tasks that say how to add one, and a state of their own")
  func tasks() throws {
    let look = try table("tasks").look
    #expect(look.placeholder.mode == .resident)
    #expect(look.placeholder.kinds[.empty]?.data.text == #"{"title":"Tap + above to add an item"}"#)
    let maintenance = try #require(look.states["maintenance"])
    #expect(!maintenance.showsItems && !maintenance.isSelectable)
    #expect(maintenance.rows.first?.bind.map(\.pointer.text) == ["/message"])
    #expect(look.transitions == ["maintenance": ["populated", "empty"]])
  }

  @Test("has announcements whose placeholder comes and goes")
  func announcements() throws {
    #expect(try table("announcements").look.placeholder.mode == .transient)
  }
}

@Suite("The schema of the configuration")
struct ConfigurationSchemaTests {
  private static let unknown = "zzzzzzzzzzzz"

  private static let pagingSchema = "/$defs/httpSource/properties/paging/oneOf"

  private static func http(_ members: String) -> String {
    withTable("{\"source\": {\"kind\": \"http\", \"url\": \"http://h\", \(members)}}")
  }

  private static func paging(_ style: String) -> String {
    http("\"paging\": {\"style\": \"\(style)\", \"\(unknown)\": 1}")
  }

  /// A place of the file that has an unknown key, and the schema of that place.
  static let places: [(text: String, schema: String)] = [
    ("{\"\(unknown)\": 1, \"tables\": {}}", ""),
    ("{\"server\": {\"\(unknown)\": 1}, \"tables\": {}}", "/$defs/server"),
    ("{\"server\": {\"limits\": {\"\(unknown)\": 1}}, \"tables\": {}}", "/$defs/server/properties/limits"),
    (withTable("{\"\(unknown)\": 1}"), "/$defs/table"),
    (withTable("{\"source\": {\"kind\": \"client\", \"\(unknown)\": 1}}"), "/$defs/clientSource"),
    (
      withTable("{\"source\": {\"kind\": \"file\", \"path\": \"x\", \"\(unknown)\": 1}}"), "/$defs/fileSource"
    ),
    (
      withTable("{\"source\": {\"kind\": \"http\", \"url\": \"http://h\", \"\(unknown)\": 1}}"),
      "/$defs/httpSource"
    ),
    (http("\"error\": {\"pointer\": \"\", \"\(unknown)\": 1}"), "/$defs/httpSource/properties/error"),
    (paging("page\", \"page\": \"p"), "\(pagingSchema)/0"),
    (paging("offset\", \"offset\": \"o"), "\(pagingSchema)/1"),
    (paging("cursor\", \"param\": \"c\", \"next\": \"/n"), "\(pagingSchema)/2"),
    (paging("link"), "\(pagingSchema)/3"),
    (paging("next\", \"next\": \"/n"), "\(pagingSchema)/4"),
    (paging("grow\", \"size\": \"n"), "\(pagingSchema)/5"),
    (paging("none"), "\(pagingSchema)/6"),
    (withTable("{\"params\": {\"p\": {\"\(unknown)\": 1}}}"), "/$defs/parameter"),
    (withTable("{\"cell\": {\"pointer\": \"\", \"\(unknown)\": 1}}"), "/$defs/cellRule"),
    (withTable("{\"cells\": {\"c\": {\"\(unknown)\": 1}}}"), "/$defs/cell"),
    (withTable("{\"placeholder\": {\"\(unknown)\": 1}}"), "/$defs/placeholder"),
    (withTable("{\"placeholder\": {\"empty\": {\"\(unknown)\": 1}}}"), "/$defs/row"),
    (withTable("{\"placeholder\": {\"retry\": {\"\(unknown)\": 1}}}"), "/$defs/boundRow"),
    (withTable("{\"states\": {\"s\": {\"\(unknown)\": 1}}}"), "/$defs/state"),
    (withTable("{\"states\": {\"s\": {\"rows\": [{\"\(unknown)\": 1}]}}}"), "/$defs/boundRow"),
  ]

  @Test("knows the keys that the server knows, place by place", arguments: places)
  func keys(_ text: String, _ schema: String) throws {
    let found = try faults(of: text)
    let message = try #require(found.first?.message)
    #expect(found.count == 1)
    let list = try #require(message.range(of: "known here: ")).upperBound
    let known = message[list...].split(separator: ", ").map(String.init)

    let file = try Data(contentsOf: projectRoot.appending(path: "Config/rowcast.schema.json"))
    let document = try JSONValue(parsing: Bytes(Array(file)))
    let pointer = try #require(JSONPointer(Bytes(schema)))
    let place = try #require(document.value(at: pointer))
    var described: [String] = []
    place.member(named: "properties")?.forEachMember { name, property in described.append(name.string) }
    #expect(described.sorted() == known.sorted())
    #expect(place.member(named: "additionalProperties")?.bool == false)
  }

  @Test("accepts the shipped file and the documented example", .enabled(if: hasValidator))
  func validates() throws {
    let script = """
      import json, sys, jsonschema
      schema = json.load(open(sys.argv[1]))
      jsonschema.Draft202012Validator.check_schema(schema)
      for path in sys.argv[2:]:
        jsonschema.Draft202012Validator(schema).validate(json.load(open(path)))
      """
    let files =
      ["Config/rowcast.schema.json", "Config/rowcast.json", "Tests/Fixtures/configuration/example.json"]
      + ShippedExampleTests.names.map { "Config/examples/\($0)" }
    #expect(try run(["-c", script] + files.map { projectRoot.appending(path: $0).path }) == 0)
  }

  @Test(
    "documents an example that is without fault where its variables are set")
  func example() throws {
    let text = try Data(contentsOf: projectRoot.appending(path: "Tests/Fixtures/configuration/example.json"))
    let environment = ["LISTS_TOKEN": "a", "API_TOKEN": "b"]
    let found = try faults(of: text, environment: environment)
    #expect(found.isEmpty)
    let bare = try faults(of: text)
    #expect(
      Set(bare.map(\.place)) == [
        "/server/tokens/0", "/tables/articles/source/headers/Authorization",
      ])
  }

  private static let hasValidator: Bool = {
    do { return try run(["-c", "import jsonschema"]) == 0 } catch { return false }
  }()

  private static func run(_ arguments: [String]) throws -> Int32 {
    try Finished(["python3"] + arguments).status
  }

  private func run(_ arguments: [String]) throws -> Int32 { try Self.run(arguments) }
}

@Suite("The shipped examples")
struct ShippedExampleTests {
  static let names = [
    "qiita.json", "github-issues.json", "mastodon.json", "hacker-news.json", "feed.json", "client.json",
  ]

  @Test("have no fault, and a guide", arguments: names)
  func check(name: String) throws {
    let path = projectRoot.appending(path: "Config/examples/\(name)").path
    let configuration = try Configuration.load(file: path, environment: ["QIITA_TOKEN": "t"])
    #expect(configuration.tables.count == 1 && configuration.listeningFault == nil)
    let guide = try String(
      contentsOf: projectRoot.appending(path: "Documentation/Sources.md"), encoding: .utf8)
    #expect(guide.contains("Config/examples/\(name)"))
  }

  @Test("are all there are")
  func all() throws {
    let folder = projectRoot.appending(path: "Config/examples").path
    #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder)) == Set(Self.names))
  }
}

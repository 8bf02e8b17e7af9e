import JSONText
import ListModel
import Testing

/// How raw items become rows, and which of them do not.
@Suite struct ItemReaderTests {
  private func reader(
    id: JSONPointer = JSONPointer(tokens: ["id"]), look: TableLook = TableLook(), rowBytes: Int = 65536
  ) -> ItemReader {
    ItemReader(id: id, look: look, rowBytes: rowBytes)
  }

  private func values(_ texts: [String]) throws -> [JSONValue] {
    try texts.map { try JSONValue(parsing: Bytes($0)) }
  }

  // MARK: Ids

  static let usableIDs: [(text: String, id: String)] = [
    (#""a""#, "a"), (#""\u0061\n\"""#, "a\n\""), (#""\u0000""#, "\0"), (#""e\u0301""#, "e\u{301}"),
    (#""1.0""#, "1.0"),
    ("0", "0"), ("-0", "-0"), ("-7", "-7"), ("9007199254740993", "9007199254740993"),
    ("123456789012345678901234567890", "123456789012345678901234567890"),
    ("\"" + String(repeating: "x", count: 256) + "\"", String(repeating: "x", count: 256)),
    (String(repeating: "7", count: 256), String(repeating: "7", count: 256)),
  ]

  @Test("A string is its own id, an integer its text", arguments: usableIDs)
  func readsID(text: String, id: String) throws {
    #expect(Item.id(from: try JSONValue(parsing: Bytes(text))) == Bytes(id))
    let item = try #require(try reader().readPage(values(["{\"id\":\(text)}"])).items.first)
    #expect(item.id == Bytes(id))
    #expect(try JSONValue(parsing: item.row).member(named: "id")?.string == Bytes(id))
  }

  static let unusableIDs = [
    #""""#, "1.0", "1e3", "1E3", "-0.0", "true", "null", "{}", "[]", "[1]",
    "\"" + String(repeating: "x", count: 257) + "\"", "\"" + String(repeating: "é", count: 129) + "\"",
    String(repeating: "7", count: 257),
  ]

  @Test("Anything else is no id", arguments: unusableIDs)
  func refusesID(text: String) throws {
    let raw = try JSONValue(parsing: Bytes("{\"id\":\(text)}"))
    #expect(throws: LeftOutReason.noUsableID) { try reader().read(raw) }
  }

  @Test("An id is found by its pointer, in members, elements and the item itself")
  func followsIDPointer() throws {
    let raw = try JSONValue(parsing: #"{"a/b":{"~":["x",{"":5}]}}"#)
    #expect(try reader(id: JSONPointer(tokens: ["a/b", "~", "0"])).read(raw).id == "x")
    #expect(try reader(id: JSONPointer(tokens: ["a/b", "~", "1", ""])).read(raw).id == "5")
    #expect(throws: LeftOutReason.noUsableID) { try reader(id: JSONPointer(tokens: ["a/b", "x"])).read(raw) }
    let strings = try reader(id: JSONPointer()).readPage(values([#""a""#, "2"]))
    #expect(
      strings.items.map(\.row) == [
        #"{"id":"a","cell":"Cell","data":"a"}"#, #"{"id":"2","cell":"Cell","data":2}"#,
      ])
  }

  // MARK: Cells

  static let choices: [(raw: String, cell: Bytes)] = [
    (#"{"kind":"user"}"#, "UserCell"), (#"{"kind":"\u0075ser"}"#, "UserCell"), (#"{"kind":""}"#, "BlankCell"),
    (#"{"kind":"USER"}"#, "Cell"), (#"{"kind":"other"}"#, "Cell"), (#"{"kind":1}"#, "Cell"),
    (#"{"kind":null}"#, "Cell"), (#"{"kind":["user"]}"#, "Cell"), (#"{}"#, "Cell"), (#""user""#, "Cell"),
  ]

  @Test("The cell is chosen by a string of the item", arguments: choices)
  func choosesCell(raw: String, cell: Bytes) throws {
    let rule = CellRule.choice(
      pointer: JSONPointer(tokens: ["kind"]), map: ["user": "UserCell", "": "BlankCell"], fallback: "Cell")
    #expect(rule.cell(for: try JSONValue(parsing: Bytes(raw))) == cell)
    #expect(CellRule.name("Only").cell(for: try JSONValue(parsing: Bytes(raw))) == "Only")
  }

  @Test("Cell, projection and requirements belong together, and see what they should")
  func choosesByRawItem() throws {
    var look = TableLook()
    look.cell = .choice(pointer: JSONPointer(tokens: ["kind"]), map: ["user": "UserCell"], fallback: "Cell")
    look.cells = [
      "UserCell": CellDefinition(
        projection: [("name", JSONPointer(tokens: ["user", "name"]))], required: [("name", .string)])
    ]
    let page = try reader(look: look).readPage(
      values([
        #"{"id":1,"kind":"user","user":{"name":"Ann"}}"#,
        #"{"id":2,"kind":"user","name":"not here"}"#,
        #"{"id":3,"kind":"page"}"#,
      ]))
    #expect(
      page.items.map(\.row) == [
        #"{"id":"1","cell":"UserCell","data":{"name":"Ann"}}"#,
        #"{"id":"3","cell":"Cell","data":{"id":3,"kind":"page"}}"#,
      ])
    #expect(page.leftOut.offRequired == 1)
  }

  // MARK: Data

  @Test("A projection takes members by pointer, in its own order, and null for what is not there")
  func projects() throws {
    let cell = CellDefinition(projection: [
      ("image", JSONPointer(tokens: ["user", "image"])), ("a\"b", JSONPointer(tokens: ["n"])),
      ("none", JSONPointer(tokens: ["user", "none", "deep"])), ("whole", JSONPointer()),
      ("second", JSONPointer(tokens: ["list", "1"])), ("end", JSONPointer(tokens: ["list", "-"])),
    ])
    let raw = try JSONValue(parsing: #"{"n": 1.0, "user": { "image": null }, "list": [ [], "\u0062" ] }"#)
    #expect(
      cell.data(from: raw, limit: 1000)?.text
        == #"{"image":null,"a\"b":1.0,"none":null,"whole":{"n":1.0,"user":{"image":null},"list":[[],"\u0062"]},"second":"\u0062","end":null}"#
    )
    #expect(CellDefinition(projection: []).data(from: raw, limit: 2)?.text == "{}")
    #expect(
      CellDefinition().data(from: raw, limit: 1000)?.text
        == #"{"n":1.0,"user":{"image":null},"list":[[],"\u0062"]}"#)
  }

  @Test("The limit counts the minified, projected data, to the byte")
  func limitsData() throws {
    let raw = try JSONValue(parsing: #"{ "id" : "a" , "n" : "xxxxxxxxxx" }"#)
    let cells = [
      (CellDefinition(), 27),  // {"id":"a","n":"xxxxxxxxxx"}
      (CellDefinition(projection: [("n", JSONPointer(tokens: ["n"]))]), 18),  // {"n":"xxxxxxxxxx"}
      (CellDefinition(projection: []), 2),
    ]
    for (cell, size) in cells {
      #expect(cell.data(from: raw, limit: size)?.text.count == size)
      #expect(cell.data(from: raw, limit: size - 1) == nil)
      #expect(cell.data(from: raw, limit: 0) == nil)
    }
  }

  // MARK: Requirements

  static let types: [(text: String, types: Set<JSONType>)] = [
    (#""""#, [.string]), ("0", [.number, .integer]), ("-12345678901234567890", [.number, .integer]),
    ("1.0", [.number]), ("1e3", [.number]), ("true", [.boolean]), ("false", [.boolean]), ("{}", [.object]),
    ("[]", [.array]), ("null", [.null]),
  ]

  @Test("Every type matches its own values only", arguments: types)
  func matchesTypes(text: String, types: Set<JSONType>) throws {
    let value = try JSONValue(parsing: Bytes(text))
    #expect(Set(JSONType.allCases.filter { $0.matches(value) }) == types)
  }

  static let violations: [(data: String, pointer: [Bytes]?, message: String)] = [
    (#"{"title":"a","n":1}"#, nil, ""),
    (#"{"n":-5,"other":{},"title":""}"#, nil, ""),
    (#"{"t\u0069tle":"a","n":1}"#, nil, ""),
    (#"{"title":1,"n":1.5}"#, ["title"], "title must be a string"),
    (#"{"title":"a","n":1.0}"#, ["n"], "n must be an integer"),
    (#"{"title":null,"n":1}"#, ["title"], "title must be a string"),
    (#"{"title":"a"}"#, ["n"], "n is missing; it must be an integer"),
    (#"{}"#, ["title"], "title is missing; it must be a string"),
    (#"[]"#, [], "an object with the member title was expected"),
    (#""title""#, [], "an object with the member title was expected"),
    ("null", [], "an object with the member title was expected"),
  ]

  @Test("The first member that is off is pointed at", arguments: violations)
  func findsViolation(data: String, pointer: [Bytes]?, message: String) throws {
    let cell = CellDefinition(required: [("title", .string), ("n", .integer)])
    let violation = cell.firstViolation(in: try JSONValue(parsing: Bytes(data)))
    #expect(violation?.pointer == pointer.map { JSONPointer(tokens: $0) })
    #expect(violation?.message ?? "" == message)
  }

  @Test("Where nothing is required, data may be anything")
  func requiresNothing() throws {
    #expect(CellDefinition().firstViolation(in: .null) == nil)
  }

  // MARK: Pages

  @Test("Items that do not fit are left out and counted by their first reason")
  func countsLeftOut() throws {
    var look = TableLook()
    look.cells = ["Cell": CellDefinition(required: [("n", .number)])]
    let page = try reader(look: look, rowBytes: 20).readPage(
      values([
        #"{"id":"a","n":1}"#, #"{"id":"b"}"#, #"{"n":1}"#, #"{"id":"c","n":1,"long":"xxxxxxxx"}"#,
        #"{"long":"xxxxxxxxxxxxxxxxxxxxxx"}"#, #"{"id":"d","n":2}"#, #"{"id":"a","n":3}"#,
      ]))
    #expect(page.items.map(\.id) == ["a", "d", "a"])
    #expect(page.leftOut.noUsableID == 2)
    #expect(page.leftOut.tooLarge == 1)
    #expect(page.leftOut.offRequired == 1)
    #expect(page.leftOut.total == 4)
  }

  @Test("Only a page that is not empty and has no id at all is malformed")
  func malformedWithoutIDs() throws {
    #expect(try reader().readPage([]).items.isEmpty)
    #expect(try reader(rowBytes: 3).readPage(values([#"{"id":1}"#, "{}"])).items.isEmpty)
    let raws = try values(["{}", #"{"a/b":1.5}"#])
    let failure = try #require(throws: UpstreamFailure.self) {
      try reader(id: JSONPointer(tokens: ["a/b"])).readPage(raws)
    }
    #expect(failure.code == .malformed)
    #expect(failure.detail.hasPrefix("none of the 2 items of the page has a usable id"))
    #expect(failure.detail.hasSuffix(#"at "/a~1b""#))
  }

  @Test("The items of a page share one storage")
  func sharesStorage() throws {
    let page = try reader().readPage(values((0..<50).map { "{\"id\":\($0)}" }))
    let addresses = page.items.map { $0.row.storage.withUnsafeBufferPointer(\.baseAddress) }
    #expect(Set(addresses).count == 1)
  }
}

import Foundation
import JSONText
import Service
import Testing

/// A faulty text, and what has to be said about it.
struct FaultyText: CustomTestStringConvertible, Sendable {
  let text: String
  /// Where, and a part of what is said, in any order.
  let expected: [String: String]

  init(_ text: String, _ expected: [String: String]) {
    self.text = text
    self.expected = expected
  }

  static func table(_ table: String, _ expected: [String: String]) -> FaultyText {
    FaultyText(withTable(table), expected)
  }

  static func server(_ server: String, _ expected: [String: String]) -> FaultyText {
    FaultyText("{\"server\": \(server), \"tables\": {}}", expected)
  }

  var testDescription: String { text }
}

@Suite("A faulty file gives one line for each fault")
struct FaultyFileTests {
  static let root: [FaultyText] = [
    FaultyText("[]", ["": "an array is the wrong type; an object would be right"]),
    FaultyText("null", ["": "null is the wrong type"]),
    FaultyText("{}", ["/tables": "is missing; an object of tables would be right"]),
    FaultyText(#"{"tables": []}"#, ["/tables": "an array is the wrong type"]),
    FaultyText(#"{"tables": {}, "table": {}}"#, ["/table": "unknown key; perhaps \"tables\" was meant"]),
    FaultyText(
      #"{"tables": {}, "zzz": 1}"#, ["/zzz": "unknown key; known here: $schema, server, store, tables"]),
    FaultyText(#"{"tables": {}, "a/b~c": 1}"#, ["/a~1b~0c": "unknown key"]),
    FaultyText(#"{"tables": {"": {}}}"#, ["/tables/": "no name of a table"]),
    FaultyText(#"{"tables": {"a\nb": {}}}"#, ["/tables/a\nb": "without control characters"]),
    FaultyText(#"{"tables": {"t": 1}}"#, ["/tables/t": "a number is the wrong type"]),
    FaultyText(#"{"tables": {}, "store": 1}"#, ["/store": "a number is the wrong type"]),
    FaultyText(#"{"tables": {}, "store": "memory"}"#, ["/store": "is no store; memory:"]),
    FaultyText(#"{"tables": {}, "store": "sqlite:a.db?synchronous=on"}"#, ["/store": "is no store"]),
    FaultyText(#"{"tables": {}, "store": "redis://host:x/0"}"#, ["/store": "is no store"]),
    FaultyText(#"{"tables": {}, "store": "redis://h"}"#, ["/store": "not in this build"]),
    FaultyText(#"{"tables": {}, "store": "redis://u:p@h:1/0"}"#, ["/store": "not in this build"]),
  ]

  static let server: [FaultyText] = [
    .server("[]", ["/server": "an array is the wrong type"]),
    .server(#"{"prot": 1}"#, ["/server/prot": "perhaps \"port\" was meant"]),
    .server(
      #"{"port": "80"}"#, ["/server/port": "a string is the wrong type; a whole number from 0 to 65535"]),
    .server(#"{"port": 65536}"#, ["/server/port": "65536 is out of range; a whole number from 0 to 65535"]),
    .server(#"{"port": -1}"#, ["/server/port": "-1 is out of range"]),
    .server(#"{"port": 1e3}"#, ["/server/port": "1e3 is not written as a whole number"]),
    .server(#"{"port": 80.0}"#, ["/server/port": "80.0 is not written as a whole number"]),
    .server(#"{"port": 99999999999999999999}"#, ["/server/port": "is out of range"]),
    .server(#"{"port": null}"#, ["/server/port": "null is the wrong type"]),
    .server(#"{"host": ""}"#, ["/server/host": "is empty"]),
    .server(#"{"host": "http://a"}"#, ["/server/host": "no host to listen on"]),
    .server(#"{"host": "1.2.3.256"}"#, ["/server/host": "no host to listen on"]),
    .server(#"{"host": "a b"}"#, ["/server/host": "no host to listen on"]),
    .server(#"{"threads": -1}"#, ["/server/threads": "-1 is out of range"]),
    .server(#"{"threads": true}"#, ["/server/threads": "true is the wrong type"]),
    .server(#"{"tokens": "x"}"#, ["/server/tokens": "a string is the wrong type; an array of tokens"]),
    .server(
      #"{"tokens": ["ok", "", "a b"]}"#, ["/server/tokens/1": "is empty", "/server/tokens/2": "is no token"]),
    .server(#"{"adminTokens": [1]}"#, ["/server/adminTokens/0": "a number is the wrong type"]),
    .server(
      #"{"hosts": ["a.example:80", "http://a", "*.example", "-a"]}"#,
      [
        "/server/hosts/0": "no host name", "/server/hosts/1": "no host name",
        "/server/hosts/2": "no host name",
        "/server/hosts/3": "no host name",
      ]),
    .server(
      #"{"origins": ["*", "a.example", "https://a.example/", "https://a:0", "https://"]}"#,
      [
        "/server/origins/0": "no origin", "/server/origins/1": "no origin",
        "/server/origins/2": "without path",
        "/server/origins/3": "no origin", "/server/origins/4": "no origin",
      ]),
    .server(
      #"{"limits": {"bodybytes": 1}}"#, ["/server/limits/bodybytes": "perhaps \"bodyBytes\" was meant"]),
    .server(#"{"limits": {"connections": -5}}"#, ["/server/limits/connections": "-5 is out of range"]),
    .server(#"{"limits": {"bodyBytes": 0}}"#, ["/server/limits/bodyBytes": "0 is out of range"]),
    .server(#"{"limits": {"idleSeconds": 0.5}}"#, ["/server/limits/idleSeconds": "not written as a whole"]),
  ]

  static let source: [FaultyText] = [
    .table(#"{"source": "client"}"#, ["/tables/t/source": "a string is the wrong type"]),
    .table(#"{"source": {}}"#, ["/tables/t/source/kind": "is missing"]),
    .table(#"{"source": {"kind": 1}}"#, ["/tables/t/source/kind": "a number is the wrong type"]),
    .table(#"{"source": {"kind": "flie"}}"#, ["/tables/t/source/kind": "perhaps \"file\" was meant"]),
    .table(#"{"source": {"kind": "client", "path": "x"}}"#, ["/tables/t/source/path": "unknown key"]),
    .table(
      #"{"source": {"kind": "client", "timeoutSeconds": 0}}"#,
      ["/tables/t/source/timeoutSeconds": "out of range"]),
    .table(
      #"{"source": {"kind": "client", "timeoutSeconds": 1e999}}"#,
      ["/tables/t/source/timeoutSeconds": "out of range"]),
    .table(#"{"source": {"kind": "file"}}"#, ["/tables/t/source/path": "is missing"]),
    .table(#"{"source": {"kind": "file", "path": ""}}"#, ["/tables/t/source/path": "is empty"]),
    .table(
      #"{"source": {"kind": "file", "path": "x", "items": "a", "id": "/~2"}}"#,
      ["/tables/t/source/items": "no JSON Pointer", "/tables/t/source/id": "no JSON Pointer"]),
    .table(
      #"{"source": {"kind": "file", "path": "x", "hasNext": {}, "paging": {}}}"#,
      ["/tables/t/source/hasNext": "unknown key", "/tables/t/source/paging": "unknown key"]),
    .table(
      #"{"params": {"p": {"default": "abcd", "maxLength": 3}}}"#,
      ["/tables/t/params/p/default": "is 4 code points long; maxLength, 3, at most"]),
    .table(
      #"{"params": {"p": {"default": 1}}}"#, ["/tables/t/params/p/default": "a number is the wrong type"]),
    .table(#"{"params": {"p": {"maxLength": -1}}}"#, ["/tables/t/params/p/maxLength": "-1 is out of range"]),
    .table(#"{"params": {"p": "x"}}"#, ["/tables/t/params/p": "a string is the wrong type"]),
    .table(#"{"params": {"{p}": {}}}"#, ["/tables/t/params/{p}": "no name of a parameter"]),
    .table(#"{"pageSize": 0}"#, ["/tables/t/pageSize": "0 is out of range"]),
    .table(#"{"pageSize": 2.5}"#, ["/tables/t/pageSize": "not written as a whole number"]),
    .table(#"{"maxItems": 0}"#, ["/tables/t/maxItems": "0 is out of range"]),
    .table(#"{"maxItems": null}"#, ["/tables/t/maxItems": "null is the wrong type"]),
    .table(#"{"idleSeconds": -1}"#, ["/tables/t/idleSeconds": "-1 is out of range"]),
    .table(#"{"page_size": 1}"#, ["/tables/t/page_size": "perhaps \"pageSize\" was meant"]),
    .table(#"{"title": {}}"#, ["/tables/t/title": "an object is the wrong type"]),
  ]

  /// A source of kind `http` with these members, in a table with these beside it; places count from the source.
  private static func web(_ members: String, _ rest: String, _ expected: [String: String]) -> FaultyText {
    let places = expected.map { ("/tables/t/source\($0.key)", $0.value) }
    return .table(
      "{\"source\": {\"kind\": \"http\", \(members)}\(rest)}", Dictionary(uniqueKeysWithValues: places))
  }

  private static func web(_ members: String, _ expected: [String: String]) -> FaultyText {
    web(members, "", expected)
  }

  static let http: [FaultyText] = [
    web(#""items": """#, ["/url": "is missing"]),
    web(#""url": "x""#, ["/url": "is no address; an http or https address"]),
    web(#""url": "ftp://h/""#, ["/url": "is no address"]),
    web(#""url": "http://""#, ["/url": "is no address"]),
    web(#""url": "http://h:99999/""#, ["/url": "is no address"]),
    web(#""url": "http://h h/""#, ["/url": "is no address"]),
    web(#""url": "http://u:p@h/""#, ["/url": "has a user in it; an Authorization under headers"]),
    web(#""url": "http://h{p}/""#, #", "params": {"p": {}}"#, ["/url": "has a parameter in its host"]),
    web(#""url": "http://h:{p}""#, #", "params": {"p": {}}"#, ["/url": "has a parameter in its host"]),
    web(#""url": "{p}""#, #", "params": {"p": {}}"#, ["/url": "is no address"]),
    web(
      #""url": "http://h/{topik}""#, #", "params": {"topic": {}}"#,
      ["/url": "parameter \"topik\" is unknown, perhaps \"topic\" was meant; one of topic"]),
    web(#""url": "http://h/{a}""#, ["/url": "a parameter under params"]),
    web(#""url": "http://h/{""#, ["/url": "a { is never closed"]),
    web(#""url": "http://h/}""#, ["/url": "a } closes nothing"]),
    web(#""url": "http://h/{}""#, ["/url": "{} names nothing"]),
    web(
      #""url": "http://h", "query": {"a": "{x}", "b": 1}"#,
      ["/query/a": "\"x\" is unknown", "/query/b": "wrong type"]),
    web(
      #""url": "http://h", "headers": {"A b": "x", "X": "a\r\nY: z", "Content-Length": "1", "Z": "{x}"}"#,
      [
        "/headers/A b": "no name of a header field", "/headers/X": "has a line break",
        "/headers/Content-Length": "is sent as the request needs it", "/headers/Z": "\"x\" is unknown",
      ]),
    web(#""url": "http://h", "method": "PUT""#, ["/method": "\"PUT\" is unknown"]),
    web(#""url": "http://h", "body": {}"#, ["/body": "a GET has no body"]),
    web(#""url": "http://h", "method": "POST""#, ["/body": "is missing"]),
    web(
      #""url": "http://h", "method": "POST", "body": {"a": ["{cursor}", "{nope}"], "b": "{"}"#,
      ["/body/b": "a { is never closed"]),
    web(
      #""url": "http://h", "method": "POST", "body": {"a": ["{cursor}", "{nope}"]}"#,
      ["/body/a/1": "\"nope\" is unknown"]),
    web(#""url": "http://h", "paging": {}"#, ["/paging/style": "is missing"]),
    web(#""url": "http://h", "paging": {"style": "pages"}"#, ["/paging/style": "perhaps \"page\" was meant"]),
    web(#""url": "http://h", "paging": {"style": "page"}"#, ["/paging/page": "is missing"]),
    web(
      #""url": "http://h", "paging": {"style": "page", "page": "", "first": -1, "size": 1, "next": ""}"#,
      [
        "/paging/page": "is empty", "/paging/first": "out of range", "/paging/size": "wrong type",
        "/paging/next": "unknown key",
      ]),
    web(#""url": "http://h", "paging": {"style": "offset"}"#, ["/paging/offset": "is missing"]),
    web(
      #""url": "http://h", "paging": {"style": "cursor"}"#,
      ["/paging/param": "is missing", "/paging/next": "is missing"]),
    web(
      #""url": "http://h", "paging": {"style": "cursor", "param": "c", "next": {"last": "/id"}}"#,
      ["/paging/next/lastItem": "is missing", "/paging/next/last": "unknown key"]),
    web(#""url": "http://h", "paging": {"style": "next", "next": "x"}"#, ["/paging/next": "no JSON Pointer"]),
    web(#""url": "http://h", "paging": {"style": "grow"}"#, ["/paging/size": "is missing"]),
    web(
      #""url": "http://h", "method": "POST", "body": {}, "paging": {"style": "offset"}"#,
      ["/paging/offset": "or {offset} in the body"]),
    web(#""url": "http://h", "hasNext": {}"#, ["/hasNext": "names nothing; one of totalHeader"]),
    web(
      #""url": "http://h", "hasNext": {"totalHeader": "A", "pointer": ""}"#, ["/hasNext": "names 2 things"]),
    web(
      #""url": "http://h", "hasNext": {"totalHeader": "A b"}"#,
      ["/hasNext/totalHeader": "no name of a header"]),
    web(
      #""url": "http://h", "hasNext": {"total": "/n"}"#,
      ["/hasNext": "names nothing", "/hasNext/total": "unknown"]),
    web(
      #""url": "http://h", "error": {"equals": 1, "message": "x"}"#,
      ["/error/pointer": "is missing", "/error/message": "no JSON Pointer"]),
    web(
      #""url": "http://h", "timeoutSeconds": 0, "retries": 1.5, "bodyBytes": 0, "caFile": """#,
      [
        "/timeoutSeconds": "out of range", "/retries": "whole number", "/bodyBytes": "out of range",
        "/caFile": "is empty",
      ]),
    web(#""url": "http://h", "items": "x", "id": 1"#, ["/items": "no JSON Pointer", "/id": "wrong type"]),
    web(#""url": "http://h", "headers": {"A": "${NOT_SET}"}"#, ["/headers/A": "NOT_SET"]),
  ]

  static let look: [FaultyText] = [
    .table(#"{"cell": 1}"#, ["/tables/t/cell": "a number is the wrong type"]),
    .table(#"{"cell": ""}"#, ["/tables/t/cell": "no name of a cell"]),
    .table(#"{"cell": {"map": {}}}"#, ["/tables/t/cell/pointer": "is missing"]),
    .table(
      #"{"cell": {"pointer": "kind", "map": {"a": 1}, "default": [], "else": 0}}"#,
      [
        "/tables/t/cell/pointer": "no JSON Pointer", "/tables/t/cell/map/a": "a number is the wrong type",
        "/tables/t/cell/default": "an array is the wrong type", "/tables/t/cell/else": "unknown key",
      ]),
    .table(
      #"{"cells": {"A": {"data": {"x": "y"}, "required": {"z": "text"}, "height": 1}}}"#,
      [
        "/tables/t/cells/A/data/x": "no JSON Pointer",
        "/tables/t/cells/A/required/z": "data does not give it",
        "/tables/t/cells/A/height": "unknown key",
      ]),
    .table(
      #"{"cells": {"A": {"required": {"z": "String"}}}}"#,
      ["/tables/t/cells/A/required/z": "perhaps \"string\" was meant"]),
    .table(
      #"{"placeholder": {"mode": "residents"}}"#, ["/tables/t/placeholder/mode": "perhaps \"resident\""]),
    .table(
      #"{"placeholder": {"laoding": {}}}"#, ["/tables/t/placeholder/laoding": "perhaps \"loading\" was meant"]
    ),
    .table(
      #"{"placeholder": {"loadingMore": {}}}"#, ["/tables/t/placeholder/loadingMore": "\"loading-more\""]),
    .table(#"{"placeholder": {"empty": {"data": []}}}"#, ["/tables/t/placeholder/empty/data": "wrong type"]),
    .table(
      #"{"placeholder": {"empty": {"bind": {}}, "retry": {"bind": {"a": "b"}}}}"#,
      [
        "/tables/t/placeholder/empty/bind": "unknown key",
        "/tables/t/placeholder/retry/bind/a": "no JSON Pointer",
      ]),
    .table(
      #"{"states": {"loading": {}, "retry": {}, "": {}}}"#,
      [
        "/tables/t/states/loading": "built-in name", "/tables/t/states/retry": "built-in name",
        "/tables/t/states/": "no name of a state",
      ]),
    .table(
      #"{"states": {"m": {"items": 1, "selectable": "no", "rows": {}, "row": []}}}"#,
      [
        "/tables/t/states/m/items": "wrong type", "/tables/t/states/m/selectable": "true or false",
        "/tables/t/states/m/rows": "wrong type", "/tables/t/states/m/row": "unknown key",
      ]),
    .table(#"{"states": {"m": {"rows": [{}, {}]}}}"#, ["/tables/t/states/m/rows": "one row at most"]),
    .table(
      #"{"states": {"m": {"rows": [{"data": 1, "bind": {"a": "b"}, "kind": 1}]}}}"#,
      [
        "/tables/t/states/m/rows/0/data": "wrong type", "/tables/t/states/m/rows/0/bind/a": "no JSON Pointer",
        "/tables/t/states/m/rows/0/kind": "unknown key",
      ]),
    .table(#"{"initialState": "m"}"#, ["/tables/t/initialState": "one of loading, empty, error, populated"]),
    .table(#"{"initialState": "popluated"}"#, ["/tables/t/initialState": "perhaps \"populated\" was meant"]),
    .table(#"{"initialState": "retry"}"#, ["/tables/t/initialState": "is unknown"]),
    .table(
      #"{"states": {"m": {}}, "transitions": {"x": [], "m": ["empty", "n", 1], "error": "m"}}"#,
      [
        "/tables/t/transitions/x": "state \"x\" is unknown",
        "/tables/t/transitions/m/1": "state \"n\" is unknown",
        "/tables/t/transitions/m/2": "wrong type", "/tables/t/transitions/error": "an array of states",
      ]),
  ]

  static let variables: [FaultyText] = [
    .server(#"{"tokens": ["${NOT_SET}"]}"#, ["/server/tokens/0": "not in the environment: NOT_SET"]),
    .server(#"{"host": "${A}.${B}"}"#, ["/server/host": "not in the environment: A, B"]),
    .table(
      #"{"presentation": [{"a": "${NOT_SET}", "b": "${", "c": "${}", "d": "${1}", "e": "$ ${a b}"}]}"#,
      [
        "/tables/t/presentation/0/a": "NOT_SET", "/tables/t/presentation/0/b": "begins no variable",
        "/tables/t/presentation/0/c": "begins no variable",
        "/tables/t/presentation/0/d": "begins no variable",
        "/tables/t/presentation/0/e": "begins no variable",
      ]),
    .table(#"{"title": "\u0024{NOT_SET}"}"#, ["/tables/t/title": "NOT_SET"]),
  ]

  @Test("at the place of the fault", arguments: root + server + source + http + look + variables)
  func places(_ faulty: FaultyText) throws {
    let found = try faults(of: faulty.text)
    #expect(Set(found.map(\.place)) == Set(faulty.expected.keys))
    #expect(found.count == faulty.expected.count)
    for (place, message) in found {
      let fragment = try #require(faulty.expected[place])
      #expect(message.contains(fragment), "\(place): \(message)")
    }
  }

  @Test("with the file, the pointer, what is wrong and what would be right")
  func line() throws {
    let fixture = try ConfigurationFixture(#"{"server": {"port": 70000}, "tables": {"a\nb": 1}}"#)
    let error = try #require(throws: ConfigurationFaults.self) { try fixture.load() }
    #expect(
      error.lines == [
        "\(fixture.path): /server/port: 70000 is out of range; a whole number from 0 to 65535 would be right",
        "\(fixture.path): /tables/a\\u{a}b: \"a\\u{a}b\" is no name of a table; "
          + "a name of 1 to 128 bytes without control characters would be right",
      ])
    #expect(ConfigurationFaults.exitStatus == 78)
  }

  @Test("and where the file is no JSON: the byte")
  func noJSON() throws {
    let cases: [(String, String)] = [
      ("", "byte 0 1:1"), ("{\n  \"tables\": {},\n}", "byte 18 3:1"),
      ("{\"tables\": {}, \"tables\": {}}", "byte 15 1:16"),
      ("\u{FEFF}{}", "byte 0 1:1"), ("{} // none", "byte 3 1:4"), ("hello", "byte 0 1:1"),
    ]
    for (text, place) in cases {
      let found = try faults(of: text)
      #expect(found.count == 1)
      #expect(found.first?.place == place)
      #expect(found.first?.message.contains("is no JSON") == true)
    }
    let found = try faults(of: Data([0x22, 0xFF, 0x22]))
    #expect(found.map(\.place) == ["byte 1 1:2"])
  }

  @Test("and where there is no file to read: one line")
  func unreadable() throws {
    let fixture = try ConfigurationFixture(Data(count: (16 << 20) + 1))
    for (path, fragment) in [
      ("/no/such/file.json", "there is no such file"), (fixture.folder.path, "is a folder"),
      ("\(fixture.path)/x", "cannot be read"), ("", "is no path"), (fixture.path, "is too large"),
    ] {
      let error = try #require(throws: ConfigurationFaults.self) {
        try Configuration.load(file: path, environment: [:])
      }
      #expect(error.lines.count == 1)
      #expect(error.lines.first?.hasPrefix("\(path): \(fragment)") == true, "\(error)")
    }
  }

  @Test("up to a hundred, then how many more")
  func many() throws {
    let keys = (0..<150).map { "\"unknown\($0)\": 1" }.joined(separator: ", ")
    let fixture = try ConfigurationFixture("{\"tables\": {}, \(keys)}")
    let error = try #require(throws: ConfigurationFaults.self) { try fixture.load() }
    #expect(error.faults.count == 100)
    #expect(error.lines.last == "\(fixture.path): and 50 more")
  }

  @Test("and secrets are not among what it says")
  func secrets() throws {
    let text = #"{"server": {"tokens": ["my secret"]}, "store": "redis://u:my%20secret@h:x", "tables": {}}"#
    let environment = ["ROWCAST_TOKEN": "my secret", "ROWCAST_STORE": "redis://:my secret"]
    let found = try faults(of: text, environment: environment)
    #expect(Set(found.map(\.place)) == ["/server/tokens/0", "/store", "ROWCAST_TOKEN", "ROWCAST_STORE"])
    for fault in found { #expect(!fault.message.contains("secret")) }
  }
}

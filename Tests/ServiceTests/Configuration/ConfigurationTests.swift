import Foundation
import JSONText
import ListModel
import Service
import Testing

@Suite("The configuration")
struct ConfigurationTests {
  @Test("has the documented defaults")
  func defaults() throws {
    let configuration = try configuration(#"{"tables": {"t": {"source": {"kind": "file", "path": "x"}}}}"#)
    let server = configuration.server
    #expect(server == ServerSettings())
    #expect((server.host, server.port, server.threads) == ("127.0.0.1", 8080, 0))
    #expect(
      server.tokens.isEmpty && server.adminTokens.isEmpty && server.hosts.isEmpty && server.origins.isEmpty)
    let limits = server.limits
    #expect((limits.headerBytes, limits.bodyBytes, limits.rowBytes) == (65536, 8_388_608, 65536))
    #expect(
      (limits.itemsPerSession, limits.sessions, limits.subscribersPerSession) == (100_000, 100_000, 10_000))
    #expect((limits.idleSeconds, limits.headerSeconds, limits.bodySeconds) == (86400, 10, 30))
    #expect((limits.keepAliveSeconds, limits.connections, limits.keptChanges) == (75, 20000, 1000))
    #expect((limits.keptBytes, limits.streamBufferBytes) == (8_388_608, 1_048_576))
    #expect((limits.residentBytes, limits.fetches) == (268_435_456, 64))
    #expect(configuration.store == .standard)
    #expect(configuration.log == .text)

    let table = try #require(configuration.tables.first)
    #expect((table.name, table.title, table.pageSize, table.idleSeconds) == ("t", "t", 20, 86400))
    #expect(table.maxItems == nil)
    #expect(table.params.isEmpty)
    #expect(table.look.initialState == "loading")
    #expect(table.look.placeholder.mode == .resident)
    #expect(table.look.placeholder.kinds.isEmpty)
    guard case .name("Cell") = table.look.cell else {
      Issue.record("\(table.look.cell)")
      return
    }
    guard case .file(let file) = table.source else {
      Issue.record("\(table.source)")
      return
    }
    #expect((file.items.text, file.id.text) == ("", "/id"))
  }

  @Test("has other defaults for tables whose rows come from clients")
  func clientDefaults() throws {
    let text =
      #"{"server": {"limits": {"idleSeconds": 9}}, "tables": {"a": {}, "b": {"source": {"kind": "client"}}}}"#
    for table in try configuration(text).tables {
      guard case .client(timeoutSeconds: nil) = table.source else {
        Issue.record("\(table.source)")
        continue
      }
      #expect(table.look.initialState == "empty")
      #expect(table.idleSeconds == 0)
    }
  }

  @Test("takes idleSeconds of tables from the limit, unless they say")
  func idleSeconds() throws {
    let text = #"""
      {"tables": {"a": {"source": {"kind": "file", "path": "x"}},
                  "b": {"source": {"kind": "file", "path": "x"}, "idleSeconds": 7}},
       "server": {"limits": {"idleSeconds": 9}}}
      """#
    #expect(try configuration(text).tables.map(\.idleSeconds) == [9, 7])
  }

  @Test("reads every part of a table")
  func table() throws {
    let text = #"""
      {"source": {"kind": "client", "timeoutSeconds": 1.5},
       "title": "T", "params": {"q": {"default": "swift", "maxLength": 5}, "p": {}},
       "pageSize": 3, "maxItems": 9, "idleSeconds": 60,
       "cell": {"pointer": "/kind", "map": {"user": "UserCell", "warning": "WarningCell"}, "default": "Other"},
       "cells": {"UserCell": {"data": {"name": "/user/name", "all": ""}, "required": {"name": "string"}}},
       "placeholder": {"mode": "transient", "end": {}, "retry": {"cell": "R", "data": {"a": 1}, "bind": {"why": "/detail"}, "presentation": 5}},
       "states": {"m": {"items": true, "selectable": true, "rows": [{"cell": "N", "bind": {"x": "/y"}}, {}]}},
       "initialState": "m", "transitions": {"m": ["empty"], "empty": ["m", "populated"]}}
      """#
    let table = try #require(try configuration(withTable(text)).tables.first)
    guard case .client(timeoutSeconds: 1.5) = table.source else {
      Issue.record("\(table.source)")
      return
    }
    #expect((table.title, table.pageSize, table.maxItems, table.idleSeconds) == ("T", 3, 9, 60))
    #expect(table.params.map(\.name) == ["q", "p"])
    #expect(table.params.map(\.defaultValue) == ["swift", nil])
    #expect(table.params.map(\.maxLength) == [5, nil])
    let look = table.look
    guard case .choice(let pointer, let map, "Other") = look.cell else {
      Issue.record("\(look.cell)")
      return
    }
    #expect(pointer.text == "/kind")
    #expect(map == ["user": "UserCell", "warning": "WarningCell"])
    let cell = try #require(look.cells["UserCell"])
    #expect(cell.projection?.map(\.member) == ["name", "all"])
    #expect(cell.projection?.map(\.pointer.text) == ["/user/name", ""])
    #expect(cell.required.map(\.member) == ["name"] && cell.required.map(\.type) == [.string])
    #expect(look.placeholder.mode == .transient)
    #expect(Set(look.placeholder.kinds.keys) == [.end, .retry])
    let retry = try #require(look.placeholder.kinds[.retry])
    #expect((retry.cell, retry.data.text, retry.presentation?.text) == ("R", #"{"a":1}"#, "5"))
    #expect(retry.bind.map(\.member) == ["why"] && retry.bind.map(\.pointer.text) == ["/detail"])
    let state = try #require(look.states["m"])
    #expect(state.showsItems && state.isSelectable && state.rows.map(\.cell) == ["N", nil])
    #expect(look.initialState == "m")
    #expect(look.transitions == ["m": ["empty"], "empty": ["m", "populated"]])
  }

  @Test("puts environment variables into every string, and nothing else")
  func variables() throws {
    let text = #"""
      {"server": {"tokens": ["${TOKEN}"], "host": "${HOST}"},
       "tables": {"${TOKEN}": {"title": "a$b $$ {c} ${X}${X}-\u0024{X} é", "presentation": {"${X}": ["${NESTED}", "${EMPTY}", 1.0]}}}}
      """#
    let environment = ["TOKEN": "s3cret", "HOST": "::1", "X": "\"q\\", "NESTED": "${X}", "EMPTY": ""]
    let configuration = try configuration(text, environment: environment)
    #expect(configuration.server.tokens == ["s3cret"])
    #expect(configuration.server.host == "::1")
    let table = try #require(configuration.tables.first)
    #expect(table.name == "${TOKEN}")
    #expect(table.title == #"a$b $$ {c} "q\"q\-"q\ é"#)
    #expect(table.look.texts.presentation.text == #"{"${X}":["${X}","",1.0]}"#)
  }

  @Test("normalises hosts and origins to what requests say")
  func hosts() throws {
    let text = #"""
      {"server": {"host": "[::1]", "hosts": ["Lists.Example.COM", "my_box"],
       "origins": ["HTTPS://App.Example.com:443", "http://[::1]:8080", "null", "capacitor://localhost"]}, "tables": {}}
      """#
    let server = try configuration(text).server
    #expect(server.host == "::1")
    #expect(server.hosts == ["lists.example.com", "my_box"])
    #expect(
      server.origins == ["https://app.example.com", "http://[::1]:8080", "null", "capacitor://localhost"])
  }

  @Test("makes paths absolute from its own folder")
  func paths() throws {
    let text = #"""
      {"tables": {"a": {"source": {"kind": "file", "path": "demo/a.json"}},
                  "b": {"source": {"kind": "file", "path": "/b.json"}}}}
      """#
    let fixture = try ConfigurationFixture(text)
    let paths = try fixture.load().tables.compactMap { table in
      if case .file(let file) = table.source { file.path } else { nil }
    }
    #expect(paths == ["\(fixture.folder.path)/demo/a.json", "/b.json"])
  }

  @Test("gives a table's document without addresses")
  func document() throws {
    let text = #"""
      {"source": {"kind": "file", "path": "secret.json"}, "params": {"q": {"default": "a\"b"}, "r": {"maxLength": 4}, "s": {}},
       "maxItems": 100, "cell": {"pointer": "/k"}, "cells": {"A": {"presentation": {"height": 1.0}}},
       "states": {"m": {}}, "transitions": {"m": [ "empty" ]}, "presentation": [1, 2]}
      """#
    let full = try #require(try configuration(withTable(text)).tables.first)
    #expect(
      String(decoding: full.document, as: UTF8.self) == #"""
        {"name":"t","title":"t","source":{"kind":"file"},"params":{"q":{"default":"a\"b"},"r":{"maxLength":4},"s":{}},\#
        "pageSize":20,"maxItems":100,"cell":{"pointer":"/k"},"cells":{"A":{"presentation":{"height":1.0}}},\#
        "placeholder":{},"states":{"m":{}},"initialState":"loading","transitions":{"m":["empty"]},"presentation":[1,2]}
        """#)
    let bare = try #require(try configuration(withTable("{}")).tables.first)
    #expect(
      String(decoding: bare.document, as: UTF8.self) == #"""
        {"name":"t","title":"t","source":{"kind":"client"},"params":{},"pageSize":20,"maxItems":null,"cell":"Cell",\#
        "cells":{},"placeholder":{},"states":{},"initialState":"empty","transitions":{},"presentation":null}
        """#)
  }

  @Test("knows the stores of all builds")
  func stores() {
    #expect(StoreChoice.standard == StoreChoice("sqlite:var/rowcast.db"))
    #expect(StoreChoice("memory:") == .memory)
    #expect(StoreChoice("sqlite:var/a.db") == .sqlite(path: "var/a.db", synchronous: .full))
    #expect(StoreChoice("sqlite:a.db?synchronous=off") == .sqlite(path: "a.db", synchronous: .off))
    guard case .redis(let address) = StoreChoice("redis://user:p%40ss@cache.example:6380/2") else {
      Issue.record("no Redis")
      return
    }
    #expect((address.user, address.password) == ("user", "p@ss"))
    #expect((address.host, address.port, address.database) == ("cache.example", 6380, 2))
    guard case .redis(let short) = StoreChoice("redis://:pw@[::1]") else {
      Issue.record("no Redis")
      return
    }
    #expect(
      (short.user, short.password, short.host, short.port, short.database) == (nil, "pw", "::1", 6379, 0))
    for text in [
      "", "memory", "memory:x", "sqlite:", "sqlite:?synchronous=off", "sqlite:a?mode=ro", "file:a",
      "redis:", "redis://", "redis://h:0", "redis://h/x", "redis://h/-1", "redis://u@h", "redis://:%zz@h",
      "redis://h:70000/0", "Redis://h",
    ] {
      #expect(StoreChoice(text) == nil, "\(text)")
    }
  }
}

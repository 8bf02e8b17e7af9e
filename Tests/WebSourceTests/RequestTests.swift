import Foundation
import JSONText
import ListModel
import ScriptedUpstream
import Sessions
import SourceContract
import Testing
import TestSupport

/// What is sent: parameters, header fields, bodies, conditions.
@Suite(.timeLimit(.minutes(5)))
struct RequestTests {
  @Test("Parameters are percent-encoded in path, query and fields")
  func parameters() async throws {
    let upstream = try ScriptedUpstream { _ in .json("[]") }
    let table = try WebTable(
      #""url": "\#(upstream.origin)/{who}/{{x}}?a={q}", "query": {"q": "tag:{q}", "$top": "1"}, "headers": {"X-Q": "<{q}>", "X-Empty": ""}"#,
      #", "params": {"q": {}, "who": {}}"#)
    _ = try await table.page(params: [("q", "a b/\r\né&=?#"), ("who", "..")]).get()
    let request = try #require(upstream.requests.first)
    let encoded = "a%20b%2F%0D%0A%C3%A9%26%3D%3F%23"
    #expect(request.target == "/%2E%2E/{x}?a=\(encoded)&q=tag%3A\(encoded)&%24top=1")
    #expect(request.field("X-Q") == "<\(encoded)>")
    #expect(request.field("X-Empty") == "")
    #expect(request.field("User-Agent") == "rowcast/test")
    #expect(request.field("Accept-Encoding")?.contains("gzip") == true)
  }

  @Test("A POST's body takes values as text, and braces")
  func body() async throws {
    let upstream = try ScriptedUpstream { request in
      request.body.contains("c1")
        ? .json(#"{"i": [{"id": 2}]}"#) : .json(#"{"i": [{"id": 1}], "next": "c1\"\\"}"#)
    }
    let table = try WebTable(
      #""url": "\#(upstream.origin)/graphql", "method": "POST", "items": "/i", "body": {"query": "query {{ list(after: $c) }}", "v": ["{cursor}", "{size}", "{q}", 1.0, null, {"{q}": true}]}, "paging": {"style": "cursor", "next": "/next"}"#,
      #", "params": {"q": {"default": "é\n\""}}"#)
    #expect(try await table.pages().map(\.ids) == [["1"], ["2"]])
    let requests = upstream.requests
    #expect(requests.map(\.method) == ["POST", "POST"])
    #expect(requests.map { $0.field("Content-Type") } == ["application/json", "application/json"])
    #expect(
      requests[0].body
        == #"{"query":"query { list(after: $c) }","v":["","20","é\n\"",1.0,null,{"{q}":true}]}"#)
    #expect(
      requests[1].body
        == #"{"query":"query { list(after: $c) }","v":["c1\"\\","20","é\n\"",1.0,null,{"{q}":true}]}"#)
  }

  @Test("Configured fields go to the configured origin only")
  func origins() async throws {
    let other = try ScriptedUpstream { request in
      request.path == "/back"
        ? .json("[{\"id\": 3}]") : .json("[{\"id\": 2}]", [("Link", "</back>; rel=next")])
    }
    let address = other.origin
    let upstream = try ScriptedUpstream { request in
      request.path == "/moved" ? .redirect(302, to: "\(address)/next") : .redirect(302, to: "/moved")
    }
    let table = try WebTable(
      #""url": "\#(upstream.origin)/", "headers": {"Authorization": "Bearer x", "X-Key": "y", "User-Agent": "mine"}, "paging": {"style": "link"}"#
    )
    #expect(try await table.pages().map(\.ids) == [["2"], ["3"]])
    #expect(upstream.requests.map { $0.field("Authorization") } == ["Bearer x", "Bearer x"])
    #expect(upstream.requests.map { $0.field("User-Agent") } == ["mine", "mine"])
    #expect(other.requests.count == 2)
    for request in other.requests {
      #expect(request.field("Authorization") == nil && request.field("X-Key") == nil)
      #expect(request.field("User-Agent") == "rowcast/test")
    }
  }

  static let methods: [(Int, String)] = [
    (301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST"),
  ]

  @Test("A redirected POST stays one where the status says so", arguments: methods)
  func redirectedPost(status: Int, method: String) async throws {
    let upstream = try ScriptedUpstream { request in
      request.path == "/to" ? .json("[]") : .redirect(status, to: "/to")
    }
    let table = try WebTable(#""url": "\#(upstream.origin)/from", "method": "POST", "body": {"a": 1}"#)
    _ = try await table.page().get()
    #expect(upstream.requests.map(\.method) == ["POST", method])
    #expect(upstream.requests[1].body == (method == "POST" ? #"{"a":1}"# : ""))
  }

  @Test("An answer that is held is asked about, and a 304 stands for it")
  func conditional() async throws {
    let upstream = try ScriptedUpstream { request in
      if request.field("If-None-Match") == #""v1""#, request.field("If-Modified-Since") == "yesterday" {
        return .json("", status: 304, [("X-Total", "9")])
      }
      return .json("[{\"id\": 1}]", [("ETag", #""v1""#), ("Last-Modified", "yesterday"), ("X-Total", "1")])
    }
    let table = try WebTable(
      #""url": "\#(upstream.origin)", "paging": {"style": "offset", "offset": "o"}, "hasNext": {"totalHeader": "X-Total"}"#
    )
    #expect(try await table.page().get().hasNext == false)
    let again = try await table.page().get()
    #expect(again.ids == ["1"] && again.hasNext)
    #expect(upstream.requests.map { $0.field("If-None-Match") } == [nil, #""v1""#])
    upstream.follow { _ in .json("[{\"id\": 2}]") }
    #expect(try await table.page().get().ids == ["2"])
    #expect(try await table.page().get().ids == ["2"])
    #expect(upstream.requests.map { $0.field("If-None-Match") } == [nil, #""v1""#, #""v1""#, nil])
  }

  @Test("Compressed answers and a mark before the text are understood", arguments: [false, true])
  func compressed(withMark: Bool) async throws {
    let text = Array((withMark ? "\u{FEFF}" : "").utf8) + Array(#"[{"id": 1}]"#.utf8)
    let zipped = try gzipped(text)
    let upstream = try ScriptedUpstream { _ in .text(zipped, [("Content-Encoding", "gzip")]) }
    let table = try WebTable(#""url": "\#(upstream.origin)""#)
    #expect(try await table.page().get().ids == ["1"])
  }

  @Test("The cap counts what comes out of the compression")
  func bomb() async throws {
    let zipped = try gzipped([UInt8](repeating: 0x20, count: 4 << 20))
    #expect(zipped.count < 10_000)
    let upstream = try ScriptedUpstream { _ in .text(zipped, [("Content-Encoding", "gzip")]) }
    let table = try WebTable(#""url": "\#(upstream.origin)", "bodyBytes": 100000"#)
    #expect(await table.page().failure?.code == .tooLarge)
  }

  @Test("Ids, items and cells are taken from where the table says, exactly")
  func items() async throws {
    let upstream = try ScriptedUpstream { _ in
      .json(
        #"{"d": {"l": [{"n": {"id": 12345678901234567890, "k": "u", "t": "T", "p": 1.00}}, {"n": {"id": 2.5}}, {"n": {"id": "x", "k": "u"}}]}}"#
      )
    }
    let table = try WebTable(
      #""url": "\#(upstream.origin)", "items": "/d/l", "id": "/n/id""#,
      #", "cell": {"pointer": "/n/k", "map": {"u": "U"}}, "cells": {"U": {"data": {"t": "/n/t", "p": "/n/p", "z": "/n/z"}, "required": {"t": "string"}}}"#
    )
    let page = try await table.page().get()
    #expect(
      page.items.map(\.row.string) == [
        #"{"id":"12345678901234567890","cell":"U","data":{"t":"T","p":1.00,"z":null}}"#
      ])
    #expect(page.leftOut == 2)
  }

  @Test("Connections are kept for the next page")
  func keptConnections() async throws {
    let upstream = try ScriptedUpstream { _ in .json("[]") }
    let table = try WebTable(#""url": "\#(upstream.origin)""#)
    for _ in 0..<5 { _ = try await table.page().get() }
    #expect(upstream.connections == 1)
  }

  private func gzipped(_ bytes: [UInt8]) throws -> [UInt8] {
    let run = try Finished(["gzip", "-c"], input: bytes)
    try #require(run.status == 0, "\(run.errors)")
    return run.bytes
  }
}

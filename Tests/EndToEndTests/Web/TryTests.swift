import Foundation
import ScriptedUpstream
import Testing
import TestSupport

/// `rowcast try`, as the author of a table runs it.
@Suite(.fewAtOnce, .timeLimit(.minutes(5))) struct TryTests {
  /// Runs it with a configuration of these tables.
  private func attempt(
    _ tables: String, _ arguments: [String], environment: [String: String] = [:]
  ) async throws -> Finished {
    let file = try ConfigurationFile(#"{"tables": {\#(tables)}}"#)
    return try await onThread {
      try Finished(
        running: ["try"] + arguments + ["--config", file.path],
        environment: environment)
    }
  }

  @Test("the rows come as clients get them, one a line, page behind page")
  func rows() async throws {
    let upstream = try ScriptedUpstream { numberedPage($0) }
    let table = #""list": {\#(numberedSource(upstream.origin)), "cells": {"Cell": {"data": {"n": "/id"}}}}"#
    let one = try await attempt(table, ["list"])
    #expect(one.status == 0)
    let rows = one.output.split(separator: "\n")
    #expect(
      rows.dropLast() == [
        #"{"id":"1","cell":"Cell","data":{"n":1}}"#, #"{"id":"2","cell":"Cell","data":{"n":2}}"#,
      ])
    #expect(rows.last?.hasPrefix(#"{"placeholder":"more","cell":"MoreCell""#) == true)
    #expect(one.errors.contains("GET \(upstream.origin)/?page=1 → 200, "), "\(one.errors)")
    #expect(one.errors.hasSuffix("2 items; there is more\n"))
    let all = try await attempt(table, ["list", "--pages", "9"])
    #expect(all.status == 0 && all.output.split(separator: "\n").count == 11)
    #expect(all.errors.hasSuffix("10 items; nothing next\n"))
    #expect(upstream.requests.count == 6)
  }

  @Test("parameters are sent, and unknown ones told with what there is")
  func parameters() async throws {
    let upstream = try ScriptedUpstream { _ in .json(#"{"items": []}"#) }
    let source = numberedSource(upstream.origin, #", "query": {"q": "{topic}"}"#)
    let table = #""list": {\#(source), "params": {"topic": {"maxLength": 5}}}"#
    let good = try await attempt(table, ["list", "--param", "topic=a=b"])
    #expect(good.status == 0 && upstream.requests.first?.query("q") == "a=b")
    #expect(good.output.contains(#""placeholder":"empty""#))
    let bad: [(arguments: [String], words: String)] = [
      (["list", "--param", "topci=x"], "topci"), (["list", "--param", "topic=toolong"], "topic"),
      (["list"], "topic"), (["list", "--param", "topic"], "--param"), (["lists"], "it has: list"),
      (["list", "--pages", "0"], "--pages"), ([], "TABLE"),
    ]
    for (arguments, words) in bad {
      let refused = try await attempt(table, arguments)
      #expect(refused.status == 64 && refused.output.isEmpty, "\(arguments): \(refused)")
      #expect(refused.errors.contains(words), "\(arguments): \(refused.errors)")
    }
    #expect(upstream.requests.count == 1)
  }

  @Test("a failure comes with the part of the answer that caused it, and exit status 1")
  func failures() async throws {
    let cases: [(reply: Reply, words: [String])] = [
      (.json(#"{"items": [{"id": 1}, {"id": 2]}"#), ["upstream-malformed", "byte 30", #"{"id": 2]}"#]),
      (
        .json(#"{"data": {"items": []}}"#), ["upstream-malformed", #""/items""#, #"{"data": {"items": []}}"#]
      ),
      (.json(#"{"items": [{"key": "k1"}]}"#), ["upstream-malformed", #"{"key": "k1"}"#]),
      (.json(#"{"message": "slow \#u{7} down"}"#, status: 429), ["upstream-status", "429", "slow", "down"]),
      (
        .json("<html>Busy</html>", status: 503), ["upstream-status", "503", "<html>Busy</html>", "attempt 2"]
      ),
      (.nothing(.close), ["upstream-unreachable", "no answer"]),
    ]
    for (reply, words) in cases {
      let upstream = try ScriptedUpstream { _ in reply }
      let failed = try await attempt(
        #""list": {\#(numberedSource(upstream.origin, #", "retries": 1"#))}"#, ["list"])
      #expect(failed.status == 1)
      #expect(failed.output.contains(#""placeholder":"error""#), "\(failed)")
      for word in words { #expect(failed.errors.contains(word), "\(word) in \(failed.errors)") }
      #expect(!failed.errors.contains("\u{7}"))
    }
  }

  @Test("what was read before a failure is printed, with the retry row")
  func partly() async throws {
    let upstream = try ScriptedUpstream {
      $0.query("page") == "1" ? numberedPage($0) : .json("{}", status: 404)
    }
    let failed = try await attempt(
      #""list": {\#(numberedSource(upstream.origin))}"#, ["list", "--pages", "3"])
    #expect(failed.status == 1 && failed.output.split(separator: "\n").count == 3)
    #expect(failed.output.contains(#""placeholder":"retry""#))
    #expect(
      failed.errors.hasSuffix("there is nothing at this address; check the source's url and the parameters\n")
    )
  }

  @Test("secrets are not printed, though the upstream repeats them", arguments: [200, 400, 500])
  func secrets(status: Int) async throws {
    let upstream = try ScriptedUpstream { request in
      .json(
        #"{"ok": false, "why": "no such key: \#(request.query("key") ?? "")", "sent": "\#(request.field("Authorization") ?? ""), \#(request.field("X-Own") ?? "")"}"#,
        status: status)
    }
    let source = numberedSource(
      "\(upstream.origin)/bot${TOKEN}/list",
      #"""
      , "query": {"key": "${KEY}"}, "headers": {"Authorization": "Bearer ${TOKEN}", "X-Own": "written-here"},
        "retries": 0, "error": {"pointer": "/ok", "equals": false, "message": "/why"}
      """#)
    let failed = try await attempt(
      #""list": {\#(source)}"#, ["list"], environment: ["TOKEN": "t0psecret", "KEY": "k3y5"])
    #expect(failed.status == 1 && failed.errors.contains("no such key: …"), "\(failed)")
    #expect(failed.errors.contains("/bot…/list?key=…&page=1"), "\(failed)")
    for secret in ["t0psecret", "k3y5", "written-here"] {
      #expect(!failed.errors.contains(secret) && !failed.output.contains(secret), "\(failed)")
    }
    #expect(upstream.requests.first?.path == "/bott0psecret/list")
  }

  @Test("a file is read likewise, and what clients bring is not")
  func otherSources() async throws {
    let file = try ConfigurationFile(#"[{"id": "a", "n": 1.0}, {"n": 2}, {"id": "b"}]"#)
    let tables =
      #""file": {"source": {"kind": "file", "path": "\#(file.path)"}}, "client": {"source": {"kind": "client"}}, "gone": {"source": {"kind": "file", "path": "/nowhere.json"}}"#
    let read = try await attempt(tables, ["file"])
    #expect(read.status == 0 && read.output.hasPrefix(#"{"id":"a","cell":"Cell","data":{"id":"a","n":1.0}}"#))
    #expect(read.errors.hasPrefix("2 items, 1 left out"))
    let client = try await attempt(tables, ["client"])
    #expect(client.status == 1 && client.output.isEmpty && client.errors.contains("come from clients"))
    let gone = try await attempt(tables, ["gone"])
    #expect(gone.status == 1 && gone.errors.contains("upstream-unreachable"))
  }

  @Test("a faulty configuration is told as by check, with 78")
  func faulty() async throws {
    let wrong = try await attempt(
      #""list": {"source": {"kind": "http", "url": "https://h/${NO_SUCH_THING}"}}"#, ["list"])
    #expect(wrong.status == 78 && wrong.errors.contains("NO_SUCH_THING") && wrong.output.isEmpty)
  }
}

import Foundation
import ScriptedUpstream
import Testing
import TestSupport

/// "From a curl command to a table", followed word by word against an upstream that stands in for the real host.
@Suite(.fewAtOnce, .timeLimit(.minutes(5))) struct SourcesGuideTests {
  private static let host = "https://api.github.com"

  /// The fenced blocks of a language, in order.
  private func blocks(_ language: String, of guide: String) -> [String] {
    guide.components(separatedBy: "\n```\(language)\n").dropFirst()
      .compactMap { $0.components(separatedBy: "\n```").first }
  }

  /// Issues in GitHub's shape, three pages of them.
  @Sendable private static func issues(_ request: UpstreamRequest, _ origin: String) -> Reply {
    let page = Int(request.query("page") ?? "1") ?? 1
    let size = Int(request.query("per_page") ?? "") ?? 0
    let items = (0..<size).map {
      #"{"id":\#(page * 1_000 + $0),"title":"Issue \#($0)","user":{"login":"ada"}}"#
    }
    let next =
      "<\(origin)/repositories/44838949/issues?state=open&per_page=\(size)&page=\(page + 1)>; rel=\"next\""
    return .json("[\(items.joined(separator: ","))]", page < 3 ? [("Link", next)] : [])
  }

  @Test("its commands and its table do what it says, and print what it prints")
  func steps() async throws {
    let upstream = try ScriptedUpstream { _ in .nothing(.close) }
    let here = upstream.origin
    upstream.follow { Self.issues($0, here) }
    let guide = try Repository.text("Documentation/Sources.md").replacingOccurrences(
      of: Self.host, with: here)
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "rowcast-guide-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { unlink(folder.appendingPathComponent("issues.json").path); rmdir(folder.path) }
    let commands = blocks("sh", of: guide)
    try #require(commands.count == 2)
    let table = try #require(blocks("json", of: guide).first)
    try Data(table.utf8).write(to: folder.appendingPathComponent("issues.json"))

    let curl = try await onThread { try Finished(shell: "\(commands[0]) -sSi", in: folder) }
    #expect(curl.status == 0 && curl.output.contains("Link: <\(here)/repositories/"), "\(curl)")
    let asked = try #require(upstream.requests.last)
    let check = try await onThread { try Finished(shell: "rowcast check --config issues.json", in: folder) }
    #expect(guide.contains("`rowcast check --config issues.json`") && check.status == 0, "\(check)")
    let attempt = try await onThread { try Finished(shell: commands[1], in: folder) }
    #expect(attempt.status == 0 && attempt.output.split(separator: "\n").count == 61, "\(attempt)")
    let first = try #require(upstream.requests.dropFirst().first)
    #expect(first.target == asked.target && first.field("Accept") == asked.field("Accept"))

    // Where it fails, what the guide shows is printed, but for the numbers.
    upstream.follow { _ in .json(#"{"message":"API rate limit exceeded for 192.0.2.1"}"#, status: 403) }
    let failed = try await onThread { try Finished(shell: commands[1], in: folder) }
    let printed = try #require(blocks("", of: guide).first { $0.hasPrefix("GET ") })
    func unnumbered(_ text: String) -> String { text.replacing(/[0-9]+ (ms|bytes)/) { "N \($0.1)" } }
    let shown = ConsoleExample(
      line: 0, command: "", answer: unnumbered(printed).components(separatedBy: "\n"))
    let errors = unnumbered(failed.errors).split(separator: "\n").filter { !$0.contains(" items; ") }
    #expect(failed.status == 1 && shown.answer.count == errors.count, "\(failed)")
    for (line, error) in zip(shown.answer, errors) {
      let parts = line.components(separatedBy: "…")
      #expect(parts.allSatisfy { error.contains($0) }, "\(error)\nis not \(line)")
    }
  }

  @Test("every piece of a table that it shows is right")
  func pieces() async throws {
    let guide = try Repository.text("Documentation/Sources.md")
    let codes = guide.matches(of: /`([^`\n]+)`/).map { String($0.1) }
    let styles = codes.filter { $0.hasPrefix(#"{"style""#) }
    let rules = codes.filter { $0.hasPrefix(#""hasNext""#) }
    #expect(styles.count == 7 && rules.count == 4)
    var tables = (styles.map { #""paging": \#($0)"# } + rules).enumerated().map { index, piece in
      #""t\#(index)": {"source": {"kind": "http", "url": "https://h/", \#(piece)}, "maxItems": 100}"#
    }
    func piece(_ start: String) throws -> String {
      try #require(codes.first { $0.hasPrefix(start) }, "\(start)")
    }
    let cells = try #require(blocks("json", of: guide).last)
    tables.append(
      """
      "whole": {"source": {"kind": "http", "url": "https://h/", \(try piece(#""query""#)), \(try piece(#""headers""#)), \(try piece(#""error""#))},
        \(try piece(#""params""#)), "cells": \(cells)}
      """)
    let file = try ConfigurationFile("{\"tables\": {\(tables.joined(separator: ",\n"))}}")
    let check = try await onThread {
      try Finished(running: ["check", "--config", file.path], environment: ["GITHUB_TOKEN": "t"])
    }
    #expect(check.status == 0, "\(check)")
  }

  @Test("every command for an example asks its API, with the parameters that it names")
  func examples() async throws {
    let guide = try Repository.text("Documentation/Sources.md")
    let commands = guide.matches(
      of: /`((?:[A-Z_]+=… )?rowcast try --config (Config\/examples\/[a-z-]+\.json) [^`]+)`/)
    #expect(commands.count == 5)
    for command in commands {
      let upstream = try ScriptedUpstream { _ in .json("{}", status: 404) }
      let text = try Repository.text(String(command.2))
        .replacing(/"url": "https?:\/\/[^\/"]+/) { _ in "\"url\": \"\(upstream.origin)" }
      let file = try ConfigurationFile(text)
      let line = command.1.replacingOccurrences(of: "=…", with: "=secret")
        .replacingOccurrences(of: command.2, with: file.path)
      let run = try await onThread { try Finished(shell: line, in: Repository.root) }
      #expect(run.status == 1 && run.errors.contains("upstream-status"), "\(line): \(run)")
      let target = try #require(upstream.requests.first?.target.removingPercentEncoding)
      for param in line.matches(of: /--param [a-z]+=([^ ]+)/) {
        #expect(target.contains(param.1), "\(line): \(target)")
      }
    }
  }
}

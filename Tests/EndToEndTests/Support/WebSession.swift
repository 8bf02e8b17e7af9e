import Foundation
import ScriptedUpstream

extension RunningServer {
  /// A server in memory with these tables, each `"name": {…}` with a comma between.
  convenience init(
    tables: String, limits: String = "", threads: Int = 2, environment: [String: String] = [:]
  ) throws {
    let file = try ConfigurationFile(
      #"{"server": {"threads": \#(threads), "limits": {\#(limits)}}, "store": "memory:", "tables": {\#(tables)}}"#
    )
    try self.init(["--config", file.path], environment: environment)
  }

  /// The lines of `/metrics` that begin with `prefix`.
  func metrics(_ prefix: String) throws -> [String] {
    String(decoding: try request("GET", "/metrics"), as: UTF8.self).components(separatedBy: "\n")
      .filter { $0.hasPrefix(prefix) }
  }
}

/// A configuration in a file of its own, which goes when this is let go of.
final class ConfigurationFile: Sendable {
  let path: String

  init(_ text: String) throws {
    path =
      FileManager.default.temporaryDirectory.appendingPathComponent("rowcast-\(UUID().uuidString).json")
      .path
    try Data(text.utf8).write(to: URL(fileURLWithPath: path))
  }

  deinit { unlink(path) }
}

/// A session of a table, and a connection to command it by.
final class WebSession {
  let path: String
  let socket: ClientSocket

  init(_ server: RunningServer, _ table: String, params: String = "{}") throws {
    socket = try ClientSocket(port: server.port)
    let answer = try socket.call("POST", "/v1/sessions", #"{"table":"\#(table)","params":\#(params)}"#)
    guard answer.status == 201, let location = answer.field("Location") else {
      throw ClientSocket.Failure(description: answer.text)
    }
    path = location
  }

  /// Sends a command; gives the status and what was answered.
  @discardableResult
  func send(_ command: String, _ body: String? = nil, prefer: String? = nil) throws -> (
    status: Int, answer: Tree
  ) {
    let answer = try socket.call(
      "POST", "\(path)/\(command)", body, fields: prefer.map { "Prefer: \($0)\r\n" } ?? "")
    return (answer.status, try Tree(answer.body))
  }

  func get(_ rest: String = "") throws -> Tree { try Tree(socket.call("GET", path + rest).body) }

  /// Waits for the changes behind a revision, until the fetch in flight has ended.
  func end(of fetch: String, after revision: Int) throws -> [Tree] {
    var changes: [Tree] = []
    for _ in 0..<20 {
      let last = changes.last?["revision"].integer ?? revision
      changes += try get("/changes?since=\(last)&wait=10")["changes"].elements
      if let change = changes.last, change["cause"].string == fetch, change["loading"].isNull {
        return changes
      }
    }
    throw ClientSocket.Failure(description: "the \(fetch) does not end: \(changes)")
  }
}

/// A JSON document, looked into without fear: what is not there is nothing.
struct Tree: CustomStringConvertible {
  private let value: Any?

  init(_ bytes: [UInt8]) throws {
    value = try JSONSerialization.jsonObject(with: Data(bytes), options: .fragmentsAllowed)
  }

  private init(value: Any?) { self.value = value }

  subscript(_ name: String) -> Tree { Tree(value: (value as? [String: Any])?[name]) }

  var elements: [Tree] { (value as? [Any])?.map { Tree(value: $0) } ?? [] }
  var string: String? { value as? String }
  var integer: Int? { value as? Int }
  var bool: Bool? { value as? Bool }
  /// Whether it is there, as `null`.
  var isNull: Bool { value is NSNull }
  /// Whether it is not there at all.
  var isAbsent: Bool { value == nil }

  /// The ids of a snapshot's items.
  var ids: [String] { self["rows"].elements.compactMap { $0["id"].string } }
  /// The kind of a snapshot's last row, where it is no item.
  var placeholder: String? { self["rows"].elements.last?["placeholder"].string }

  var description: String { value.map { "\($0)" } ?? "nothing" }
}

/// A page of an upstream that numbers its pages from 1, two items each, and says that there are nine.
func numberedPage(_ request: UpstreamRequest) -> Reply {
  let page = Int(request.query("page") ?? "") ?? 0
  return .json(
    #"{"ok": true, "total": 9, "items": [{"id": \#(page * 2 - 1)}, {"id": \#(page * 2)}]}"#)
}

/// The source of a table that reads `numberedPage`.
///
/// Patient where `rest` says nothing of time: a page that a test holds is not asked for again on a busy machine.
func numberedSource(_ url: String, _ rest: String = "") -> String {
  let patience = rest.contains("timeoutSeconds") ? "" : #", "timeoutSeconds": 200"#
  return
    #""source": {"kind": "http", "url": "\#(url)", "items": "/items", "paging": {"style": "page", "page": "page"}, "hasNext": {"totalPointer": "/total"}\#(rest)\#(patience)}, "pageSize": 2"#
}

import Foundation
import JSONText

/// Where a server under test keeps its sessions.
enum Storage: String, CaseIterable {
  case memory
  /// A file as it is shipped, whose sessions leave the memory as soon as nobody uses them.
  case sqlite
}

extension RunningServer {
  /// A server with one table, `list`, of source `client`, and these limits.
  ///
  /// - Parameter table: further members of the table's definition, each with a comma before it.
  convenience init(limits: String, table: String = "", storage: Storage = .memory) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("rowcast-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let limits = [limits, storage == .sqlite ? "\"residentBytes\": 1" : ""].filter { !$0.isEmpty }
    let store = storage == .memory ? "memory:" : "sqlite:\(folder.path)/list.db"
    let text = """
      {"server": {"threads": 2, "limits": {\(limits.joined(separator: ", "))}}, "store": "\(store)",
       "tables": {"list": {"source": {"kind": "client"}\(table)}}}
      """
    let file = folder.appendingPathComponent("rowcast.json")
    do {
      try text.write(to: file, atomically: true, encoding: .utf8)
      try self.init(["--config", file.path])
    } catch {
      try? FileManager.default.removeItem(at: folder)
      throw error
    }
    belongings.append(folder)
  }

  /// A number of `/proc/PID/status`, such as VmRSS, in KB.
  func memory(_ name: String) throws -> Int {
    let status = try String(contentsOfFile: "/proc/\(processIdentifier)/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix(name + ":") }
    return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
  }
}

/// Unchecked: threads share `port` and the process's number, which do not change; one alone stops the server.
extension RunningServer: @unchecked Sendable {}

/// A session on a server, and a connection to command it by.
final class Playground {
  /// The session's path.
  let path: String
  /// The path of its changes.
  var changes: String { path + "/changes" }
  let server: RunningServer
  private let socket: ClientSocket

  /// Makes the session `name` of the table `list`.
  init(_ server: RunningServer, _ name: String = "play") throws {
    self.server = server
    path = "/v1/sessions/\(name)"
    socket = try ClientSocket(port: server.port)
    let answer = try socket.call("PUT", path, "{\"table\":\"list\"}")
    guard answer.status == 201 else { throw ClientSocket.Failure(description: answer.text) }
  }

  /// The session at `path`, which is there, over a connection of its own.
  init(resuming path: String, on server: RunningServer) throws {
    self.server = server
    self.path = path
    socket = try ClientSocket(port: server.port)
  }

  /// Does a command, which has to succeed; gives the revision that it leads to.
  @discardableResult
  func command(_ name: String, _ body: String, query: String = "") throws -> Int {
    let answer = try call("POST", "/\(name)\(query)", body, fields: "Prefer: return=minimal\r\n")
    guard answer.status == 200,
      let revision = JSONValue(trusted: Bytes(answer.body)).member("revision")?.integer
    else {
      throw ClientSocket.Failure(description: "\(name) \(body.prefix(200)): \(answer.text.prefix(500))")
    }
    return revision
  }

  /// A request about the session.
  func call(_ method: String, _ rest: String = "", _ body: String? = nil, fields: String = "") throws
    -> Answer
  {
    try socket.call(method, path + rest, body, fields: fields)
  }

  /// The session's revision and rows, as its snapshot has them.
  func snapshot() throws -> (revision: Int, rows: [Bytes]) {
    let document = try JSONValue(parsing: Bytes(try call("GET").body))
    return (document.member("revision")?.integer ?? -1, document.member("rows")?.elements.map(\.text) ?? [])
  }

  /// Opens a stream.
  func stream(
    _ query: String = "", after lastEventID: Int? = nil, fields: String = "", receiveBuffer: Int32? = nil
  ) throws -> EventStream {
    try EventStream(server, changes + query, after: lastEventID, fields: fields, receiveBuffer: receiveBuffer)
  }
}

/// A number that rises, and threads that wait for it.
final class Progress: @unchecked Sendable {
  // Unchecked: `value` is touched under `condition` alone.
  private let condition = NSCondition()
  private var value = 0

  /// The number.
  var reached: Int { condition.withLock { value } }

  /// Raises the number.
  func reach(_ number: Int) {
    condition.withLock {
      value = max(value, number)
      condition.broadcast()
    }
  }

  /// Waits until the number is there; false if it is not within so many seconds.
  @discardableResult
  func wait(for number: Int, within seconds: Double = 20) -> Bool {
    let end = Date().addingTimeInterval(seconds)
    return condition.withLock {
      while value < number, condition.wait(until: end) {}
      return value >= number
    }
  }
}

import HTTP1
import JSONText
import Service

/// Requests and answers as the tests of this folder write them.
func request(
  _ method: Method = .get, _ target: String = "/v1/tables", host: String = "127.0.0.1:8080",
  minorVersion: Int = 1,
  body: String = "", _ fields: (String, String)...
) -> Request {
  let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
  return Request(
    method: method, path: Array(parts[0].utf8), query: parts.count > 1 ? Array(parts[1].utf8) : nil,
    authority: Array(host.utf8), minorVersion: minorVersion,
    fields: HeaderFields(fields.map { (name: $0.0, value: $0.1) }), body: Array(body.utf8))
}

func fields(_ fields: (String, String)...) -> HeaderFields {
  HeaderFields(fields.map { (name: $0.0, value: $0.1) })
}

extension Response {
  /// The values of all lines of this name, joined as HTTP joins them; nil without one.
  func field(_ name: String) -> String? {
    let values = String(decoding: fieldLines, as: UTF8.self).split(separator: "\r\n").compactMap {
      line -> Substring? in
      let parts = line.split(separator: ":", maxSplits: 1)
      return parts[0] == name ? parts[1].dropFirst() : nil
    }
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  var text: String {
    switch body {
    case .empty: ""
    case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
    case .parts(let parts): String(decoding: parts.joined(), as: UTF8.self)
    }
  }

  /// The slug of a problem's type; nil where this is no problem.
  var problem: String? {
    guard field("Content-Type") == "application/problem+json",
      let json = try? JSONValue(parsing: Bytes(text)),
      let type = json.member(named: "type")?.string?.string
    else { return nil }
    return String(type.dropFirst("/problems/".count))
  }
}

extension Gate {
  func admission(_ request: Request) -> Admission? {
    if case .admitted(let admission) = admit(request) { admission } else { nil }
  }

  func answer(_ request: Request) -> Response? {
    if case .answered(let response, _) = admit(request) { response } else { nil }
  }

  /// The route of an admitted request, else the slug of the problem, else the status, in words.
  func outcome(_ request: Request) -> String {
    switch admit(request) {
    case .admitted(let admission): "\(admission.route.kind)"
    case .answered(let response, _): response.problem ?? "\(response.status)"
    }
  }
}

/// The slug and status of the problem that `body` throws; nil where it throws none.
func problem(_ body: () throws(Problem) -> Void) -> String? {
  do throws(Problem) {
    try body()
    return nil
  } catch {
    return "\(error.status) \(error.type.slug)"
  }
}

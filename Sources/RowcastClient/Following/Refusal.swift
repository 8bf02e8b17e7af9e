import JSONText

/// The server's refusal of a request (protocol §9).
public struct Refusal: Error, Sendable {
  /// The status, 300–599.
  public let status: Int
  /// The problem's name, such as `unknown-session`; nil where the answer was no problem document.
  public let code: Bytes?
  /// The problem's title; nil where the answer was no problem document.
  public let title: Bytes?
  /// What the problem says about this case, and what to do.
  public let detail: Bytes?
  /// The seconds that the server asks to wait.
  public let retryAfterSeconds: Int?

  init(head: ResponseHead, body: Bytes) {
    let problem = Self.problem(body)
    status = head.status
    title = problem?.member(named: "title")?.string
    detail = problem?.member(named: "detail")?.string
    code = problem?.member(named: "type")?.string.map { type in
      Bytes(String(type.string.split(separator: "/").last ?? ""))
    }
    retryAfterSeconds = head.retryAfterSeconds
  }

  /// The body as a problem; nil where it is none, for what refuses may be a proxy with a page of its own.
  private static func problem(_ body: Bytes) -> JSONValue? {
    do throws(JSONError) {
      return try JSONValue(parsing: body)
    } catch {
      return nil
    }
  }

  /// Whether the same request may be answered later: the server is overloaded, draining or ill, not against it.
  public var isTransient: Bool {
    switch status {
    case 408, 429, 500, 502, 503, 504: true
    default: false
    }
  }
}

extension Refusal: CustomStringConvertible {
  /// One line for people, `404 There is no such session: …`; whatever the server wrote is in it as it came.
  public var description: String {
    let words = [title?.string, detail?.string].compactMap { $0 }
    return words.isEmpty ? "the answer is \(status)" : "\(status) \(words.joined(separator: ": "))"
  }
}

import Foundation

/// A way in which an upstream can fail, and what a list has to say of it.
package struct Misbehaviour: CustomStringConvertible, Sendable {
  /// What it does.
  package let description: String
  /// What it answers, whatever is asked.
  package let reply: Reply
  /// The type of the failure, as a problem's `type` ends.
  package let type: String
  /// The status that is kept; nil where no head came to its end.
  package let status: Int?
  /// Requests made where two retries are allowed.
  package let requests: Int

  private init(_ name: String, _ reply: Reply, _ type: String, status: Int? = 200, requests: Int = 1) {
    description = name
    self.reply = reply
    self.type = type
    self.status = status
    self.requests = requests
  }

  /// What stands in `error` of the table: an answer with `ok` false has failed, and says why in `why`.
  package static let errorRule = #"{"pointer": "/ok", "equals": false, "message": "/why"}"#

  /// The most bytes of a body that the table takes.
  package static let bodyBytes = 10_000

  private static let good = Reply.json(#"{"ok": true, "items": [{"id": 1}, {"id": 2}]}"#)

  private static func chunked(_ text: String) -> Reply {
    Reply.raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + text)
  }

  /// All, against a table whose items stand at `/items`.
  package static let all: [Misbehaviour] = framing + bodies + shapes + statuses + redirects

  private static let framing: [Misbehaviour] = [
    Misbehaviour("closed before a byte", .nothing(.close), "upstream-unreachable", status: nil, requests: 3),
    Misbehaviour("reset before a byte", .nothing(.reset), "upstream-unreachable", status: nil, requests: 3),
    Misbehaviour(
      "a head without end", .raw("HTTP/1.1 200 OK\r\nContent-Type: a\r\n"), "upstream-malformed", status: nil),
    Misbehaviour(
      "an endless head", .raw("HTTP/1.1 200 OK\r\n" + String(repeating: "X: yyyyyyyyyy\r\n", count: 50_000)),
      "upstream-malformed", status: nil),
    Misbehaviour(
      "an endless field", .raw("HTTP/1.1 200 OK\r\nX: " + String(repeating: "y", count: 600_000)),
      "upstream-malformed",
      status: nil),
    Misbehaviour("no HTTP", .raw("SSH-2.0-OpenSSH_9.2\r\n"), "upstream-malformed", status: nil),
    Misbehaviour("no head", .raw(#"[{"id": 1}]"#), "upstream-malformed", status: nil),
    Misbehaviour("cut off within the body", good.truncated(by: 5), "upstream-malformed"),
    Misbehaviour("reset within the body", good.truncated(by: 5, .reset), "upstream-malformed"),
    Misbehaviour(
      "a length that lies", .json("[]", [("Content-Length", "100")]).ending(.close), "upstream-malformed"),
    Misbehaviour(
      "a length that is too short", .json(#"{"items": []}"#, [("Content-Length", "5")]).ending(.close),
      "upstream-malformed"),
    Misbehaviour(
      "cut off within a chunk", .json("20\r\n{\"items\":", [("Transfer-Encoding", "chunked")]).ending(.close),
      "upstream-malformed"),
    Misbehaviour(
      "an interim head and no other", .raw("HTTP/1.1 103 Early Hints\r\n\r\n"), "upstream-malformed",
      status: nil),
    Misbehaviour(
      "another protocol from now on", .raw("HTTP/1.1 101 Switching Protocols\r\n\r\n{}"),
      "upstream-malformed", status: nil),
    Misbehaviour(
      "a length that is no number", .json("{}", [("Content-Length", "two")]).ending(.close),
      "upstream-malformed", status: nil),
    Misbehaviour(
      "a length below nothing", .json("{}", [("Content-Length", "-2")]).ending(.close), "upstream-malformed",
      status: nil),
    Misbehaviour("a chunk without a size", chunked("nonsense\r\n{}\r\n0\r\n\r\n"), "upstream-malformed"),
    Misbehaviour(
      "a chunk longer than it says", chunked("2\r\n{\"items\":[]}\r\n0\r\n\r\n"), "upstream-malformed"),
    Misbehaviour("chunks without a last one", chunked("e\r\n{\"items\": []}\r\n"), "upstream-malformed"),
  ]

  private static let bodies: [Misbehaviour] = [
    Misbehaviour("no body", .json(""), "upstream-malformed"),
    Misbehaviour("no JSON", .json("<html>"), "upstream-malformed"),
    Misbehaviour("NaN", .json(#"{"ok": true, "items": [{"id": NaN}]}"#), "upstream-malformed"),
    Misbehaviour("a name twice", .json(#"{"ok": true, "items": [], "items": []}"#), "upstream-malformed"),
    Misbehaviour("bytes behind", .json(#"{"ok": true, "items": []}]"#), "upstream-malformed"),
    Misbehaviour("no UTF-8", .text([0x22, 0xFF, 0x22]), "upstream-malformed"),
    Misbehaviour(
      "two marks", .text([0xEF, 0xBB, 0xBF, 0xEF, 0xBB, 0xBF] + Array(#"{"items": []}"#.utf8)),
      "upstream-malformed"),
    Misbehaviour(
      "a lie about compression", .text([1, 2, 3], [("Content-Encoding", "gzip")]), "upstream-malformed"),
    Misbehaviour(
      "too large", .json("\"" + String(repeating: "x", count: 20_000) + "\""), "upstream-too-large"),
    Misbehaviour(
      "too large, in chunks", chunked("5000\r\n" + String(repeating: " ", count: 0x5000) + "\r\n0\r\n\r\n"),
      "upstream-too-large"),
    Misbehaviour(
      "too large, up to the end of the connection",
      .raw("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: " ", count: 20_000)), "upstream-too-large"),
    Misbehaviour(
      "an unknown compression", .json(#"{"items": []}"#, [("Content-Encoding", "rot13")]),
      "upstream-malformed"),
    Misbehaviour("nothing but white space", .json(" \r\n\t "), "upstream-malformed"),
    Misbehaviour(
      "too deep",
      .json(#"{"items": "# + String(repeating: "[", count: 128) + String(repeating: "]", count: 128) + "}"),
      "upstream-malformed"),
    Misbehaviour("half a pair", .json(#"{"items": [{"id": "\ud800"}]}"#), "upstream-malformed"),
    Misbehaviour(
      "two bytes a character", .text(Array("{\"items\": []}".utf16.flatMap { [UInt8($0), 0] })),
      "upstream-malformed"),
  ]

  private static let shapes: [Misbehaviour] = [
    Misbehaviour("items elsewhere", .json(#"{"ok": true, "data": []}"#), "upstream-malformed"),
    Misbehaviour("items null", .json(#"{"ok": true, "items": null}"#), "upstream-malformed"),
    Misbehaviour("items an object", .json(#"{"ok": true, "items": {}}"#), "upstream-malformed"),
    Misbehaviour("no ids", .json(#"{"ok": true, "items": [{"no": 1}, {"no": 2}]}"#), "upstream-malformed"),
    Misbehaviour("an error of its own", .json(#"{"ok": false, "why": "no luck"}"#), "upstream-error"),
    Misbehaviour("no array at all", .json("null"), "upstream-malformed"),
    Misbehaviour(
      "ids of other types",
      .json(#"{"items": [{"id": null}, {"id": true}, {"id": 1.5}, {"id": {}}, {"id": ""}]}"#),
      "upstream-malformed"),
    Misbehaviour("items that are none", .json(#"{"items": [null, 1, "x", []]}"#), "upstream-malformed"),
  ]

  private static let statuses: [Misbehaviour] = [
    Misbehaviour("400", .json("{}", status: 400), "upstream-status", status: 400),
    Misbehaviour("404", .json("{}", status: 404), "upstream-status", status: 404),
    Misbehaviour("429", .json("{}", status: 429), "upstream-status", status: 429),
    Misbehaviour("304 for nothing asked", .json("", status: 304), "upstream-status", status: 304),
    Misbehaviour("300", .json("{}", status: 300), "upstream-status", status: 300),
    Misbehaviour("500", .json("{}", status: 500), "upstream-status", status: 500, requests: 3),
    Misbehaviour("503", .json("{}", status: 503), "upstream-status", status: 503, requests: 3),
    Misbehaviour(
      "503 with a time", .json("{}", status: 503, [("Retry-After", "7")]), "upstream-status", status: 503),
    Misbehaviour(
      "401", .json("{}", status: 401, [("WWW-Authenticate", "Basic realm=s3cret")]), "upstream-status",
      status: 401),
    Misbehaviour("407", .json("{}", status: 407), "upstream-status", status: 407),
    Misbehaviour(
      "599, with HTML", .json("<h1>s3cret</h1>", status: 599), "upstream-status", status: 599, requests: 3),
  ]

  private static let redirects: [Misbehaviour] = [
    Misbehaviour("a redirect to nowhere", .json("", status: 302), "upstream-malformed", status: 302),
    Misbehaviour(
      "a redirect to a file", .redirect(301, to: "file:///etc/passwd"), "upstream-malformed", status: 301),
    Misbehaviour("a redirect to no host", .redirect(307, to: "http://"), "upstream-malformed", status: 307),
    Misbehaviour(
      "redirects without end", .redirect(302, to: "/items"), "upstream-malformed", status: 302, requests: 11),
    Misbehaviour(
      "a redirect to another protocol", .redirect(302, to: "ftp://127.0.0.1/items"), "upstream-malformed",
      status: 302),
    Misbehaviour(
      "a redirect to no address", .redirect(302, to: "http://[s3cret"), "upstream-malformed", status: 302),
    Misbehaviour(
      "a redirect to a port that is none", .redirect(302, to: "http://127.0.0.1:99999/"),
      "upstream-malformed", status: 302),
  ]
}

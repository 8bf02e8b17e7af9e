import HTTP1

/// The answers to those who ask whether the server lives and whether it is ready.
public enum Health {
  /// `GET /healthz`: the process takes requests.
  public static func alive() -> Response { answer("{\"status\":\"ok\"}") }

  /// `GET /readyz`: the store can be reached and the server is not draining; else answer with that problem.
  public static func ready() -> Response { answer("{\"status\":\"ready\"}") }

  private static func answer(_ json: StaticString) -> Response {
    var response = Response(status: 200, body: .bytes(Array(json.buffer)))
    response.add("Content-Type", "application/json")
    response.add("Cache-Control", "no-store")
    return response
  }
}

/// Writes response heads (RFC 9112 §4, §6); bodies go out as they are, behind the head.
public enum ResponseSerializer {
  /// Appends the head of a whole response: status line, Date, fields, Content-Length and Connection.
  ///
  /// The connection stays open behind it only if `keepsAlive` and not `response.closes`. The length is that of the
  /// body, sent or not (HEAD); there is none with 1xx and 204, and with 304 only where there is a body whose length
  /// it tells (RFC 9110 §8.6).
  ///
  /// - Parameters:
  ///   - minorVersion: the request's; 1 where there was no readable request.
  ///   - date: the present time as `imfFixdate` gives it.
  ///   - keepsAlive: whether request and server would go on with this connection.
  public static func appendHead(
    of response: Response, minorVersion: Int, date: [UInt8], keepsAlive: Bool, to output: inout [UInt8]
  ) {
    appendStart(of: response, date: date, to: &output)
    let length = response.body.count
    if !isBodiless(response.status) || response.status == 304 && length > 0 {
      output.append(text: "Content-Length: ")
      output.append(number: length)
      output.append(text: "\r\n")
    }
    appendEnd(minorVersion: minorVersion, keepsAlive: keepsAlive && !response.closes, to: &output)
  }

  /// Appends the head of a response whose body follows bit by bit: chunked for HTTP/1.1, else until the close.
  ///
  /// The parameters are those of `appendHead`; in HTTP/1.0 the connection never stays open.
  public static func appendStreamHead(
    of response: Response, minorVersion: Int, date: [UInt8], keepsAlive: Bool, to output: inout [UInt8]
  ) {
    appendStart(of: response, date: date, to: &output)
    let isChunked = minorVersion > 0
    if isChunked { output.append(text: "Transfer-Encoding: chunked\r\n") }
    appendEnd(
      minorVersion: minorVersion, keepsAlive: isChunked && keepsAlive && !response.closes, to: &output)
  }

  /// Whether the body is sent behind the head: not to HEAD, nor with 1xx, 204 and 304 (RFC 9112 §6.3).
  public static func sendsBody(status: Int, toHead: Bool) -> Bool {
    !toHead && !isBodiless(status)
  }

  /// The interim response that a client waiting with `Expect: 100-continue` is let go with.
  public static let interimContinue: [UInt8] = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)

  private static func isBodiless(_ status: Int) -> Bool {
    status < 200 || status == 204 || status == 304
  }

  private static func appendStart(of response: Response, date: [UInt8], to output: inout [UInt8]) {
    if response.status == 200 {
      output.append(text: "HTTP/1.1 200 OK\r\nDate: ")
    } else {
      output.append(text: "HTTP/1.1 ")
      output.append(number: response.status, digits: 3)
      output.append(text: " ")
      output.append(text: reasonPhrase(response.status))
      output.append(text: "\r\nDate: ")
    }
    output.append(contentsOf: date)
    output.append(text: "\r\n")
    output.append(contentsOf: response.fieldLines)
  }

  /// Silence means `keep-alive` in HTTP/1.1 and `close` in HTTP/1.0; the closing is said in both.
  private static func appendEnd(minorVersion: Int, keepsAlive: Bool, to output: inout [UInt8]) {
    if !keepsAlive {
      output.append(text: "Connection: close\r\n\r\n")
    } else if minorVersion == 0 {
      output.append(text: "Connection: keep-alive\r\n\r\n")
    } else {
      output.append(text: "\r\n")
    }
  }

  /// The words of the status line (RFC 9110 §15, RFC 6585); none for a status that is not used here.
  private static func reasonPhrase(_ status: Int) -> StaticString {
    switch status {
    case 100: "Continue"
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 303: "See Other"
    case 304: "Not Modified"
    case 307: "Temporary Redirect"
    case 308: "Permanent Redirect"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 417: "Expectation Failed"
    case 422: "Unprocessable Content"
    case 428: "Precondition Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 502: "Bad Gateway"
    case 503: "Service Unavailable"
    case 504: "Gateway Timeout"
    case 505: "HTTP Version Not Supported"
    default: ""
    }
  }
}

import JSONText

extension UpstreamFailure {
  /// The problem object that a snapshot's `error` is (protocol §6, §9).
  func report(during kind: FetchKind) -> JSONValue {
    var text: [UInt8] = []
    text.append(literal: "{\"type\":\"/problems/")
    text.append(contentsOf: code.rawValue.utf8)
    text.append(literal: "\",\"title\":")
    text.append(jsonString: Bytes(title ?? code.title))
    text.append(literal: ",\"status\":")
    text.append(decimal: code.status)
    text.append(literal: ",\"detail\":")
    text.append(jsonString: Bytes(detail))
    text.append(literal: ",\"during\":\"")
    text.append(contentsOf: kind.rawValue.utf8)
    text.append(UInt8(ascii: "\""))
    if let upstreamStatus {
      text.append(literal: ",\"upstreamStatus\":")
      text.append(decimal: upstreamStatus)
    }
    if let retryAfter {
      text.append(literal: ",\"retryAfter\":")
      text.append(decimal: retryAfter)
    }
    text.append(UInt8(ascii: "}"))
    return JSONValue(trusted: Bytes(text))
  }
}

extension UpstreamFailure.Code {
  /// What happened, for a person.
  public var title: String {
    switch self {
    case .unreachable: "The upstream could not be reached"
    case .status: "The upstream answered with an error status"
    case .timeout: "The upstream did not answer in time"
    case .malformed: "The upstream's answer could not be read"
    case .tooLarge: "The upstream's answer is too large"
    case .repeats: "The upstream repeats itself"
    case .error: "The upstream reported an error"
    case .interrupted: "The server ended while it was fetching"
    }
  }

  /// The HTTP status of a gateway in this trouble.
  public var status: Int {
    switch self {
    case .timeout: 504
    case .interrupted: 503
    default: 502
    }
  }
}

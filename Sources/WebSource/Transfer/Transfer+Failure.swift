import CCurl
import JSONText
import ListModel

extension Transfer {
  /// Whether it gave an answer: a head to its end, and the whole body.
  func isAnswered(_ code: CURLcode) -> Bool { code == CURLE_OK && collected.hasHead }

  /// Why the transfer gave no answer, in words that name no address and hold no secret.
  func failure(_ code: CURLcode) -> FaultyAnswer {
    let status = collected.hasHead ? collected.status : nil
    func failed(_ code: UpstreamFailure.Code, _ detail: String, isTransient: Bool = false) -> FaultyAnswer {
      FaultyAnswer(
        UpstreamFailure(code, detail: detail, upstreamStatus: status),
        evidence: collected.body.isEmpty ? nil : Bytes(Array(collected.body.suffix(200))),
        isTransient: isTransient)
    }
    if collected.isTooLarge {
      return failed(
        .tooLarge, "the answer is larger than the \(bodyBytes) bytes that bodyBytes of the source allows")
    }
    if collected.isHeadTooLarge || code == CURLE_OUT_OF_MEMORY {
      return failed(.malformed, "the head of the answer has no end within \(Self.maximumHeadBytes) bytes")
    }
    if let status = proxyRefusal {
      return failed(
        .unreachable,
        "the proxy refused the way to the upstream with status \(status); check https_proxy and what it allows"
      )
    }
    switch code {
    case CURLE_OPERATION_TIMEDOUT:
      let progress =
        collected.hasHead
        ? "the answer did not end in time"
        : hasBegun ? "the answer's head did not end in time" : "no answer in time"
      return failed(.timeout, "\(progress) (timeoutSeconds of the source)", isTransient: true)
    case CURLE_COULDNT_RESOLVE_HOST:
      return failed(
        .unreachable, "the host's name cannot be resolved; check the source's url and the network",
        isTransient: true)
    case CURLE_COULDNT_RESOLVE_PROXY:
      return failed(.unreachable, "the proxy's name cannot be resolved; check http_proxy and https_proxy")
    case CURLE_COULDNT_CONNECT:
      return failed(
        .unreachable,
        "no connection could be made; is the upstream running, and is the port of the source's url right?",
        isTransient: true)
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR:
      return failed(
        .unreachable,
        "the upstream's certificate is not trusted: it is for another name, out of date, or of an authority that is "
          + "not known here (name that one's certificate in caFile)")
    case CURLE_SSL_CACERT_BADFILE:
      return failed(
        .unreachable, "the file of trusted certificates cannot be used; check caFile and SSL_CERT_FILE")
    case CURLE_SSL_CONNECT_ERROR:
      return failed(
        .unreachable, "no secure connection could be agreed on; does the upstream speak TLS at this port?",
        isTransient: true)
    case CURLE_PARTIAL_FILE where collected.hasHead:
      return failed(.malformed, "the answer was cut off within the body")
    case CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
      return failed(.malformed, "the answer's body is not compressed as its head says")
    case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY:
      return failed(.malformed, "what came is no answer in HTTP")
    case CURLE_URL_MALFORMAT:
      return failed(.unreachable, "the source's url cannot be used; check its host")
    default:
      if collected.hasHead { return failed(.malformed, "the connection broke within the answer's body") }
      if hasBegun { return failed(.malformed, "the connection broke within the answer's head") }
      return failed(.unreachable, "the connection was closed before an answer came", isTransient: true)
    }
  }
}

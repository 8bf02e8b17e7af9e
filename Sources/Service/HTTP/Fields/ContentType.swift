import HTTP1

extension Request {
  /// Checks that a body, if there is one, says that it is JSON in UTF-8 (protocol §9).
  ///
  /// An empty body needs no type. O(length of the fields).
  ///
  /// - Throws: `unsupported-media-type`.
  public func checkContentType() throws(Problem) {
    guard !body.isEmpty else { return }
    if let coding = fields.first("content-encoding"), !coding.trimmed.equals(ignoringCase: "identity") {
      throw Problem(.unsupportedMediaType, detail: "bodies are taken without a content coding")
        .adding("Accept-Encoding", "identity")
    }
    guard let value = fields.first("content-type") else {
      throw Self.unsupported("the body has no Content-Type: use `curl --json`, or send application/json")
    }
    if value.equals(ignoringCase: "application/json") && !fields.isRepeated("content-type") { return }
    guard !fields.isRepeated("content-type") else {
      throw Self.unsupported("Content-Type is given twice: use `curl --json`, or send application/json once")
    }
    guard Self.isJSON(value) else {
      throw Self.unsupported("the Content-Type is not application/json in utf-8: use `curl --json`")
    }
  }

  private static func unsupported(_ detail: String) -> Problem {
    Problem(.unsupportedMediaType, detail: detail).adding("Accept", "application/json")
  }

  private static func isJSON(_ value: ArraySlice<UInt8>) -> Bool {
    var scanner = FieldScanner(value.trimmed)
    guard scanner.token()?.equals(ignoringCase: "application") == true, scanner.take(UInt8(ascii: "/")),
      scanner.token()?.equals(ignoringCase: "json") == true
    else { return false }
    while let (name, value) = scanner.parameter() {
      if name.equals(ignoringCase: "charset") && !value[...].equals(ignoringCase: "utf-8") { return false }
    }
    return scanner.isAtEnd
  }
}

import JSONText
import ListModel

extension HTTPDefinition {
  /// Reads a source of kind `http`.
  init?(_ source: inout ConfigurationObject, _ context: SourceContext) {
    let parameters = TemplateNames(parameters: context.parameters)
    let url = source.required("url", right: "the address of a web API")?.address(parameters)
    let query = source["query"]?.entries(of: "query parameters") { $1.template(parameters) }
    let headers = source["headers"]?.entries(of: "header fields") { $1.field($0, parameters) }
    let method = source["method"]?.choice(of: Method.self) ?? .get
    let bodyValue = source["body"]
    let body = bodyValue?.body(
      TemplateNames(parameters: context.parameters, paging: ["cursor", "page", "offset", "size"]))
    switch (method, bodyValue) {
    case (.get, let value?): value.report("a GET has no body", right: "\"method\": \"POST\" beside it")
    case (.post, nil): _ = source.required("body", right: "the JSON value that is posted")
    default: break
    }
    let paging = source["paging"]?.object { PagingDefinition(&$0, sent: body) }
    let hasNext = source["hasNext"]?.object { HasNextRule(&$0) }
    let error = source["error"]?.object { ErrorRule(&$0) }
    let items = source["items"]?.pointer()
    let id = source["id"]?.pointer()
    let timeoutSeconds = source["timeoutSeconds"]?.seconds()
    let retries = source["retries"]?.integer(in: 0...100)
    let bodyBytes = source["bodyBytes"]?.integer(in: Limits.text)
    let caFile = source["caFile"]?.setting(Settings.path)
    guard let url else { return nil }

    self.init(url: url)
    self.query = query ?? self.query
    self.headers = headers ?? self.headers
    self.body = method == .post ? body : nil
    self.paging = paging ?? self.paging
    self.hasNext = hasNext
    self.error = error
    self.items = items ?? self.items
    self.id = id ?? self.id
    self.timeoutSeconds = timeoutSeconds ?? self.timeoutSeconds
    self.retries = retries ?? self.retries
    self.bodyBytes = bodyBytes ?? self.bodyBytes
    self.caFile = caFile.map { $0.hasPrefix("/") ? $0 : context.folder + $0 }
  }

  private enum Method: String, CaseIterable {
    case get = "GET"
    case post = "POST"
  }
}

extension HasNextRule {
  /// Reads `hasNext`: one of four members.
  fileprivate init?(_ rule: inout ConfigurationObject) {
    let header = rule["totalHeader"]
    let total = rule["totalPointer"]
    let pages = rule["pagesPointer"]
    let flag = rule["pointer"]
    let given = [header, total, pages, flag].compactMap { $0 }
    guard given.count == 1 else {
      rule.report(
        given.isEmpty ? "names nothing" : "names \(given.count) things",
        right: "one of totalHeader, totalPointer, pagesPointer, pointer")
      return nil
    }
    if let header {
      guard let name = header.fieldName() else { return nil }
      self = .totalHeader(name)
    } else if let pointer = total?.pointer() {
      self = .totalPointer(pointer)
    } else if let pointer = pages?.pointer() {
      self = .pagesPointer(pointer)
    } else if let pointer = flag?.pointer() {
      self = .pointer(pointer)
    } else {
      return nil
    }
  }
}

extension ErrorRule {
  /// Reads `error`.
  fileprivate init?(_ rule: inout ConfigurationObject) {
    let pointer = rule.required("pointer", right: "the pointer to the member that says it")?.pointer()
    let equals = rule["equals"]?.json.minified()
    let message = rule["message"]?.pointer()
    guard let pointer else { return nil }
    self.init(pointer: pointer, equals: equals, message: message)
  }
}

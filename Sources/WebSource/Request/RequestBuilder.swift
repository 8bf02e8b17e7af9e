import JSONText
import ListModel
import Sessions

/// Makes the request for a page of a table: where the list is, how far it was read, what the session asks for.
struct RequestBuilder {
  let source: HTTPDefinition
  let page: PageRequest
  let place: WebPlace

  /// The size to ask for: `pageSize`, or with `grow` that much more than was asked last, up to `maxItems`.
  var size: Int {
    let step = max(page.table.pageSize, 1)
    guard case .grow = source.paging.style else { return step }
    let (sum, overflow) = place.asked.addingReportingOverflow(step)
    return min(overflow ? .max : sum, max(page.table.maxItems ?? .max, 1))
  }

  /// The request.
  ///
  /// - Throws: `upstream-error` where the session lacks a parameter, or a value makes no address.
  func request() throws(UpstreamFailure) -> WebRequest {
    let first = try firstAddress()
    var address = first
    switch source.paging.style {
    case .link, .next:
      if let next = place.next {
        guard let read = WebAddress(next) else { throw unreadablePlace }
        address = read
      }
    default: break
    }
    var fields: [WebRequest.Field] = []
    for (name, value) in source.headers {
      let text = try value.filled(encoded)
      fields.append(WebRequest.Field(name: name, value: text))
    }
    return WebRequest(
      address: address, fields: fields, origin: first.origin, body: try source.body?.filled(bodyValue))
  }

  private func firstAddress() throws(UpstreamFailure) -> WebAddress {
    let url = try source.url.filled(encoded)
    guard let address = WebAddress(url) else {
      throw UpstreamFailure(
        .error, detail: "the source's url makes no http or https address; check it and its parameters")
    }
    return address.appending(query: try query())
  }

  /// The configured query and what the style adds, encoded.
  private func query() throws(UpstreamFailure) -> [UInt8] {
    var text: [UInt8] = []
    for (name, value) in source.query {
      text.append(
        parameter: name, try value.filled { (name) throws(UpstreamFailure) in try self.value(name) })
    }
    switch source.paging.style {
    case .page(let name?, _): text.append(parameter: name, pageNumber)
    case .offset(let name?): text.append(parameter: name, Bytes(String(page.place.read)))
    case .cursor(let name?, _):
      if let next = place.next { text.append(parameter: name, next) }
    default: break
    }
    if let name = source.paging.size { text.append(parameter: name, Bytes(String(size))) }
    return text
  }

  // MARK: Values

  /// A session's parameter, or its default where the session is older than the parameter.
  private func value(_ name: Bytes) throws(UpstreamFailure) -> Bytes {
    if let param = page.params.first(where: { $0.name == name }) { return param.value }
    if let standard = page.table.params.first(where: { $0.name == name })?.defaultValue { return standard }
    throw UpstreamFailure(
      .error,
      detail: "the session has no parameter \"\(name)\", which the table wants now; refresh with params")
  }

  /// A parameter as it may stand in an address or a header field.
  ///
  /// A value of dots alone would be a step up in a path, so those are encoded too.
  private func encoded(_ name: Bytes) throws(UpstreamFailure) -> Bytes {
    let value = try value(name)
    var text: [UInt8] = []
    if value == "." || value == ".." {
      for _ in 0..<value.count { text.append(literal: "%2E") }
    } else {
      text.append(percentEncoding: value)
    }
    return Bytes(text)
  }

  private func bodyValue(_ name: Bytes) throws(UpstreamFailure) -> Bytes {
    switch name {
    case "cursor": return place.next ?? .empty
    case "page": return pageNumber
    case "offset": return Bytes(String(page.place.read))
    case "size": return Bytes(String(size))
    default: return try value(name)
    }
  }

  private var pageNumber: Bytes {
    var first = 1
    if case .page(_, let number) = source.paging.style { first = number }
    return Bytes(String(first.addingReportingOverflow(page.place.pages).partialValue))
  }

  private var unreadablePlace: UpstreamFailure {
    UpstreamFailure(
      .error, detail: "the place in the upstream cannot be read any more; refresh to begin from the top")
  }
}

extension Array where Element == UInt8 {
  /// Appends `name=value` to a query, both encoded, behind an `&` where it has begun.
  fileprivate mutating func append(parameter name: Bytes, _ value: Bytes) {
    if !isEmpty { append(UInt8(ascii: "&")) }
    append(percentEncoding: name)
    append(UInt8(ascii: "="))
    append(percentEncoding: value)
  }
}

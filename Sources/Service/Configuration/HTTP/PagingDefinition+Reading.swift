import JSONText
import ListModel

extension PagingDefinition {
  private enum StyleName: String, CaseIterable {
    case page, offset, cursor, link, next, grow, none
  }

  /// Reads `paging`; each style has keys of its own.
  ///
  /// - Parameter body: the body of a POST, in which the style's value may be sent in place of a parameter.
  init?(_ paging: inout ConfigurationObject, sent body: BodyTemplate?) {
    func parameter(_ key: String) -> Bytes? {
      if let value = paging[key] { return value.parameterName() }
      let isSent = body?.names.contains { $0.name == Bytes(key == "param" ? "cursor" : key) } ?? false
      if !isSent {
        let elsewhere = body == nil ? "" : ", or {\(key == "param" ? "cursor" : key)} in the body"
        _ = paging.required(key, right: "the name of the query parameter\(elsewhere)")
      }
      return nil
    }

    let style: Style?
    switch paging.required("style", right: "a way of paging, such as \"page\"")?.choice(of: StyleName.self) {
    case nil:
      paging.ignoreOthers()
      return nil
    case .page:
      let name = parameter("page")
      style = .page(parameter: name, first: paging["first"]?.integer(in: 0...Int(Int32.max)) ?? 1)
    case .offset:
      style = .offset(parameter: parameter("offset"))
    case .cursor:
      let name = parameter("param")
      let next = paging.required("next", right: "where the next cursor is")?.nextCursor()
      style = next.map { .cursor(parameter: name, next: $0) }
    case .link:
      style = .link
    case .next:
      let pointer = paging.required("next", right: "the pointer to the next address")?.pointer()
      style = pointer.map { .next($0) }
    case .grow:
      style = .grow
    case .some(.none):
      style = Style.none
    }
    let size = paging["size"]?.parameterName()
    guard let style else { return nil }
    if style == .grow, size == nil, !(body?.names.contains { $0.name == "size" } ?? false) {
      paging.reportMissing("size", right: "the name of the size parameter")
      return nil
    }
    self.init(style: style, size: size)
  }
}

extension ConfigurationValue {
  /// The name of a query parameter.
  fileprivate func parameterName() -> Bytes? {
    let right = "the name of a query parameter"
    guard let name = string(right: right) else { return nil }
    guard !name.isEmpty else {
      report("is empty", right: right)
      return nil
    }
    return name
  }

  /// `next` of style `cursor`: a pointer into the answer, or one into its last item.
  fileprivate func nextCursor() -> NextCursor? {
    guard json.kind == .object else { return pointer().map { .answer($0) } }
    return object { next -> NextCursor? in
      let pointer = next.required("lastItem", right: "a pointer into the last item")?.pointer()
      return pointer.map { .lastItem($0) }
    }
  }
}

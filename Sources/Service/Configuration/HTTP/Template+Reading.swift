import JSONText
import ListModel

/// The names that a template may take.
struct TemplateNames {
  /// The table's parameters.
  let parameters: [Bytes]
  /// What paging gives, in a body.
  var paging: [Bytes] = []

  fileprivate var all: [String] { (paging + parameters).map(\.string) }

  fileprivate func has(_ name: Bytes) -> Bool { parameters.contains(name) || paging.contains(name) }
}

// What was written is never repeated: a variable may have put a secret into it.
extension ConfigurationValue {
  private static let braces = "{name} of a parameter, and {{ or }} for a brace,"

  /// A text with parameters.
  func template(_ names: TemplateNames) -> Template? {
    guard let text = string(right: "a string") else { return nil }
    do throws(TemplateFault) {
      let template = try Template(parsing: text)
      return check(template.names, names) ? template : nil
    } catch {
      report(error.message, right: Self.braces)
      return nil
    }
  }

  /// Whether all names are there; reports the first that is not.
  private func check(_ used: [Bytes], _ names: TemplateNames, at place: JSONPointer? = nil) -> Bool {
    guard let missing = used.first(where: { !names.has($0) }) else { return true }
    let known = names.all.isEmpty ? "a parameter under params" : "one of \(names.all.joined(separator: ", "))"
    let value = ConfigurationValue(json: json, place: place ?? self.place, faults: faults)
    value.report("parameter \(value.unknown(missing, among: names.all))", right: known)
    return false
  }

  /// An address whose parameters stand behind its host.
  func address(_ names: TemplateNames) -> Template? {
    let right = "an http or https address, such as \"https://api.example.com/items\","
    guard let template = template(names) else { return nil }
    guard case .text(let start)? = template.parts.first, let address = WebAddress(start) else {
      report("is no address", right: right)
      return nil
    }
    guard !address.hadUser else {
      report("has a user in it", right: "an Authorization under headers")
      return nil
    }
    let hasEnd = start.array.dropFirst("https://".utf8.count).contains { "/?".utf8.contains($0) }
    guard hasEnd || template.parts.count == 1 else {
      report(
        "has a parameter in its host", right: "parameters behind the host only, for clients choose them,")
      return nil
    }
    return template
  }

  /// The value of a header field of this name.
  func field(_ name: Bytes, _ names: TemplateNames) -> Template? {
    guard name.isFieldName else {
      report(
        "\(name.quoted) is no name of a header field",
        right: "letters, digits and - as in \"Accept-Language\"")
      return nil
    }
    guard !Self.framing.contains(name.string.lowercased()) else {
      report("\(name.string) is sent as the request needs it", right: "another field")
      return nil
    }
    guard let template = template(names) else { return nil }
    for case .text(let text) in template.parts where !text.isFieldText {
      report("has a line break or another control character in it", right: "text")
      return nil
    }
    return template
  }

  /// Fields that frame a request or belong to one connection.
  private static let framing: Set<String> = [
    "connection", "content-length", "expect", "host", "keep-alive", "proxy-authorization", "proxy-connection",
    "te",
    "trailer", "transfer-encoding", "upgrade",
  ]

  /// The name of a header field.
  func fieldName() -> Bytes? {
    let right = "the name of a header field, such as \"Total-Count\""
    guard let name = string(right: right) else { return nil }
    guard name.isFieldName else {
      report("is no name of a header field", right: right)
      return nil
    }
    return name
  }

  /// The body of a POST.
  func body(_ names: TemplateNames) -> BodyTemplate? {
    do throws(BodyTemplateFault) {
      let body = try BodyTemplate(json)
      var isRight = true
      for (name, string) in body.names {
        let place = JSONPointer(tokens: place.tokens + string.tokens)
        isRight = check([name], names, at: place) && isRight
      }
      return isRight ? body : nil
    } catch {
      let place = JSONPointer(tokens: place.tokens + error.place.tokens)
      ConfigurationValue(json: json, place: place, faults: faults).report(
        error.fault.message, right: Self.braces)
      return nil
    }
  }
}

extension Bytes {
  /// Whether this is a token (RFC 9110 §5.6.2).
  fileprivate var isFieldName: Bool {
    !isEmpty && array.allSatisfy { isLetter($0) || isDigit($0) || "!#$%&'*+-.^_`|~".utf8.contains($0) }
  }

  /// Whether this may stand in the value of a header field.
  fileprivate var isFieldText: Bool { array.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 } }
}

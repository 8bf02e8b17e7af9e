import HTTP1
import JSONText
import ListModel
import Service
import Testing

@Suite struct OpenAPITests {
  let document: JSONValue

  init() throws {
    document = try JSONValue(parsing: Bytes(Pages().openAPI.response(to: request()).text))
  }

  @Test func itIsOpenAPI31OfThisVersion() {
    #expect(document.member(named: "openapi")?.string == "3.1.0")
    #expect(document.value(at: pointer("/info/version"))?.string == Bytes("\(Product.version)"))
  }

  @Test func itNamesEveryRouteWithItsMethodsAndNothingElse() throws {
    var expected: [String: Set<String>] = [:]
    let methods: [(Method, String)] = [
      (.get, "get"), (.head, "head"), (.post, "post"), (.put, "put"), (.delete, "delete"), (.patch, "patch"),
      (.trace, "trace"),
    ]
    for kind in RouteKind.allCases {
      let names = Set(methods.filter { kind.allows($0.0) }.map(\.1))
      if kind == .command {
        for command in CommandName.allCases { expected["/v1/sessions/{id}/\(command.rawValue)"] = names }
      } else {
        expected["\(kind.template)"] = names
      }
    }
    var described: [String: Set<String>] = [:]
    try #require(document.member(named: "paths")).forEachMember { path, item in
      var names: Set<String> = []
      item.forEachMember { name, _ in names.insert(name.string) }
      described[path.string] = names.subtracting(["parameters"])
    }
    #expect(described == expected)
  }

  @Test func itsParametersInPathsAreDescribed() throws {
    try #require(document.member(named: "paths")).forEachMember { path, item in
      let braces = path.string.split(separator: "{").dropFirst().map { String($0.prefix { $0 != "}" }) }
      let given = (item.member(named: "parameters")?.elements ?? []).compactMap { resolve($0) }
        .filter { $0.member(named: "in")?.string == "path" }.compactMap {
          $0.member(named: "name")?.string?.string
        }
      #expect(Set(braces) == Set(given), "\(path)")
    }
  }

  @Test func everyReferenceLeadsSomewhereAndEveryComponentIsUsed() {
    var references: Set<Bytes> = []
    collect(document, &references)
    for reference in references {
      #expect(document.value(at: pointer(reference[1..<reference.count].string)) != nil, "\(reference)")
    }
    document.member(named: "components")?.forEachMember { kind, components in
      guard kind != "securitySchemes" else { return }
      components.forEachMember { name, _ in
        #expect(references.contains(Bytes("#/components/\(kind)/\(name)")), "\(kind)/\(name) is not used")
      }
    }
  }

  @Test func operationsHaveNamesOfTheirOwn() throws {
    var names: [String] = []
    try #require(document.member(named: "paths")).forEachMember { _, item in
      item.forEachMember { _, operation in
        if let name = operation.member(named: "operationId")?.string { names.append(name.string) }
      }
    }
    #expect(Set(names).count == names.count)
    #expect(names.count > 35)
  }

  private func pointer(_ text: String) -> JSONPointer {
    JSONPointer(Bytes(text)) ?? JSONPointer(tokens: ["?"])
  }

  private func resolve(_ value: JSONValue) -> JSONValue? {
    guard let reference = value.member(named: "$ref")?.string else { return value }
    return document.value(at: pointer(reference[1..<reference.count].string))
  }

  private func collect(_ value: JSONValue, _ references: inout Set<Bytes>) {
    value.forEachMember { name, member in
      if name == "$ref", let reference = member.string { references.insert(reference) }
      collect(member, &references)
    }
    for element in value.elements { collect(element, &references) }
  }
}

import HTTP1
import JSONText

/// The service's fixed documents: those that are asked for often made at the start, the others when they are.
public struct Pages: Sendable {
  /// `GET /`: what this is and where to go.
  public let index: Document
  /// `GET /openapi.json`.
  public let openAPI: Document

  /// Makes those that are asked for often.
  public init() {
    index = Self.indexPage()
    openAPI = Document(OpenAPI.document(), contentType: "application/json")
  }

  /// `GET /problems/{slug}`: what the problem means and what to do.
  ///
  /// Made anew each time.
  ///
  /// - Throws: `unknown-path` where no problem has this slug.
  public func problem(_ slug: Bytes) throws(Problem) -> Document {
    guard let type = ProblemType(rawValue: slug.string) else {
      throw Problem(.unknownPath, detail: "there is no problem of this name")
    }
    return Self.problemPage(type)
  }

  private static func indexPage() -> Document {
    var page = HTMLPage(title: "Rowcast")
    page.paragraph("A service that holds lists, and tells every client what changed in them.")
    page.markup("<ul>\n<li>")
    page.link("/openapi.json")
    page.markup(" – everything that can be asked here, as OpenAPI 3.1</li>\n<li>")
    page.link("/v1/tables")
    page.markup(" – the tables of this server</li>\n<li>")
    page.link("/healthz")
    page.markup(", ")
    page.link("/readyz")
    page.markup(", ")
    page.link("/metrics")
    page.markup(" – how it is doing</li>\n</ul>\n<h2>Problems</h2>\n<ul>\n")
    for type in ProblemType.allCases {
      page.markup("<li>")
      page.link("/problems/\(type.slug)")
      page.markup(" – ")
      page.text(type.title)
      page.markup("</li>\n")
    }
    page.markup("</ul>\n<p>")
    page.text("\(Product.name) \(Product.version)")
    page.markup("</p>\n")
    return page.document()
  }

  private static func problemPage(_ type: ProblemType) -> Document {
    var page = HTMLPage(title: type.title)
    page.markup("<p><code>")
    page.text("\(type.slug)")
    page.markup("</code>, status ")
    page.text("\(type.status)")
    page.markup("</p>\n")
    page.paragraph(type.meaning)
    page.markup("<h2>What to do</h2>\n")
    page.paragraph(type.remedy)
    page.markup("<p><a href=\"/\">All problems</a></p>\n")
    return page.document()
  }
}

import HTTP1
import JSONText

/// The service's fixed documents but for the browser client: those that are asked for often made at the start, the
/// others when they are.
public struct Pages: Sendable {
  /// `GET /openapi.json`.
  public let openAPI: Document

  /// Makes those that are asked for often.
  public init() {
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
    page.markup("<p><a href=\"/openapi.json\">All that can be asked here</a></p>\n")
    return page.document()
  }
}

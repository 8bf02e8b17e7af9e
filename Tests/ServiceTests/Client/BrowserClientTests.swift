import Foundation
import HTTP1
import JSONText
import Service
import Testing

@Suite struct BrowserClientTests {
  let page: Response
  /// The addresses of files that the page names.
  let files: [(version: Bytes, name: Bytes)]

  init() throws {
    page = try BrowserClient.page(for: request(.get, "/"))
    files = page.text.split(separator: "\"").filter { $0.hasPrefix("/client/") }.map { address in
      let segments = address.split(separator: "/")
      return (Bytes(segments[1]), Bytes(segments[2]))
    }
  }

  private func resource(_ name: String) throws -> String {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../Sources/Service/Resources/")
    return try String(contentsOf: folder.appending(path: name), encoding: .utf8)
  }

  @Test func thePageIsAskedForEachTimeAndHasATag() throws {
    #expect(page.status == 200)
    #expect(page.field("Content-Type") == "text/html; charset=utf-8")
    #expect(page.field("Cache-Control") == "no-cache")
    let tag = try #require(page.field("ETag"))
    let again = try BrowserClient.page(for: request(.get, "/", body: "", ("If-None-Match", tag)))
    #expect(again.status == 304)
    #expect(again.field("ETag") == tag)
    #expect(again.body.count == 0)
  }

  @Test func itsPolicyAllowsNothingThatIsNotItsOwn() throws {
    let policy = try #require(page.field("Content-Security-Policy"))
    for rule in [
      "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'", "base-uri 'none'",
      "form-action 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'",
    ] {
      #expect(policy.contains(rule + ";") || policy.hasSuffix(rule), "\(rule)")
    }
    #expect(!policy.contains("unsafe"))
    #expect(page.field("X-Content-Type-Options") == "nosniff")
    #expect(page.field("Referrer-Policy") == "no-referrer")
    #expect(!page.text.contains("style=") && !page.text.contains("onclick") && !page.text.contains("<style"))
    #expect(!page.text.contains("//"), "no address elsewhere")
  }

  @Test func itsFilesAreServedAsTheyAreInTheSourcesAndLast() throws {
    #expect(files.count >= 5)
    #expect(!page.text.contains("{version}"))
    for file in files {
      let answer = try BrowserClient.file(file.name, of: file.version, for: request(.get, "/"))
      #expect(answer.text == (try resource(file.name.string)))
      #expect(answer.field("Cache-Control") == "public, max-age=31536000, immutable")
      #expect(answer.field("X-Content-Type-Options") == "nosniff")
      let type =
        switch file.name.string.split(separator: ".").last {
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        default: "image/svg+xml"
        }
      #expect(answer.field("Content-Type") == type)
    }
  }

  @Test func everyModuleImportsModulesThatAreServed() throws {
    let version = try #require(files.first).version
    var unread: [Bytes] = ["app.js"]
    var seen: Set<Bytes> = []
    while let name = unread.popLast() {
      guard seen.insert(name).inserted else { continue }
      let text = try BrowserClient.file(name, of: version, for: request(.get, "/")).text
      for line in text.split(separator: "\n") where line.hasPrefix("import ") || line.hasPrefix("} from") {
        let from = try #require(line.split(separator: "'").last { $0.hasPrefix("./") })
        unread.append(Bytes(from.dropFirst(2)))
      }
    }
    #expect(seen.contains("rowcast.js") && seen.count > 8)
  }

  @Test func theLibraryIsTheFileInTheSources() throws {
    let library = try BrowserClient.library(for: request(.get, "/rowcast.js"))
    #expect(library.text == (try resource("rowcast.js")))
    #expect(library.field("Content-Type") == "text/javascript; charset=utf-8")
    #expect(library.field("Cache-Control") == "no-cache")
    #expect(library.field("ETag") != nil)
  }

  @Test func anotherVersionOrFileIsUnknown() throws {
    let file = try #require(files.first)
    for (version, name) in [
      (Bytes("0"), file.name), (file.version, "nothing.js"), (file.version, "index.html"),
    ] {
      let problem = #expect(throws: Problem.self) {
        try BrowserClient.file(name, of: version, for: request(.get, "/"))
      }
      #expect(problem?.type == .unknownPath)
    }
  }
}

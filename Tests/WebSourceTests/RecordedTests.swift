import Foundation
import JSONText
import ListModel
import ScriptedUpstream
import Sessions
import SourceContract
import Testing

/// Recorded answers of real APIs, where they lie beside the checkout; the project does not ship them.
@Suite(.timeLimit(.minutes(5)), .enabled(if: Recordings.folder != nil))
struct RecordedTests {
  static let documents: [(file: String, source: String, first: String, count: Int, hasNext: Bool)] = [
    (
      "up-qiita-items.json", #""paging": {"style": "page", "page": "page"}"#, "934a100cb129ac63aa31", 10,
      false
    ),
    (
      "up-mastodon-tag.json",
      #""paging": {"style": "cursor", "param": "max_id", "next": {"lastItem": "/id"}}"#, "714859", 20, true
    ),
    (
      "up-hn-search.json",
      #""items": "/hits", "id": "/created_at_i", "paging": {"style": "page", "page": "page", "first": 0}, "hasNext": {"pagesPointer": "/nbPages"}"#,
      "1317860669", 20, true
    ),
    (
      "up-graphql-issues.json",
      #""items": "/repository/issues/edges", "id": "/node/id", "paging": {"style": "cursor", "param": "after", "next": "/repository/issues/pageInfo/endCursor"}, "hasNext": {"pointer": "/repository/issues/pageInfo/hasNextPage"}"#,
      "", 50, true
    ),
    (
      "up-es-search.json",
      #""items": "/hits/hits", "id": "/_id", "paging": {"style": "offset", "offset": "from"}, "hasNext": {"totalPointer": "/hits/total"}"#,
      "723a8b707e579087aa36c2e338ecdb4c", 6, false
    ),
    (
      "up-odata-people.bin",
      #""items": "/value", "id": "/UserName", "paging": {"style": "next", "next": "/@odata.nextLink"}"#,
      "russellwhyte", 20, true
    ),
    (
      "up-reddit-subreddit.json",
      #""items": "/data/children", "id": "/data/name", "paging": {"style": "cursor", "param": "after", "next": "/data/after"}"#,
      "", 27, true
    ),
    ("up-reddit-more.json", #""id": "/data/name""#, "t1_fvbhult", 34, false),
    (
      "up-stripe-page1.json",
      #""items": "/data", "paging": {"style": "cursor", "param": "starting_after", "next": {"lastItem": "/id"}}, "hasNext": {"pointer": "/has_more"}"#,
      "pm_125", 2, true
    ),
    (
      "up-stripe-search.json",
      #""items": "/data", "paging": {"style": "cursor", "param": "page", "next": "/next_page"}, "hasNext": {"pointer": "/has_more"}"#,
      "pm_123", 2, true
    ),
    (
      "up-stripe-file-links.json",
      #""items": "/data", "paging": {"style": "cursor", "param": "starting_after", "next": {"lastItem": "/id"}}, "hasNext": {"pointer": "/has_more"}"#,
      "link_1Pgc76B7WZ01zgkWPhd77i13", 6, false
    ),
  ]

  @Test("A recorded answer is read", arguments: documents.map(\.file))
  func document(file: String) async throws {
    let expected = try #require(Self.documents.first { $0.file == file })
    let body = try Recordings.bytes(file)
    let upstream = try ScriptedUpstream { _ in .text(body) }
    let table = try WebTable(#""url": "\#(upstream.origin)/", \#(expected.source)"#)
    let page = try await table.page().get()
    #expect(page.items.count + page.leftOut == expected.count)
    #expect(page.next.read == expected.count)
    #expect(page.hasNext == expected.hasNext)
    if !expected.first.isEmpty { #expect(page.ids.first == expected.first) }
    #expect(page.leftOut == 0)
  }

  @Test("An answer that says it failed is an error")
  func slack() async throws {
    let body = try Recordings.bytes("up-slack-channels.json")
    let upstream = try ScriptedUpstream { _ in .text(body) }
    let table = try WebTable(
      #""url": "\#(upstream.origin)", "items": "/channels", "error": {"pointer": "/ok", "equals": false, "message": "/error"}"#
    )
    #expect(await table.page().failure?.code == .error)
  }

  @Test(
    "Recorded pages follow each other by their links",
    arguments: [
      ("up-github-issues-pages.json", "https://api.github.com", "path"),
      ("up-mastodon-pages.json", "http://localhost:3000", "uri"),
    ])
  func links(file: String, origin: String, key: String) async throws {
    let recorded = try JSONValue(parsing: Bytes(Recordings.bytes(file))).elements
    let upstream = try ScriptedUpstream { _ in .json("{}", status: 404) }
    let here = upstream.origin
    let first = try #require(recorded.first?.member(Bytes(key))?.string?.string)
    let start = first.replacingOccurrences(of: origin, with: "")
    upstream.follow { request in
      let page = recorded.first { page in
        let address = page.member(Bytes(key))?.string?.string ?? ""
        return address.replacingOccurrences(of: origin, with: "") == request.target
      }
      guard let page, let body = page.member(named: "body") else { return .json("{}", status: 404) }
      let link = (page.member(named: "link")?.string?.string ?? "").replacingOccurrences(
        of: origin, with: here)
      return .text(body.text.array, link.isEmpty ? [] : [("Link", link)])
    }
    let table = try WebTable(#""url": "\#(here)\#(start)", "paging": {"style": "link"}"#)
    var place = Place.top
    var ids: [String] = []
    for number in 0..<recorded.count {
      let page = try await table.page(at: place).get()
      ids += page.ids
      place = page.next
      if number + 1 < recorded.count { #expect(page.hasNext, "page \(number)") }
      if !page.hasNext { break }
    }
    #expect(ids.count == recorded.reduce(0) { $0 + ($1.member(named: "body")?.count ?? 0) })
    #expect(Set(ids).count == ids.count)
  }
}

import Foundation
import JSONText
import ListModel
import ScriptedUpstream
import SourceContract
import Testing

/// Recorded answers, cut into pages as their APIs page, and read from the first item to the last by configuration alone.
@Suite(.timeLimit(.minutes(5)), .enabled(if: Recordings.folder != nil))
struct RecordedWalkTests {
  /// A recorded list and how its API gives it.
  struct API: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var file: String
    /// Where the items stand in the recording, and an item's id in it.
    var items: String
    var id: String
    /// The members of `source` behind the address.
    var source: String
    /// The answer to a request, of all recorded items.
    var answer: @Sendable (UpstreamRequest, [JSONValue]) -> Reply
  }

  private static let size = 4

  /// Some of the items as an array, each as it was recorded.
  private static func array(_ items: some Sequence<JSONValue>) -> String {
    "[\(items.map(\.text.string).joined(separator: ","))]"
  }

  /// Four items from a place on, and whether there are more.
  private static func part(_ items: [JSONValue], from start: Int) -> (array: String, hasMore: Bool) {
    (array(items.dropFirst(start).prefix(size)), start + size < items.count)
  }

  /// Where the item with an id ends, by the id's text; 0 for none.
  private static func behind(_ id: String?, _ items: [JSONValue], _ pointer: String) -> Int {
    (items.firstIndex { item in text(item, pointer) == id } ?? -1) + 1
  }

  /// What stands at a path of names, as text.
  private static func text(_ item: JSONValue, _ path: String) -> String? {
    let found = path.split(separator: "/").reduce(Optional(item)) { $0?.member(Bytes(String($1))) }
    return found.map { ($0.string ?? $0.text).string }
  }

  private static func number(_ request: UpstreamRequest, _ name: String) -> Int {
    Int(request.query(name) ?? "") ?? 0
  }

  /// A member of a posted body, which is a string.
  private static func posted(_ request: UpstreamRequest, _ name: String) -> String? {
    let body = (try? JSONSerialization.jsonObject(with: Data(request.body.utf8))) as? [String: Any]
    return body?[name] as? String ?? (body?["variables"] as? [String: Any])?[name] as? String
  }

  private static func connection(_ items: [JSONValue], after cursor: String?) -> Reply {
    let start = cursor.flatMap { Int($0.dropFirst("item ".count)) } ?? 0
    let part = part(items, from: start)
    return .json(
      #"{"data": {"repository": {"issues": {"edges": \#(part.array), "pageInfo": {"endCursor": "item \#(start + size)", "hasNextPage": \#(part.hasMore)}}}}}"#
    )
  }

  private static let relay =
    #""items": "/data/repository/issues/edges", "id": "/node/id", "hasNext": {"pointer": "/data/repository/issues/pageInfo/hasNextPage"}, "error": {"pointer": "/errors", "message": "/errors/0/message"}"#

  static let apis: [API] = [
    API(
      testDescription: "Qiita, items by number", file: "up-qiita-items.json", items: "", id: "/id",
      source:
        #""paging": {"style": "page", "page": "page", "size": "per_page"}, "hasNext": {"totalHeader": "Total-Count"}"#,
      answer: { request, items in
        let part = part(items, from: (number(request, "page") - 1) * number(request, "per_page"))
        return .json(part.array, [("Total-Count", "\(items.count)")])
      }),
    API(
      testDescription: "Qiita, a hundred and one stocks, by full pages", file: "up-qiita-stocks.json",
      items: "",
      id: "/id", source: #""paging": {"style": "page", "page": "page", "size": "per_page"}"#,
      answer: { request, items in .json(part(items, from: (number(request, "page") - 1) * size).array) }),
    API(
      testDescription: "Mastodon, by the last id", file: "up-mastodon-tag.json", items: "", id: "/id",
      source:
        #""paging": {"style": "cursor", "param": "max_id", "next": {"lastItem": "/id"}, "size": "limit"}"#,
      answer: { request, items in
        .json(part(items, from: behind(request.query("max_id"), items, "/id")).array)
      }),
    API(
      testDescription: "Algolia, pages from 0", file: "up-hn-search.json", items: "hits", id: "/objectID",
      source:
        #""items": "/hits", "id": "/objectID", "paging": {"style": "page", "page": "page", "first": 0, "size": "hitsPerPage"}, "hasNext": {"pagesPointer": "/nbPages"}"#,
      answer: { request, items in
        let page = number(request, "page")
        return .json(
          #"{"hits": \#(part(items, from: page * size).array), "page": \#(page), "nbPages": \#((items.count + size - 1) / size)}"#
        )
      }),
    API(
      testDescription: "GraphQL over GET", file: "up-graphql-issues.json", items: "repository/issues/edges",
      id: "/node/id",
      source:
        #""query": {"query": "query($after: String) {{ repository {{ issues(first: 4, after: $after) }} }}"}, \#(relay), "paging": {"style": "cursor", "param": "after", "next": "/data/repository/issues/pageInfo/endCursor"}"#,
      answer: { request, items in connection(items, after: request.query("after")) }),
    API(
      testDescription: "GraphQL over POST", file: "up-graphql-issues.json", items: "repository/issues/edges",
      id: "/node/id",
      source:
        #""method": "POST", "body": {"query": "query {{ … }}", "variables": {"after": "{cursor}", "first": "{size}"}}, \#(relay), "paging": {"style": "cursor", "next": "/data/repository/issues/pageInfo/endCursor"}"#,
      answer: { request, items in connection(items, after: posted(request, "after")) }),
    API(
      testDescription: "Elasticsearch, posted", file: "up-es-search.json", items: "hits/hits", id: "/_id",
      source:
        #""method": "POST", "body": {"from": "{offset}", "size": "{size}"}, "items": "/hits/hits", "id": "/_id", "paging": {"style": "offset"}, "hasNext": {"totalPointer": "/hits/total"}"#,
      answer: { request, items in
        let part = part(items, from: Int(posted(request, "from") ?? "") ?? -1)
        return .json(#"{"hits": {"total": \#(items.count), "hits": \#(part.array)}}"#)
      }),
    API(
      testDescription: "OData, behind a mark", file: "up-odata-people.bin", items: "value", id: "/UserName",
      source:
        #""items": "/value", "id": "/UserName", "paging": {"style": "next", "next": "/@odata.nextLink"}"#,
      answer: { request, items in
        let start = number(request, "$skiptoken")
        let part = part(items, from: start)
        let next = part.hasMore ? #""@odata.nextLink": "People?%24skiptoken=\#(start + size)", "# : ""
        return .text(Array("\u{FEFF}{\(next)\"value\": \(part.array)}".utf8))
      }),
    API(
      testDescription: "Reddit, by name", file: "up-reddit-subreddit.json", items: "data/children",
      id: "/data/name",
      source:
        #""items": "/data/children", "id": "/data/name", "paging": {"style": "cursor", "param": "after", "next": "/data/after", "size": "limit"}"#,
      answer: { request, items in
        let start = behind(request.query("after"), items, "/data/name")
        let part = part(items, from: start)
        let last = items.dropFirst(start).prefix(size).last.flatMap { text($0, "/data/name") } ?? ""
        return .json(
          #"{"kind": "Listing", "data": {"children": \#(part.array), "after": \#(part.hasMore ? "\"\(last)\"" : "null")}}"#
        )
      }),
    API(
      testDescription: "Reddit's comments, by a size that grows", file: "up-reddit-more.json", items: "",
      id: "/data/name", source: #""id": "/data/name", "paging": {"style": "grow", "size": "limit"}"#,
      answer: { request, items in .json(array(items.prefix(number(request, "limit")))) }),
    API(
      testDescription: "JSON:API, by its links", file: "up-kitsu.json", items: "0/data", id: "/id",
      source: #""items": "/data", "paging": {"style": "next", "next": "/links/next", "size": "page[limit]"}"#,
      answer: { request, items in
        let start = number(request, "page[offset]")
        let one = array(items.dropFirst(start).prefix(1))
        let next =
          start + 1 < items.count ? #""next": "?page%5Blimit%5D=1&page%5Boffset%5D=\#(start + 1)""# : ""
        return .json(#"{"data": \#(one), "meta": {"count": 12654}, "links": {\#(next)}}"#)
      }),
    API(
      testDescription: "Stripe, by the last id", file: "up-stripe-file-links.json", items: "data", id: "/id",
      source:
        #""items": "/data", "paging": {"style": "cursor", "param": "starting_after", "next": {"lastItem": "/id"}, "size": "limit"}, "hasNext": {"pointer": "/has_more"}"#,
      answer: { request, items in
        let part = part(items, from: behind(request.query("starting_after"), items, "/id"))
        return .json(#"{"object": "list", "data": \#(part.array), "has_more": \#(part.hasMore)}"#)
      }),
    API(
      testDescription: "Slack, by a cursor that ends as nothing", file: "up-slack-channels.json",
      items: "channels",
      id: "/id",
      source:
        #""items": "/channels", "paging": {"style": "cursor", "param": "cursor", "next": "/response_metadata/next_cursor", "size": "limit"}, "error": {"pointer": "/ok", "equals": false, "message": "/error"}"#,
      answer: { _, items in
        .json(#"{"ok": true, "channels": \#(array(items)), "response_metadata": {"next_cursor": ""}}"#)
      }),
  ]

  @Test("All items come, in order, their ids exact and their text as it was", arguments: apis)
  func walk(_ api: API) async throws {
    var recorded = try Recordings.bytes(api.file)
    if recorded.starts(with: [0xEF, 0xBB, 0xBF]) { recorded.removeFirst(3) }
    let document = try JSONValue(parsing: Bytes(recorded))
    var found: JSONValue? = document
    for name in api.items.split(separator: "/").map(String.init) {
      found = Int(name).flatMap { found?.elements[$0] } ?? found?.member(Bytes(name))
    }
    let items = try #require(found?.elements)
    let answer = api.answer
    let upstream = try ScriptedUpstream { answer($0, items) }
    let table = try WebTable(
      #""url": "\#(upstream.origin)/list", \#(api.source)"#, #", "pageSize": \#(Self.size)"#)
    let pages = try await table.pages()
    #expect(pages.flatMap(\.ids) == items.map { Self.text($0, api.id) ?? "" })
    #expect(pages.flatMap(\.items).map(\.data.text) == items.map { $0.minified().text })
    #expect(pages.reduce(0) { $0 + $1.leftOut } == 0 && pages.allSatisfy { $0.failure == nil })
    #expect(items.count <= Self.size || pages.count > 1)
  }
}

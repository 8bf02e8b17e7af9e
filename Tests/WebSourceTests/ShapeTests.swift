import Foundation
import JSONText
import ListModel
import ScriptedUpstream
import Service
import Sessions
import SourceContract
import Testing
import WebSource

/// Answers in the shapes of APIs that people really use, of our own making, and the shipped examples on top of them.
@Suite(.timeLimit(.minutes(5)))
struct ShapeTests {
  struct Shape: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The members of `source` behind the address.
    var source: String
    /// Answers by a piece of the request's target or body; the last stands for every other.
    var answers: [(String, String)]
    var ids: [[String]]
  }

  static let shapes: [Shape] = [
    Shape(
      testDescription: "Slack",
      source:
        #""items": "/channels", "paging": {"style": "cursor", "param": "cursor", "next": "/response_metadata/next_cursor", "size": "limit"}, "error": {"pointer": "/ok", "equals": false, "message": "/error"}"#,
      answers: [
        (
          "dGVhbTpD",
          #"{"ok":true,"channels":[{"id":"C3","name":"c"}],"response_metadata":{"next_cursor":""}}"#
        ),
        (
          "",
          #"{"ok":true,"channels":[{"id":"C1","name":"a"},{"id":"C2","name":"b"}],"response_metadata":{"next_cursor":"dGVhbTpD="}}"#
        ),
      ], ids: [["C1", "C2"], ["C3"]]),
    Shape(
      testDescription: "Stripe",
      source:
        #""items": "/data", "paging": {"style": "cursor", "param": "starting_after", "next": {"lastItem": "/id"}, "size": "limit"}, "hasNext": {"pointer": "/has_more"}"#,
      answers: [
        ("starting_after=pm_2", #"{"object":"list","has_more":false,"data":[{"id":"pm_3"}]}"#),
        ("", #"{"object":"list","has_more":true,"data":[{"id":"pm_1"},{"id":"pm_2"}]}"#),
      ], ids: [["pm_1", "pm_2"], ["pm_3"]]),
    Shape(
      testDescription: "Reddit",
      source:
        #""items": "/data/children", "id": "/data/name", "paging": {"style": "cursor", "param": "after", "next": "/data/after"}"#,
      answers: [
        (
          "after=t3_b",
          #"{"kind":"Listing","data":{"children":[{"kind":"t3","data":{"name":"t3_c"}}],"after":null}}"#
        ),
        (
          "",
          #"{"kind":"Listing","data":{"children":[{"kind":"t3","data":{"name":"t3_a"}},{"kind":"t3","data":{"name":"t3_b"}}],"after":"t3_b"}}"#
        ),
      ], ids: [["t3_a", "t3_b"], ["t3_c"]]),
    Shape(
      testDescription: "GraphQL relay over GET",
      source:
        #""query": {"query": "{{ issues(first: 2) }}"}, "items": "/data/issues/edges", "id": "/node/id", "paging": {"style": "cursor", "param": "after", "next": "/data/issues/pageInfo/endCursor"}, "hasNext": {"pointer": "/data/issues/pageInfo/hasNextPage"}"#,
      answers: [
        (
          "after=Y3Vyc29y",
          #"{"data":{"issues":{"edges":[{"node":{"id":"I_2"}}],"pageInfo":{"endCursor":"end","hasNextPage":false}}}}"#
        ),
        (
          "",
          #"{"data":{"issues":{"edges":[{"node":{"id":"I_1"}}],"pageInfo":{"endCursor":"Y3Vyc29y","hasNextPage":true}}}}"#
        ),
      ], ids: [["I_1"], ["I_2"]]),
    Shape(
      testDescription: "JSON:API",
      source: #""items": "/data", "paging": {"style": "next", "next": "/links/next", "size": "page[limit]"}"#,
      answers: [
        ("offset", #"{"data":[{"id":"3","type":"anime"}],"links":{"first":"/?page%5Blimit%5D=2"}}"#),
        (
          "page%5Blimit%5D=20",
          #"{"data":[{"id":"1","type":"anime"},{"id":"2","type":"anime"}],"links":{"next":"?page%5Blimit%5D=2&page%5Boffset%5D=2"}}"#
        ),
      ], ids: [["1", "2"], ["3"]]),
    Shape(
      testDescription: "OData, with a mark before the text",
      source:
        #""items": "/value", "id": "/UserName", "paging": {"style": "next", "next": "/@odata.nextLink"}"#,
      answers: [
        ("skiptoken=2", "\u{FEFF}{\"value\":[{\"UserName\":\"c\"}]}"),
        (
          "",
          "\u{FEFF}{\"@odata.nextLink\":\"People?%24skiptoken=2\",\"value\":[{\"UserName\":\"a\"},{\"UserName\":\"b\"}]}"
        ),
      ], ids: [["a", "b"], ["c"]]),
    Shape(
      testDescription: "Elasticsearch, posted",
      source:
        #""method": "POST", "body": {"from": "{offset}", "size": "{size}", "query": {"match": {"title": "x"}}}, "items": "/hits/hits", "id": "/_id", "paging": {"style": "offset"}, "hasNext": {"totalPointer": "/hits/total/value"}"#,
      answers: [
        (#""from":"2""#, #"{"hits":{"total":{"value":3},"hits":[{"_id":"c"}]}}"#),
        ("", #"{"hits":{"total":{"value":3},"hits":[{"_id":"a"},{"_id":"b"}]}}"#),
      ], ids: [["a", "b"], ["c"]]),
    Shape(
      testDescription: "Algolia, pages from 0",
      source:
        #""items": "/hits", "id": "/objectID", "paging": {"style": "page", "page": "page", "first": 0}, "hasNext": {"pagesPointer": "/nbPages"}"#,
      answers: [
        ("page=1", #"{"hits":[{"objectID":"b"}],"page":1,"nbPages":2}"#),
        ("page=0", #"{"hits":[{"objectID":"a"}],"page":0,"nbPages":2}"#),
      ], ids: [["a"], ["b"]]),
  ]

  @Test("An API of this shape is read to its end", arguments: shapes)
  func shape(_ shape: Shape) async throws {
    let upstream = try ScriptedUpstream { request in
      let answer = shape.answers.first { $0.0.isEmpty || (request.target + request.body).contains($0.0) }
      return answer.map { .json($0.1) } ?? .json("{}", status: 404)
    }
    let table = try WebTable(#""url": "\#(upstream.origin)/", \#(shape.source)"#)
    #expect(try await table.pages().map(\.ids) == shape.ids)
  }

  static let examples:
    [(file: String, answer: String, fields: [(String, String)], ids: [String], row: String)] = [
      (
        "qiita.json",
        #"[{"id":"934a100cb129ac63aa31","title":"T","url":"https://qiita.com/a/items/1","user":{"id":"a","profile_image_url":"https://i"},"likes_count":3,"created_at":"2024-02-23T12:19:21+09:00"}]"#,
        [("Total-Count", "1")], ["934a100cb129ac63aa31"],
        #"{"title":"T","url":"https://qiita.com/a/items/1","author":"a","image":"https://i","likes":3,"created":"2024-02-23T12:19:21+09:00"}"#
      ),
      (
        "github-issues.json",
        #"[{"id":1308969059,"number":13,"title":"T","state":"closed","user":{"login":"o"},"comments":0,"closed_at":"2022","html_url":"https://g"}]"#,
        [], ["1308969059"], #"{"number":13,"title":"T","author":"o","closed":"2022","url":"https://g"}"#
      ),
      (
        "mastodon.json",
        #"[{"id":"117020582251615632","content":"<p>x</p>","created_at":"2026","url":"https://m","media_attachments":[],"account":{"acct":"u","display_name":"U","avatar_static":"https://a"}}]"#,
        [], ["117020582251615632"],
        #"{"author":"U","account":"u","avatar":"https://a","html":"<p>x</p>","created":"2026","image":null,"url":"https://m"}"#
      ),
      (
        "hacker-news.json",
        #"{"hits":[{"objectID":"1","title":"T","url":null,"author":"a","points":1,"num_comments":2,"created_at":"c"}],"page":0,"nbPages":1}"#,
        [], ["1"], #"{"title":"T","url":null,"author":"a","points":1,"comments":2,"created":"c"}"#
      ),
      (
        "feed.json",
        #"{"status":"ok","feed":{},"items":[{"guid":"g","title":"T","link":"l","author":"","pubDate":"p","thumbnail":"","description":"d"}]}"#,
        [], ["g"], #"{"title":"T","url":"l","author":"","published":"p","image":"","html":"d"}"#
      ),
    ]

  @Test("A shipped example reads an answer of its API", arguments: examples.map(\.file))
  func example(file: String) async throws {
    let example = try #require(Self.examples.first { $0.file == file })
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let path = root.appending(path: "Config/examples/\(file)").path
    let configuration = try Configuration.load(file: path, environment: ["QIITA_TOKEN": "t"])
    let upstream = try ScriptedUpstream { _ in .json(example.answer, example.fields) }
    var table = try WebTable(#""url": "\#(upstream.origin)""#)
    table.table = try #require(configuration.tables.first)
    guard case .http(var definition) = table.table.source else { return }
    definition.url = Template(Bytes("\(upstream.origin)/"))
    table.table.source = .http(definition)
    let page = try await table.page().get()
    #expect(page.ids == example.ids && !page.hasNext && page.leftOut == 0)
    #expect(page.items.map(\.data.text.string) == [example.row])
  }
}

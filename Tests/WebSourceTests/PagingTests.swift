import Foundation
import JSONText
import ListModel
import ScriptedUpstream
import Sessions
import SourceContract
import Testing

/// Every paging style and hasNext rule, against answers in the shapes of real APIs.
@Suite(.timeLimit(.minutes(5)))
struct PagingTests {
  private static func rows(_ range: Range<Int>) -> String {
    "[" + range.map { #"{"id": \#($0)}"# }.joined(separator: ",") + "]"
  }

  @Test("Pages have numbers, from any first one", arguments: [0, 1, 7])
  func numbers(first: Int) async throws {
    let upstream = try ScriptedUpstream { request in
      let page = (Int(request.query("page") ?? "") ?? -1) - first
      return .json(Self.rows(page * 2..<min(page * 2 + 2, 5)))
    }
    let table = try WebTable(
      #""url": "\#(upstream.origin)/items?sort=new", "query": {"q": "a&b=ü"}, "paging": {"style": "page", "page": "page", "first": \#(first), "size": "per"}"#,
      #", "pageSize": 2"#)
    let pages = try await table.pages()
    #expect(pages.map(\.ids) == [["0", "1"], ["2", "3"], ["4"]])
    #expect(
      upstream.requests.map(\.target)
        == (0..<3).map { "/items?sort=new&q=a%26b%3D%C3%BC&page=\($0 + first)&per=2" })
  }

  @Test("An empty page ends a list of numbered pages, whatever the total says")
  func emptyEnds() async throws {
    let upstream = try ScriptedUpstream { request in
      request.query("p") == "1"
        ? .json("[{\"id\":1},{\"id\":2}]", [("Total", "9")]) : .json("[]", [("Total", "9")])
    }
    let table = try WebTable(
      #""url": "\#(upstream.origin)", "paging": {"style": "page", "page": "p"}, "hasNext": {"totalHeader": "TOTAL"}"#,
      #", "pageSize": 2"#)
    #expect(try await table.pages().map(\.ids) == [["1", "2"], []])
  }

  static let rules: [(rule: String, answer: String, hasNext: Bool)] = [
    (#"{"totalPointer": "/n"}"#, #""n": 3"#, true), (#"{"totalPointer": "/n"}"#, #""n": 2"#, false),
    (#"{"totalPointer": "/n"}"#, #""n": "3""#, true), (#"{"totalPointer": "/n"}"#, #""m": 3"#, true),
    (#"{"totalPointer": "/n"}"#, #""n": 12345678901234567890"#, true),
    (#"{"pagesPointer": "/n"}"#, #""n": 2"#, true), (#"{"pagesPointer": "/n"}"#, #""n": 1"#, false),
    (#"{"pointer": "/n"}"#, #""n": true"#, true), (#"{"pointer": "/n"}"#, #""n": false"#, false),
    (#"{"pointer": "/n"}"#, #""m": true"#, false), (#"{"pointer": "/n"}"#, #""n": null"#, false),
  ]

  @Test("The rule says whether there is more", arguments: rules)
  func hasNext(rule: String, answer: String, hasNext: Bool) async throws {
    let upstream = try ScriptedUpstream { _ in .json(#"{"data": [{"id": 1}, {"id": 2}], \#(answer)}"#) }
    let table = try WebTable(
      #""url": "\#(upstream.origin)", "items": "/data", "paging": {"style": "offset", "offset": "o"}, "hasNext": \#(rule)"#,
      #", "pageSize": 2"#)
    #expect(try await table.page().get().hasNext == hasNext)
  }

  @Test(
    "A cursor ends by absence, null or nothing",
    arguments: [#"{}"#, #"{"next": null}"#, #"{"next": ""}"#, "null"])
  func cursors(last: String) async throws {
    let upstream = try ScriptedUpstream { request in
      switch request.query("after") {
      case nil: .json(#"{"items": [{"id": "a"}], "meta": {"next": "x y/+=&"}}"#)
      case "x y/+=&": .json(#"{"items": [{"id": "b"}], "meta": {"next": 12345678901234567890}}"#)
      case "12345678901234567890": .json(#"{"items": [{"id": "c"}], "meta": \#(last)}"#)
      default: .json("{}", status: 400)
      }
    }
    let table = try WebTable(
      #""url": "\#(upstream.origin)", "items": "/items", "paging": {"style": "cursor", "param": "after", "next": "/meta/next", "size": "n"}"#
    )
    #expect(try await table.pages().map(\.ids) == [["a"], ["b"], ["c"]])
    #expect(upstream.requests.map { $0.query("n") } == ["20", "20", "20"])
  }

  @Test("A cursor is taken from the last item, and has_more has its say")
  func lastItem() async throws {
    let upstream = try ScriptedUpstream { request in
      let start = (Int(request.query("starting_after") ?? "") ?? 0) + 1
      return .json(#"{"data": \#(Self.rows(start..<start + 2)), "has_more": \#(start < 5)}"#)
    }
    let table = try WebTable(
      #""url": "\#(upstream.origin)", "items": "/data", "paging": {"style": "cursor", "param": "starting_after", "next": {"lastItem": "/id"}}, "hasNext": {"pointer": "/has_more"}"#
    )
    #expect(try await table.pages().map(\.ids) == [["1", "2"], ["3", "4"], ["5", "6"]])
  }

  @Test("Links are followed byte for byte, without the configured query")
  func links() async throws {
    let upstream = try ScriptedUpstream { request in
      switch request.target {
      case "/a/list?q=1&n=20":
        .json(
          #"[{"id": 1}]"#,
          [("Link", #"</first>; rel="first", <more?x=%2f%2F&y=[]>; title="a, b"; rel="prev next""#)])
      case "/a/more?x=%2f%2F&y=[]": .json(#"[{"id": 2}]"#, [("Link", "<../b;c/./d>;rel=NEXT")])
      case "/b;c/d": .json(#"[{"id": 3}]"#, [("Link", #"<?z>; rel=next"#)])
      case "/b;c/d?z":
        .json(#"[{"id": 4}]"#, [("Link", #"<x>; rel="prev""#), ("Link", #"<y>; anchor="z"; rel=next"#)])
      default: .json("{}", status: 404)
      }
    }
    let table = try WebTable(
      #""url": "\#(upstream.origin)/a/list", "query": {"q": "1"}, "paging": {"style": "link", "size": "n"}"#)
    #expect(try await table.pages().map(\.ids) == [["1"], ["2"], ["3"], ["4"]])
  }

  @Test("Next addresses in the body may be relative to where the answer came from")
  func nextAddress() async throws {
    let upstream = try ScriptedUpstream { request in
      switch request.target {
      case "/old": .redirect(307, to: "/new/list")
      case "/new/list": .json(#"{"value": [{"id": 1}], "@odata.nextLink": "list?%24skip=1"}"#)
      case "/new/list?%24skip=1": .json(#"{"value": [{"id": 2}], "@odata.nextLink": ""}"#)
      default: .json("{}", status: 404)
      }
    }
    let table = try WebTable(
      #""url": "\#(upstream.origin)/old", "items": "/value", "paging": {"style": "next", "next": "/@odata.nextLink"}"#
    )
    #expect(try await table.pages().map(\.ids) == [["1"], ["2"]])
  }

  @Test("Growing reads ask from the top: what was read updates, the rest appends")
  func grow() async throws {
    let upstream = try ScriptedUpstream { request in
      let size = Int(request.query("limit") ?? "") ?? 0
      return .json(Self.rows(0..<min(size, 9)))
    }
    let table = try WebTable(
      #""url": "\#(upstream.origin)", "paging": {"style": "grow", "size": "limit"}"#,
      #", "pageSize": 3, "maxItems": 8"#)
    let pages = try await table.pages()
    #expect(upstream.requests.map { $0.query("limit") } == ["3", "6", "8"])
    #expect(pages.map(\.ids) == [["0", "1", "2"], ["3", "4", "5"], ["6", "7"]])
    #expect(pages.map { $0.again.count } == [0, 3, 6])
    #expect(pages.map(\.next.read) == [3, 6, 8])
    #expect(pages.map(\.hasNext) == [true, true, false])
  }

  @Test("A page is cut at maxItems, and nothing is asked for behind it")
  func cut() async throws {
    let upstream = try ScriptedUpstream { _ in .json(Self.rows(0..<20), [("Link", "</n>; rel=next")]) }
    let table = try WebTable(
      #""url": "\#(upstream.origin)", "paging": {"style": "link"}"#, #", "maxItems": 7"#)
    let page = try await table.page().get()
    #expect(page.items.count == 7 && !page.hasNext && page.next.read == 7)
    let behind = try await table.page(at: page.next).get()
    #expect(behind.items.isEmpty && !behind.hasNext)
    #expect(upstream.requests.count == 1)
  }

  static let repeating: [(paging: String, answer: String)] = [
    (#"{"style": "cursor", "param": "c", "next": "/next"}"#, #""next": "always""#),
    (#"{"style": "cursor", "param": "c", "next": {"lastItem": "/id"}}"#, #""x": 1"#),
    (#"{"style": "next", "next": "/next"}"#, #""next": "?again""#),
  ]

  @Test(
    "A cursor or address that was used ends the list as an error, behind a page that counts",
    arguments: repeating)
  func repeats(paging: String, answer: String) async throws {
    let upstream = try ScriptedUpstream { _ in .json(#"{"items": [{"id": "a"}, {"id": "b"}], \#(answer)}"#) }
    let table = try WebTable(#""url": "\#(upstream.origin)/", "items": "/items", "paging": \#(paging)"#)
    let first = try await table.page().get()
    #expect(first.hasNext && first.failure == nil)
    let second = try await table.page(at: first.next).get()
    #expect(second.ids == ["a", "b"] && !second.hasNext)
    #expect(second.failure?.code == .repeats)
    #expect(upstream.requests.count == 2)
  }

  @Test("A loop over several pages is noticed where it closes")
  func longLoop() async throws {
    let upstream = try ScriptedUpstream { request in
      let page = Int(request.query("p") ?? "0") ?? 0
      return .json(#"[{"id": \#(page)}]"#, [("Link", "</?p=\((page + 1) % 5)>; rel=next")])
    }
    let table = try WebTable(#""url": "\#(upstream.origin)/?p=0", "paging": {"style": "link"}"#)
    let pages = try await table.pages()
    #expect(pages.map(\.ids) == (0..<5).map { ["\($0)"] })
    #expect(pages.map { $0.failure?.code } == [nil, nil, nil, nil, .repeats])
  }

  @Test("A place that another style left is refused with what to do")
  func otherStyle() async throws {
    let upstream = try ScriptedUpstream { _ in .json("[]") }
    let table = try WebTable(#""url": "\#(upstream.origin)", "paging": {"style": "link"}"#)
    for token: Bytes in ["", "c3:abc", "a9:x", "a1:", "azz"] {
      let failure = await table.page(at: Place(read: 1, pages: 1, token: token)).failure
      #expect(failure?.code == .error, "\(token)")
      #expect(failure?.detail.contains("refresh") == true)
    }
  }
}
